internal import SchemaEvolution

struct NumberTypeChanged: ChangePage {
  let kind = ChangeKind.numberTypeChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    Between integers, floating point numbers, Decimal and Bool, the engine copies the number
    unchanged; Apple does not document this. A fraction stays in the file and is cut off when
    the app reads the row. No range is checked, and nothing tells you which rows are affected.
    Write `from:` and `convert:` to round the values your way, without a trap where one is too
    large or no number (`trapping-conversion`), or accept the finding and say why
    no value can be harmed.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          budget: Double
    === V2.yaml
    """

  let bad = [
    Example(
      """
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
      version: 2.0.0
      models:
        Trip:
          properties:
            budget: { type: Int?, from: budget, convert: 'Int(exactly: $0.rounded())' }
      """)
  ]
}
