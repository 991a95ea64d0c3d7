internal import SchemaEvolution

struct InverseChanged: ChangePage {
  let kind = ChangeKind.inverseChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    The inverse is part of a version's identity, and it decides in which table the links stand: in a
    column at the to-one end, or in a table of their own. Links are matched by the property's name,
    but what the engine makes of them when the other end changes is not documented. Write `inverse:`
    from the first version on; where one has to change, try it on a copy of a real store and accept
    it with what you saw.
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
