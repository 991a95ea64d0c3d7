internal import SchemaEvolution

struct NumberRangeChanged: ChangePage {
  let kind = ChangeKind.numberRangeChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    Int and UInt are one type to the store, and so are Int16 and UInt8. The engine sees no change
    between them and copies nothing: a row that holds -1 goes on to hold it, and an app that reads
    it as UInt gets a huge number, or nothing that it can use. Write `from:` and `convert:` with a
    conversion that cannot trap, or accept the finding and say why no row holds such a number.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          minutes: Int = 0
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            ‹minutes›: UInt = 0
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            minutes: { type: UInt, default: '0', from: minutes, convert: 'UInt(clamping: $0)' }
      """)
  ]
}
