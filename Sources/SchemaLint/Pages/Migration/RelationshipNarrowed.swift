internal import SchemaEvolution

struct RelationshipNarrowed: ChangePage {
  let kind = ChangeKind.relationshipNarrowed
  let category = RuleCategory.migration

  let purpose = """
    A row with more links than the new maximum, or fewer than the new minimum, does not pass
    validation any more: saving it fails, in the migration or at the user's next edit. The old
    version let such rows be made. Leave the bounds to the app's own checks, or accept it with the
    reason why no row can be outside them.
    """

  let bad = [
    Example(
      """
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
