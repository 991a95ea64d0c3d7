internal import SchemaEvolution

struct MandatoryRelationship: ChangePage {
  let kind = ChangeKind.mandatoryRelationship
  let category = RuleCategory.migration

  let purpose = """
    Old rows have no target for the new relationship, and a default in Swift does not reach the
    engine. The migration fails as soon as one row exists, and passes on an empty store. Make
    the relationship optional, or write `fill:` with a function of your own that finds a target
    for each row in a bridge version.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
      Day:
        properties:
          date: Date
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
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
            name: String
            days: { relationship: "[Day]", inverse: trip, deleteRule: cascade }
        Day:
          properties:
            date: Date
            trip: { relationship: Trip? }
      """)
  ]
}
