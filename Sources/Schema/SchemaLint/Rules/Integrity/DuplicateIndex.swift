internal import SchemaManifest
internal import SchemaModel

struct DuplicateIndex: LintRule {
  let rule = Rule(
    "duplicate-index", .note, "An index is declared once",
    basis: .fact(.storeFormat, "index-names", .certain), isAcceptable: true)
  let category = RuleCategory.integrity
  let scope = RuleScope.version

  let purpose = """
    A store names an index after its properties, so two equal indexes would have one name. The
    second adds nothing.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            day: Date
          index:
            - [name]
            - [name, day] # for the list
            - ‹{ binary: [name] }›
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            day: Date
          index:
            - [name]
            - [name, day] # for the list
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.newest.models.flatMap { model -> [Diagnostic] in
      var seen: Set<Index> = []
      return model.indexes.enumerated().compactMap { position, index in
        guard !seen.insert(index).inserted else { return nil }
        let path: YAMLPath = ["models", .key(model.name), "index", .index(position)]
        return Diagnostic(
          rule, "'\(model.name)' has this index already", element: ElementPath(model.name),
          at: context.newestDocument?.node(at: path)?.location ?? model.location,
          help: ["remove it"])
      }
    }
  }

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    context.removal(finding, "remove the second index")
  }
}
