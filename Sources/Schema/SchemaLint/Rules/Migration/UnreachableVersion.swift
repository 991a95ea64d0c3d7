internal import SchemaModel

struct UnreachableVersion: LintRule {
  let rule = Rule(
    "unreachable-version", .note, "Every version but the newest has shipped",
    basis: .page("lock", "released-versions"), isAcceptable: true)
  let category = RuleCategory.migration
  let scope = RuleScope.step

  let purpose = """
    The lock does not mark this version as shipped, and other versions follow it. If it has
    shipped, mark it with `schemagen release`: until then nothing protects it. If no device has
    a store of it, a tester's included, move its changes into the next version, as long as that
    one has not shipped either. Users who come from before it then go through one stage less.
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
            days: Int?
      === V3.yaml
      version: 3.0.0
      models:
        Trip:
          properties:
            name: String
            days: Int?
            budget: Int?
      === shipped V1.yaml
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
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
            days: Int?
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
    // Where nothing is marked as shipped, nothing can be said.
    guard !context.released.isEmpty else { return [] }
    return context.history.dropLast().filter {
      context.isOpen($0) && !context.marked.contains($0.number)
    }.map { version in
      Diagnostic(
        rule, "\(version.number.name) is not marked as shipped, but later versions follow",
        element: version.number.name, at: version.location,
        help: [
          "fold it into the next version, or run 'schemagen release \(version.number.name)' if it shipped"
        ])
    }
  }
}
