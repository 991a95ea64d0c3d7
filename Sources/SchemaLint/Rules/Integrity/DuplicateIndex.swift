internal import SchemaDiagnostics
internal import SchemaModel
internal import YAMLSource

struct DuplicateIndex: LintRule {
  let rule = Rule(
    "duplicate-index", .warning, "An index stands once",
    basis: .swiftData("4", .certain), isAcceptable: true)
  let category = RuleCategory.integrity
  let scope = RuleScope.version

  let purpose = """
    Two indexes of the same properties in the same order are built and kept up twice, and answer no question twice as
    fast. Every insertion pays for both.
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
          rule, "'\(model.name)' has this index already", element: model.name,
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
