internal import SchemaManifest
internal import SchemaModel

struct InvalidType: RulePage {
  let rule = Rule.invalidType
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "Schema/SchemaManifest/Reading/NodeInterpreter+Relationships.swift",
    "Schema/SchemaManifest/Reading/NodeInterpreter+Values.swift",
  ]

  let purpose = """
    schemagen writes a property's type into the model as Swift source. `@Model` refuses text
    that is not a type, and types that no stored property can have, such as a closure, a tuple
    or an opaque type. Write a named type, an array, a dictionary or an optional of these.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            places: ‹(›Double, Double)
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      types:
        Place: { struct: { latitude: Double, longitude: Double } }
      models:
        Trip:
          properties:
            name: String
            place: Place?
      """)
  ]
}
