internal import SchemaModel

struct NothingReleased: LintRule {
  let rule = Rule(
    "nothing-released", .note, "Shipped versions are marked as shipped",
    basis: .guide(.ritualist, "schema migrations are permanent"), isAcceptable: true)
  let category = RuleCategory.integrity
  let scope = RuleScope.history

  let purpose = """
    You have several versions, and the lock marks none as shipped; users may have stores of the
    older ones. Only marked versions are guarded against edits. Run `schemagen release` when an
    app goes out.
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
      models:
        Trip:
          properties:
            name: String
            budget: Int?
      === shipped V1.yaml
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.history.count > 1, context.released.isEmpty else { return [] }
    let last = context.history[context.history.count - 2].number.name
    return [
      Diagnostic(
        rule, "none of the \(context.history.count) versions is marked as shipped",
        element: context.newest.number.name, at: context.newest.location,
        help: ["run 'schemagen release \(last)' if it is on people's devices"])
    ]
  }
}
