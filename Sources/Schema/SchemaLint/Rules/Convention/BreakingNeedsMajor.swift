internal import SchemaEvolution
internal import SchemaModel

struct BreakingNeedsMajor: LintRule {
  let rule = Rule(
    "breaking-needs-major", .warning, "A version that removes or converts is a major one",
    basis: .guide(.schemaChange, "semantic versioning: major, breaking changes, removing models"),
    isAcceptable: true)
  let category = RuleCategory.convention
  let scope = RuleScope.step

  let purpose = """
    A number says at a glance what an upgrade costs: a major version removes, renames or
    converts; a minor version only adds; a patch hardly ever touches the schema. This step
    removes or changes something, and its number promises less.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
          note: String?
    """

  let bad = [
    Example(
      """
      === V1.1.yaml
      ‹version›: 1.1.0
      drops:
        Trip.note: moved to the guest book
      models:
        Trip:
          properties:
            name: String
      """)
  ]

  let good = [
    Example(
      """
      === V2.yaml
      version: 2.0.0
      drops:
        Trip.note: moved to the guest book
      models:
        Trip:
          properties:
            name: String
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.compactMap { step in
      let (old, new) = (context.history[step.from], context.history[step.to])
      guard new.number.major == old.number.major,
        let change = step.changes.first(where: { SemanticChange($0) == .breaking })
      else { return nil }
      return Diagnostic(
        rule,
        "\(new.number.name) is not a major version: '\(change.element)' (\(change.classification.title))",
        element: new.number.name, at: new.location,
        help: [
          "number it \(old.number.successors[2])",
          "to accept it: " + ManifestEdit.acceptance(id, new.number.name),
        ])
    }
  }
}
