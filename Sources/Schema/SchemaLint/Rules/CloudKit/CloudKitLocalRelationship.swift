internal import SchemaEvolution
internal import SchemaModel

struct CloudKitLocalRelationship: LintRule {
  let rule = Rule(
    "cloudkit-local-relationship", "No relationship leads out of the store that syncs",
    basis: .fact(.migration, "cloudkit-relationships", .certain))
  let category = RuleCategory.cloudKit
  let scope = RuleScope.version

  let purpose = """
    `cloud: { local: [Draft] }` says that another configuration keeps a model, in a file of its
    own, which does not sync. A relationship cannot lead from one file into another: the
    container refuses to open. Keep the other row's identifier as an attribute instead.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            title: String = ""
            ‹drafts›: { relationship: "[Draft]?", inverse: trip }
        Draft:
          properties:
            ‹trip›: { relationship: Trip? }
      === schemagen.yaml
      cloudKit: private
      cloud: { local: [Draft] }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            title: String = ""
        Draft:
          properties:
            tripTitle: String?
      === schemagen.yaml
      cloudKit: private
      cloud: { local: [Draft] }
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    let local = context.localModels
    return context.newest.allRelationships.compactMap { model, property, relationship in
      let destination = relationship.destination.value
      guard local.contains(model.name) != local.contains(destination) else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule,
        "'\(element)' leads \(local.contains(model.name) ? "into" : "out of") the store that syncs: '\(local.contains(model.name) ? model.name : destination)' stays local",
        element: element, at: property.location,
        help: [
          "keep the other row's identifier as an attribute",
          "or take the model out of 'cloud: { local: … }'",
        ])
    }
  }
}
