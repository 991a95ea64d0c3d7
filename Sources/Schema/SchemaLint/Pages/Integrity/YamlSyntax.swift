internal import SchemaManifest
internal import SchemaModel

struct YamlSyntax: RulePage {
  let rule = Rule.yamlSyntax
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "Schema/SchemaManifest/YAML/MergeConflict.swift",
    "Schema/SchemaManifest/YAML/ParserFailure+Wording.swift",
    "Schema/SchemaManifest/YAML/TreeBuilder.swift",
  ]

  let purpose = """
    The manifest is not valid YAML, and schemagen does not guess at your schema. The message
    shows where reading stopped and the usual cause: a tab, an open quote, or text after the
    bracket that ends a value. Put Swift source with `: ` or `#` in single quotes.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            tags: [String] ‹=› []
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
            tags: "[String] = []"
      """)
  ]
}
