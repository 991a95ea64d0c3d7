internal import SchemaManifest
internal import SchemaModel

struct UnknownProperty: RulePage {
  let rule = Rule.unknownProperty
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaManifest/Resolving/ReferenceResolver.swift"]

  let purpose = """
    Constraints, indexes and `dedupe:` name properties of their model, its own or inherited ones. A
    name that leads nowhere would be a key path that does not compile. Usually the property was
    renamed and the constraint was not: write the name that this version has.
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
