internal import SchemaModel

struct MissingLock: LintRule {
  let rule = Rule(
    "missing-lock", .note, "schema.lock stands beside the manifests",
    basis: Basis.page("lock"), isAcceptable: true)
  let category = RuleCategory.integrity
  let scope = RuleScope.history

  let purpose = """
    `schema.lock` knows what each version was and which have shipped. Without it nobody notices that a shipped version
    was edited, and two branches that both add a version merge without a conflict. `schemagen generate` writes it;
    commit it.
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
