internal import SchemaManifest
internal import SchemaModel

struct InvalidName: RulePage {
  let rule = Rule.invalidName
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "SchemaManifest/Reading/NodeInterpreter+Names.swift",
    "SchemaManifest/Reading/NodeInterpreter+Version.swift",
  ]

  let purpose = """
    Names of models, properties, types and cases are written into Swift as they are, and upper-cased
    they name tables and columns of the store. One with a hyphen or a space in it, or beginning with
    a digit, would give generated code that does not compile. A name is a letter or `_`, then
    letters A–Z, digits and `_`, at most 128. The case of an enum may have letters of any alphabet.
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
