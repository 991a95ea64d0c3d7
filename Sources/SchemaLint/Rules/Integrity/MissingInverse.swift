internal import SchemaModel

struct MissingInverse: LintRule {
  let rule = Rule(
    "missing-inverse", .warning, "A relationship names the way back",
    basis: .fact(.swiftData, "inverse-on-one-side", .certain), isAcceptable: true)
  let category = RuleCategory.integrity
  let scope = RuleScope.version

  let purpose = """
    Without `inverse:` the framework looks for a way back by itself, and finds one only when the to-one side is
    optional. What it found is part of the version's identity, and a relationship that
    is added later can change it. Deleting a row can also leave links that lead nowhere. Write `inverse:` at one of the
    two ends.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            ‹days›: { relationship: "[Day]", deleteRule: cascade }
        Day:
          properties:
            date: Date
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
            days: { relationship: "[Day]", inverse: trip, deleteRule: cascade }
        Day:
          properties:
            date: Date
            trip: { relationship: Trip? }
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    // There it is an error, with a rule of its own.
    guard context.configuration.cloudKit == .none else { return [] }
    return context.newest.allRelationships.compactMap { model, property, relationship in
      guard relationship.inverse == nil, !property.isTransient else { return nil }
      let element = ElementPath(model.name, property.name)
      let destination = relationship.destination.value
      let back = context.newest.model(named: destination)?.properties.first { candidate in
        candidate.name != property.name && candidate.relationship?.inverse == nil
          && candidate.relationship?.destination.value == model.name
      }
      return Diagnostic(
        rule, "'\(element)' has no way back from '\(destination)'", element: element,
        at: property.location,
        help: [
          back.map { "write 'inverse: \($0.name)' here" }
            ?? "add a relationship to '\(model.name)' in '\(destination)' and name it with 'inverse:' at one end"
        ])
    }
  }
}
