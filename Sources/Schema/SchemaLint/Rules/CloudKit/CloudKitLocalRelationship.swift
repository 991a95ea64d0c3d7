internal import SchemaEvolution
internal import SchemaModel

struct CloudKitLocalRelationship: LintRule {
  let rule = Rule.cloudKitLocalRelationship

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
          "or remove the model from 'cloud: { local: … }'",
        ])
    }
  }
}
