internal import SchemaManifest
internal import SchemaModel

struct DanglingInverse: RulePage {
  let rule = Rule.danglingInverse
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/Resolving/ReferenceResolver+Relationships.swift"]

  let purpose = """
    `inverse:` names the relationship at the other end that leads back here. If that property
    does not exist, or is not a relationship, the generated key path does not compile. If it
    leads to another model, SwiftData links and deletes the wrong rows. Name the relationship
    that leads back, or add it to the other model.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]", inverse: ‹trip› }
        Day:
          properties:
            date: Date
            hotel: String
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
