internal import SchemaEvolution

struct ArrayElementChanged: ChangePage {
  let kind = ChangeKind.arrayElementChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    The engine stores an array of plain values as one archive and does not look inside. It does
    not notice a new element type: nothing is migrated, and nothing fails. Old rows keep
    archives of the old elements, which do not decode as the new ones. Name the property itself
    in `from:`, and write in `convert:` how to make the new array from the old one.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
          stops: '[String]'
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
            ‹stops›: '[Int]'
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
            stops: { type: '[Int]', from: stops, convert: '$0.compactMap { Int($0) }', revert: '$0.map { String($0) }' }
      """)
  ]
}
