internal import SchemaManifest
internal import SchemaModel

struct YamlUnsupported: RulePage {
  let rule = Rule.yamlUnsupported
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/YAML/TreeBuilder.swift"]

  let purpose = """
    Anchors, aliases, merge keys and tags let one line change the meaning of another: an edit to
    one model would silently change others, and the diff would not show it. Write a manifest as
    one plain document, with each model in full. Every version's models differ sooner or later.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: ‹&›text String
            notes: String?
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
            notes: String?
      """)
  ]
}
