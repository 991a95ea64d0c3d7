internal import SchemaModel

struct MissingSummary: LintRule {
  let rule = Rule(
    "missing-summary", .note, "A version has a summary",
    basis: .guide(.schemaChange, "best practices: document all changes in schema version file"),
    isAcceptable: true)
  let category = RuleCategory.convention
  let scope = RuleScope.step

  let purpose = """
    The summary appears in the version's documentation comment, in the migration's log and in
    MIGRATIONS.md. In a year it tells you why V7 exists. A few words are enough.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
    === V2.yaml
    """

  let bad = [
    Example(
      """
      ‹version›: 2.0.0
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
      version: 2.0.0
      summary: trips have a budget
      models:
        Trip:
          properties:
            name: String
            budget: Int?
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.history.dropFirst().filter { context.isOpen($0) && $0.summary == nil }.map { version in
      Diagnostic(
        rule, "\(version.number.name) has no summary", element: version.number.name,
        at: version.location, help: ["write 'summary: …' with a few words"])
    }
  }
}
