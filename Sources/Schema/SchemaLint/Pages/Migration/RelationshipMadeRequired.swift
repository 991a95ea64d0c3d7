internal import SchemaEvolution

struct RelationshipMadeRequired: ChangePage {
  let kind = ChangeKind.relationshipMadeRequired
  let category = RuleCategory.migration

  let purpose = """
    A single row without a link makes the migration fail, and if the delete rule is nullify,
    there usually is one. Stores without such a row migrate, so you hear of it from users first.
    Keep the relationship optional, or write `fill:` with a function of your own that gives such
    rows a target.
    """

  let beginning = """
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
    """

  let bad = [
    Example(
      """
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
