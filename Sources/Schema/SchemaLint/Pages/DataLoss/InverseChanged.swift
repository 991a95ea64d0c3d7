internal import SchemaEvolution

struct InverseChanged: ChangePage {
  let kind = ChangeKind.inverseChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    The inverse is part of a version's identity. It also decides where the links are stored: in
    a column at the to-one end, or in a table of their own. The engine matches links by the
    property's name, but nobody has documented what it does with them when the inverse changes.
    Write `inverse:` from the first version on. If you must change one, try it on a copy of a
    real store, and accept the finding with what you saw.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            days: { relationship: "[Day]", deleteRule: cascade }
        Day:
          properties:
            date: Date
            trip: { relationship: Trip }
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            ‹days›: { relationship: "[Day]", inverse: trip, deleteRule: cascade }
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
            name: String
            days: { relationship: "[Day]", inverse: trip, deleteRule: cascade }
        Day:
          properties:
            date: Date
            trip: { relationship: Trip }
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            days: { relationship: "[Day]", inverse: trip, deleteRule: cascade }
        Day:
          properties:
            date: Date
            notes: String?
            trip: { relationship: Trip }
      """)
  ]
}
