internal import SchemaManifest
internal import SchemaModel

struct RedundantUnique: LintRule {
  let rule = Rule(
    "redundant-unique", .warning, "A constraint rejects more than a unique attribute in it",
    basis: .fact(.swiftData, "unique-constraints", .certain), isAcceptable: true)
  let category = RuleCategory.integrity
  let scope = RuleScope.version

  let purpose = """
    If a property is unique by itself, a constraint of this and other properties can never
    reject anything more. Either the constraint is left over, or the property should not be
    unique alone.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            id: { type: UUID, unique: true }
            name: String
          unique:
            - ‹[id, name]›
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            id: { type: UUID, unique: true }
            name: String
            day: Date
          unique:
            - [name, day]
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.newest.models.flatMap { model -> [Diagnostic] in
      let own = Set(
        model.properties.filter { $0.attribute?.options.contains(.unique) ?? false }.map(\.name))
      var single = own
      return model.uniques.enumerated().compactMap { position, unique in
        guard let name = unique.names.first(where: single.contains) else {
          if unique.names.count == 1 { single.formUnion(unique.names) }
          return nil
        }
        let path: YAMLPath = ["models", .key(model.name), "unique", .index(position)]
        return Diagnostic(
          rule, "'\(model.name).\(name)' is unique by itself: the constraint rejects nothing more",
          element: ElementPath(model.name),
          at: context.newestDocument?.node(at: path)?.location ?? unique.location,
          help: ["remove the constraint, or 'unique' from '\(name)'"])
      }
    }
  }
}
