internal import SchemaEvolution

struct NumberTypeChanged: ChangePage {
  let kind = ChangeKind.numberTypeChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    Between integers, floating point numbers, Decimal and Bool the engine copies the number as it is,
    which Apple does not document. A fraction stays in the file and is cut when the row is read, no
    range is checked, and nothing tells which rows that met. Say `from:` and `convert:` to decide yourself how a value is
    rounded, or accept it with the reason why no value can be harmed.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            budget: Double
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            ‹budget›: Int
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            budget: Double
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            budget: { type: Int, from: budget, convert: Int($0.rounded()) }
      """)
  ]
}
