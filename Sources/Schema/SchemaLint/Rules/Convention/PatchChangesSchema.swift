internal import SchemaEvolution
internal import SchemaModel

struct PatchChangesSchema: LintRule {
  let rule = Rule(
    "patch-changes-schema", .warning, "A patch does not change stored data",
    basis: .guide(.schemaChange, "semantic versioning: patch, bug fixes, rarely used for schema"),
    isAcceptable: true)
  let category = RuleCategory.convention
  let scope = RuleScope.step

  let purpose = """
    The third number is for a corrected migration. A version that adds to the stored data is at
    least a minor one. If the migration has to copy values, the numbers between two patches
    leave no room for a bridge.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === V1.0.1.yaml
      ‹version›: 1.0.1
      models:
        Trip:
          properties:
            name: String
            budget: Int?
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === V1.1.yaml
      version: 1.1.0
      models:
        Trip:
          properties:
            name: String
            budget: Int?
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.compactMap { step in
      let (old, new) = (context.history[step.from], context.history[step.to])
      guard new.number.major == old.number.major, new.number.minor == old.number.minor,
        // Advice about steps that are broken would be in the way.
        !context.evolution.diagnostics.hasErrors,
        step.changes.allSatisfy({ SemanticChange($0) < .breaking }),
        let change = step.changes.first(where: { SemanticChange($0) == .additive })
      else { return nil }
      return Diagnostic(
        rule, "\(new.number.name) is a patch and changes stored data: '\(change.element)'",
        element: new.number.name, at: new.location,
        help: [
          "number it \(old.number.successors[1])",
          "to accept it: " + ManifestEdit.acceptance(id, new.number.name),
        ])
    }
  }
}
