internal import SchemaEvolution
internal import SchemaModel

struct BreakingNeedsMajor: LintRule {
  let rule = Rule.breakingNeedsMajor

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.compactMap { step in
      let (old, new) = (step.old, step.new)
      guard new.number.major == old.number.major,
        let change = step.changes.first(where: { SemanticChange($0) == .breaking })
      else { return nil }
      return Diagnostic(
        rule,
        "\(new.number.name) has a breaking change, but is not a major version: '\(change.element)' (\(change.classification.title))",
        element: new.number.name, at: new.location,
        help: [
          "change the number to \(old.number.successors[2])",
          "to accept it: " + ManifestEdit.acceptance(id, new.number.name),
        ])
    }
  }
}
