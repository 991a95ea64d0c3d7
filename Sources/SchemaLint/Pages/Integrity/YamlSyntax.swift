internal import SchemaManifest
internal import SchemaModel

struct YamlSyntax: RulePage {
  let rule = Rule.yamlSyntax
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "SchemaManifest/YAML/ParserFailure+Wording.swift",
    "SchemaManifest/YAML/TreeBuilder.swift",
  ]

  let purpose = """
    What is not well-formed YAML has no meaning, and guessing one would be guessing at the schema of
    devices. The message shows the place where reading stopped and what is most often wrong there: a
    tab, an open quote, a value that begins with a bracket and goes on behind it. Swift source with
    `: ` or `#` in it wants single quotes around it.
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
