internal import SchemaEvolution
internal import SchemaModel

struct NoRoomForBridge: RulePage {
  let rule = Rule.noRoomForBridge
  let category = RuleCategory.migration
  let scope = RuleScope.step
  let foundIn = ["Schema/SchemaEvolution/Review/HistoryReview.swift"]

  let purpose = """
    To copy values with code, the migration needs a bridge: a version between the old and the
    new one, with the columns of both. Its number counts on from the older version's patch
    number, and a step from 1.0.0 to 1.0.1 leaves none free. A patch is hardly ever right for a
    schema: give the new version the next minor or major number.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === V1.0.1.yaml
      ‹version›: 1.0.1
      models:
        Trip:
          properties:
            name: String
            id: { type: UUID, fill: UUID() }
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
      === V1.1.yaml
      version: 1.1.0
      models:
        Trip:
          properties:
            name: String
            id: { type: UUID, fill: UUID() }
      """)
  ]
}
