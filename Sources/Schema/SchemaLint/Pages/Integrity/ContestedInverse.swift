internal import SchemaManifest
internal import SchemaModel

struct ContestedInverse: RulePage {
  let rule = Rule.contestedInverse
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/Resolving/ReferenceResolver+Relationships.swift"]

  let purpose = """
    A relationship has one inverse. Here two others claim the same one: setting either would
    have to undo the other, and nobody has documented which of the two SwiftData follows. Give
    each its own relationship at the other end.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            outward: { relationship: "[Day]", inverse: trip }
            homeward: { relationship: "[Day]", inverse: ‹trip› }
        Day:
          properties:
            date: Date
            trip: { relationship: Trip? }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            outward: { relationship: "[Day]", inverse: outwardTrip }
            homeward: { relationship: "[Day]", inverse: homewardTrip }
        Day:
          properties:
            date: Date
            outwardTrip: { relationship: Trip? }
            homewardTrip: { relationship: Trip? }
      """)
  ]
}
