internal import SchemaEvolution

struct RawValueChanged: ChangePage {
  let kind = ChangeKind.rawValueChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    Old rows hold the old raw value, and nothing rewrites it: the engine sees a number or a text
    and no change. Such rows may no longer decode, or worse, decode as another case that has
    taken over their value. Keep the raw value: you can rename a case without changing it.
    """

  let beginning = """
    version: 1.0.0
    types:
      Level: { enum: Int, cases: { low: 1, high: 2 } }
    models:
      Habit:
        properties:
          name: String
          level: Level?
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      types:
        Level: { enum: Int, cases: { low: 1, ‹high›: 3 } }
      models:
        Habit:
          properties:
            name: String
            level: Level?
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      types:
        Level: { enum: Int, cases: { low: 1, high: 2, extreme: 3 } }
      models:
        Habit:
          properties:
            name: String
            level: Level?
      """)
  ]
}
