internal import SchemaEvolution

struct ValueTypeChanged: ChangePage {
  let kind = ChangeKind.valueTypeChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    Old rows hold the columns of the old kind of type: one raw value, or one column for each
    field. The engine matches columns by name, so it drops the old ones with their values.
    Reading such a row then traps or returns nothing. Declare the new type under another name,
    and convert the properties that use it.
    """

  let beginning = """
    version: 1.0.0
    types:
      Price: { enum: String, cases: [low, high] }
    models:
      Trip:
        properties:
          name: String
          price: Price?
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      types:
        ‹Price›: { struct: { amount: Int, currency: String } }
      models:
        Trip:
          properties:
            name: String
            price: Price?
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      types:
        Price: { enum: String, cases: [low, high] }
        Cost: { struct: { amount: Int, currency: String } }
      models:
        Trip:
          properties:
            name: String
            price: Price?
            cost: Cost?
      """)
  ]
}
