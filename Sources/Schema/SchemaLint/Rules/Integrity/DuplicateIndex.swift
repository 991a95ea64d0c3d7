internal import SchemaManifest
internal import SchemaModel

struct DuplicateIndex: LintRule, RuleFix {
  let rule = Rule.duplicateIndex

  func findings(in context: LintContext) -> [Diagnostic] {
    context.newest.models.flatMap { model -> [Diagnostic] in
      var seen: Set<Index> = []
      return model.indexes.enumerated().compactMap { position, index in
        guard !seen.insert(index).inserted else { return nil }
        let path: YAMLPath = ["models", .key(model.name), "index", .index(position)]
        return Diagnostic(
          rule, "'\(model.name)' already has this index", element: ElementPath(model.name),
          at: context.newestDocument?.node(at: path)?.location ?? model.location,
          help: ["remove this index"])
      }
    }
  }

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    context.removal(finding, "remove the second index")
  }
}
