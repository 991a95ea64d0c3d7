internal import SchemaEvolution

struct RelationshipNarrowed: ChangePage {
  let kind = ChangeKind.relationshipNarrowed
  let category = RuleCategory.migration

  let purpose = """
    The old version allowed more or fewer links than the new bounds. A row outside the new
    bounds no longer passes validation: saving it fails, during the migration or at the user's
    next edit. Leave the bounds to checks in your app, or accept the finding and say why no row
    can be outside them.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
          days: { relationship: "[Day]", inverse: trip }
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
            name: String
            ‹days›: { relationship: "[Day]", inverse: trip, maximum: 14 }
        Day:
          properties:
            date: Date
            trip: { relationship: Trip? }
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
            days: { relationship: "[Day]", inverse: trip, maximum: 14 }
        Day:
          properties:
            date: Date
            trip: { relationship: Trip? }
      accept:
        - rule: relationship-narrowed
          element: Trip.days
          reason: the editor never offered more than 14 days
      """)
  ]
}
