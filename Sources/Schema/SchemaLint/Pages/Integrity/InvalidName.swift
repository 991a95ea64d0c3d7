internal import SchemaManifest
internal import SchemaModel

struct InvalidName: RulePage {
  let rule = Rule.invalidName
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "Schema/SchemaManifest/Reading/NodeInterpreter+Names.swift",
    "Schema/SchemaManifest/Reading/NodeInterpreter+Version.swift",
  ]

  let purpose = """
    schemagen writes the names of models, properties, types and cases unchanged into Swift, and
    in upper case they become the store's tables and columns. A name with a hyphen or a space,
    or with a digit at its beginning, does not compile. Write a letter or `_`, then letters A–Z,
    digits and `_`, at most 128 characters. An enum case may use letters of any alphabet.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            ‹start-date›: Date
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
            startDate: Date
      """)
  ]
}
