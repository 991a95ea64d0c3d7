internal import SchemaModel

struct MissingInverse: LintRule {
  let rule = Rule.missingInverse

  func findings(in context: LintContext) -> [Diagnostic] {
    // With CloudKit, a missing inverse is an error, which another rule reports.
    guard context.configuration.cloudKit == .none else { return [] }
    return context.newest.allRelationships.compactMap { model, property, relationship in
      guard relationship.inverse == nil, !property.isTransient else { return nil }
      let element = ElementPath(model.name, property.name)
      let destination = relationship.destination.value
      let back = context.newest.model(named: destination)?.properties.first { candidate in
        candidate.name != property.name && candidate.relationship?.inverse == nil
          && candidate.relationship?.destination.value == model.name
      }
      // Examples are in docs/facts/identity.md#undeclared-inverse-examples.
      if back == nil, destination == model.name, property.type.isOptional {
        return Diagnostic(
          rule, "SwiftData may take '\(element)' for its own inverse", element: element,
          at: property.location,
          help: [
            "if row A becomes the '\(property.name)' of row B, B also becomes the '\(property.name)' of A: add the other "
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
