internal import SchemaManifest
internal import SchemaModel

struct UnknownModel: RulePage {
  let rule = Rule.unknownModel
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "SchemaManifest/Resolving/ReferenceResolver+Relationships.swift",
    "SchemaManifest/Resolving/ReferenceResolver.swift",
  ]

  let purpose = """
    Each manifest holds all models of its version, and what is named in it is looked up there and
    nowhere else. A Swift type in a version that misses a model would resolve, without a word, to a
    top-level one of the same spelling: another version's rows. Add the model, or correct the name.
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
