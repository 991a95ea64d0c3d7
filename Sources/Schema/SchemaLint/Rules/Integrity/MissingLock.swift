internal import SchemaModel

struct MissingLock: LintRule {
  let rule = Rule(
    "missing-lock", .note, "The schema folder has a schema.lock",
    basis: Basis.page("lock"), isAcceptable: true)
  let category = RuleCategory.integrity
  let scope = RuleScope.history

  let purpose = """
    `schema.lock` records what each version was and which have shipped. Without it, nobody
    notices an edit to a shipped version, and two branches that each add a version merge without
    a conflict. `schemagen generate` writes it; commit it.
    """

  let bad = [
    Example(
      """
      ‹version›: 1.0.0
      models:
        Trip:
          properties:
            name: String
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
      === shipped V1.yaml
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard !context.hasLock else { return [] }
    return [
      Diagnostic(
        rule, "there is no schema.lock: nothing guards the versions that have shipped",
        element: context.newest.number.name, at: context.newest.location,
        help: ["run 'schemagen generate' and commit what it writes"])
    ]
  }
}
