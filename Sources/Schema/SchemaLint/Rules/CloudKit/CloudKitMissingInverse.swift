internal import SchemaModel

struct CloudKitMissingInverse: LintRule {
  let rule = Rule.cloudKitMissingInverse

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
