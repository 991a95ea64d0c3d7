internal import SchemaModel

struct CloudKitMissingInverse: LintRule {
  let rule = Rule(
    "cloudkit-missing-inverse", "In a store that syncs, every relationship has an inverse",
    basis: .fact(.migration, "cloudkit-relationships", .certain))
  let category = RuleCategory.cloudKit
  let scope = RuleScope.version

  let purpose = """
    CloudKit stores a link as a reference in one of two records, and needs the inverse to keep
    both ends in step. It does not allow a relationship without one. Lint checks this with
    `cloudKit: private`, instead of `missing-inverse`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String = ""
            ‹days›: { relationship: "[Day]?", deleteRule: cascade }
        Day:
          properties:
            date: Date?
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String = ""
            days: { relationship: "[Day]?", inverse: trip, deleteRule: cascade }
        Day:
          properties:
            date: Date?
            trip: { relationship: Trip? }
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.newest.allRelationships.compactMap { model, property, relationship in
      guard relationship.inverse == nil, !property.isTransient else { return nil }
      let element = ElementPath(model.name, property.name)
      let destination = relationship.destination.value
      return Diagnostic(
        rule, "'\(element)' has no inverse in '\(destination)'", element: element,
        at: property.location,
        help: ["add a relationship to '\(destination)' and name it with 'inverse:' at one end"])
    }
  }
}
