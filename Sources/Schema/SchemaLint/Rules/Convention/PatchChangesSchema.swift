internal import SchemaEvolution
internal import SchemaModel

struct PatchChangesSchema: LintRule {
  let rule = Rule.patchChangesSchema

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.compactMap { step in
      let (old, new) = (step.old, step.new)
      guard new.number.major == old.number.major, new.number.minor == old.number.minor,
        // While steps have errors, this advice would distract.
        !context.evolution.diagnostics.hasErrors,
        step.changes.allSatisfy({ SemanticChange($0) < .breaking }),
        let change = step.changes.first(where: { SemanticChange($0) == .additive })
      else { return nil }
      return Diagnostic(
        rule, "\(new.number.name) is a patch and changes stored data: '\(change.element)'",
        element: new.number.name, at: new.location,
        help: [
          "change the number to \(old.number.successors[1])",
          "to accept it: " + ManifestEdit.acceptance(id, new.number.name),
        ])
    }
  }
}
