internal import SchemaManifest
internal import SchemaModel

struct DuplicateKey: RulePage {
  let rule = Rule.duplicateKey
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaManifest/YAML/TreeBuilder.swift"]

  let purpose = """
    Most YAML parsers take the last of two equal keys and forget the first without a word: of two
    properties of one name one would not exist, and with it a column. It happens when two branches
    add the same property and git merges them line by line. Keep the one that is right.
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
