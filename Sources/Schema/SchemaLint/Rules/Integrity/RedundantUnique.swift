internal import SchemaManifest
internal import SchemaModel

struct RedundantUnique: LintRule {
  let rule = Rule.redundantUnique

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
          rule,
          "'\(model.name).\(name)' is unique by itself, so the constraint rejects nothing more",
          element: ElementPath(model.name),
          at: context.newestDocument?.node(at: path)?.location ?? unique.location,
          help: ["remove the constraint, or 'unique' from '\(name)'"])
      }
    }
  }
}
