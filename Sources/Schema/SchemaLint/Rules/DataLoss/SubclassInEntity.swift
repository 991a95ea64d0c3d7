internal import SchemaEvolution
internal import SchemaModel

struct SubclassInEntity: LintRule {
  let rule = Rule.subclassInEntity

  func findings(in context: LintContext) -> [Diagnostic] {
    let version = context.newest
    guard context.configuration.converters != .none,
      version.models.contains(where: { $0.superclass != nil })
    else { return [] }
    let models = Dictionary(version.models, keyedBy: \.name)
    func subclasses(of model: Model) -> [Model] {
      version.models.filter { $0.ancestors { models[$0] }.contains { $0.name == model.name } }
    }
    return version.allRelationships.compactMap { model, property, relationship in
      guard property.mapping.form == .value,
        ([model] + subclasses(of: model)).contains(where: { $0.entity != nil }),
        let destination = models[relationship.destination.value], destination.entity != nil
      else { return nil }
      let lost = subclasses(of: destination)
      guard !lost.isEmpty else { return nil }
      let element = ElementPath(model.name, property.name)
      let names = lost.map { "'\($0.name)'" }.sorted().joined(separator: ", ")
      let hasIdentifier = destination.effectiveProperties(among: models)
        .contains { $0.name == "id" }
      return Diagnostic(
        rule,
        "the entity holds '\(element)' as values: from rows of \(names) it keeps only the properties of '\(destination.name)', "
          + "and fromEntity(_:) makes plain rows of '\(destination.name)'",
        element: element, at: property.location,
        help: [
          (hasIdentifier ? "" : "give '\(destination.name)' an 'id', and ")
            + "let the entity hold identifiers, which lead to the rows themselves: inEntity: identifiers",
          "or leave the relationship out: inEntity: omit",
          context.acceptance(id, element),
        ])
    }
  }
}
