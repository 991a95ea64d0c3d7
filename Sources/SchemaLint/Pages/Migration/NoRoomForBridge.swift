internal import SchemaEvolution
internal import SchemaModel

struct NoRoomForBridge: RulePage {
  let rule = Rule.noRoomForBridge
  let category = RuleCategory.migration
  let scope = RuleScope.step
  let foundIn = ["SchemaEvolution/Review/HistoryReview.swift"]

  let purpose = """
    Values that are carried over by code need a version between the old and the new one that holds
    both columns. It bears a number of its own, counted on from the older version's patch, so a step
    from 1.0.0 to 1.0.1 leaves none. A patch is hardly ever right for a schema: give the version the
    next minor or major number.
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
