internal import SchemaModel

struct MissingInverse: LintRule {
  let rule = Rule(
    "missing-inverse", .warning, "A relationship names its inverse",
    basis: .fact(.swiftData, "inverse-on-one-side", .certain), isAcceptable: true)
  let category = RuleCategory.integrity
  let scope = RuleScope.version

  let purpose = """
    Without `inverse:`, SwiftData looks for an inverse by itself, and finds one only if the
    to-one side is optional. Its choice is part of the version's identity, and a relationship
    that you add later can change it. Deleting a row can also leave links to nothing. Write
    `inverse:` at one of the two ends.

    SwiftData probably takes an optional relationship of a model to itself as its own inverse:
    if Ben becomes Ann's boss, Ann becomes Ben's. Declare the other end as well.
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
      """),
    Example(
      """
      version: 1.0.0
      models:
        Person:
          properties:
            name: String
            ‹boss›: { relationship: Person? }
      """),
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
      """),
    Example(
      """
      version: 1.0.0
      models:
        Person:
          properties:
            name: String
            boss: { relationship: Person? }
            staff: { relationship: "[Person]", inverse: boss }
      """),
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
      // docs/facts/identity.md#undeclared-inverse-examples
      if back == nil, destination == model.name, property.type.isOptional {
        return Diagnostic(
          rule, "SwiftData may take '\(element)' for its own inverse", element: element,
          at: property.location,
          help: [
            "if one row becomes another's '\(property.name)', that one becomes its '\(property.name)' too: add the other "
              + "end to '\(destination)', with 'inverse: \(property.name)'"
          ])
      }
      return Diagnostic(
        rule, "'\(element)' has no inverse in '\(destination)'", element: element,
        at: property.location,
        help: [
          back.map { "write 'inverse: \($0.name)' here" }
            ?? "add a relationship to '\(model.name)' in '\(destination)' and name it with 'inverse:' at one end"
        ])
    }
  }
}
