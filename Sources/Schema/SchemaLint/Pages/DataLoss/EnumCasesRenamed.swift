internal import SchemaEvolution

struct EnumCasesRenamed: ChangePage {
  let kind = ChangeKind.enumCasesRenamed
  let category = RuleCategory.dataLoss

  let purpose = """
    The store knows raw values and no names. Where a property gets another enum that shares no name
    with the old one, each old row is read as the case that has its raw value now. If the cases
    stand in another order, or were translated with their values exchanged, every row means
    something else, and nothing fails. Compare the values one by one: the message has them.
    """

  let beginning = """
    version: 1.0.0
    types:
      Course: { enum: String, cases: [starter, main] }
    models:
      Dish:
        properties:
          course: Course?
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      types:
        Gang: { enum: String, cases: { vorspeise: main, hauptgang: starter } }
      models:
        Dish:
          properties:
            ‹course›: Gang?
            note: String?
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      types:
        Gang: { enum: String, cases: { starter: starter, hauptgang: main } }
      models:
        Dish:
          properties:
            course: Gang?
            note: String?
      """)
  ]
}
