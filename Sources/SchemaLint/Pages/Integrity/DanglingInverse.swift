internal import SchemaManifest
internal import SchemaModel

struct DanglingInverse: RulePage {
  let rule = Rule.danglingInverse
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaManifest/Resolving/ReferenceResolver+Relationships.swift"]

  let purpose = """
    `inverse:` names the relationship at the other end that leads back here. One that is not there,
    is not a relationship or leads to another model would be a key path that does not compile, or a
    pair that deletes and links the wrong rows. Name the way back, or add it to the other model.
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
