internal import SchemaManifest
internal import SchemaModel

struct UnknownProperty: RulePage {
  let rule = Rule.unknownProperty
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/Resolving/ReferenceResolver.swift"]

  let purpose = """
    Constraints, indexes and `dedupe:` name properties of their model, its own or inherited
    ones. The generated key path for an unknown name does not compile. Usually somebody renamed
    the property and not the constraint: write the name that this version uses.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          unique: [[‹number›]]
          properties:
            code: String
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          unique: [[code]]
          properties:
            code: String
      """)
  ]
}
