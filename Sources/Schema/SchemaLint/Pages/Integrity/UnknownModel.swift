internal import SchemaManifest
internal import SchemaModel

struct UnknownModel: RulePage {
  let rule = Rule.unknownModel
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "Schema/SchemaManifest/Resolving/ReferenceResolver+Relationships.swift",
    "Schema/SchemaManifest/Resolving/ReferenceResolver.swift",
  ]

  let purpose = """
    A manifest holds all models of its version, and schemagen looks up names only there. If a
    version lacked a model, Swift would silently use a top-level type of the same name, and with
    it the rows of another version. Add the model, or correct the name.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            days: { relationship: "[‹TripDay›]" }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]", inverse: trip }
        Day:
          properties:
            date: Date
            trip: { relationship: Trip? }
      """)
  ]
}
