internal import SchemaManifest
internal import SchemaModel

struct YamlUnsupported: RulePage {
  let rule = Rule.yamlUnsupported
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaManifest/YAML/TreeBuilder.swift"]

  let purpose = """
    Anchors, aliases, merge keys and tags make a manifest say something in another place than where
    it stands: a change to one model would silently be one to others, and a diff would not show it.
    A manifest is one plain document, in which each model is written out, because every version's
    models differ sooner or later.
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
