internal import SchemaManifest
internal import SchemaModel

struct DuplicateKey: RulePage {
  let rule = Rule.duplicateKey
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/YAML/TreeBuilder.swift"]

  let purpose = """
    Most YAML parsers silently keep the last of two equal keys. If a property appears twice, one
    of them vanishes, and its column with it. This happens when two branches add the same
    property and git merges them line by line. Keep the right one.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            notes: String?
            budget: Int = 0
            ‹notes›: String = ""
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
            budget: Int = 0
      """)
  ]
}
