internal import SchemaEvolution

struct RelationshipMadeRequired: ChangePage {
  let kind = ChangeKind.relationshipMadeRequired
  let category = RuleCategory.migration

  let purpose = """
    One row that leads nowhere is enough for the migration to fail, and where deleting nullifies
    there usually is one. On stores without such a row all goes well, so it shows in the field
    first. Keep the relationship optional, or say `fill:` with your own function that gives such
    rows a target.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]", inverse: trip, deleteRule: cascade }
        Day:
          properties:
            date: Date
            trip: { relationship: Trip? }
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]", inverse: trip, deleteRule: cascade }
        Day:
          properties:
            date: Date
            ‹trip›: { relationship: Trip }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]", inverse: trip, deleteRule: cascade }
        Day:
          properties:
            date: Date
            trip: { relationship: Trip? }
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]", inverse: trip, deleteRule: cascade }
        Day:
          properties:
            date: Date
            trip: { relationship: Trip, fill: { function: firstTrip } }
      """)
  ]
}
