internal import SchemaEvolution

struct RequiredWithoutFill: ChangePage {
  let kind = ChangeKind.requiredWithoutFill
  let category = RuleCategory.migration

  let purpose = """
    A row with nil has no value for a required attribute. The migration fails on every device
    with such a row and passes on all others, so tests with complete rows never show it. Write
    `fill:` with the value for those rows. A default at the declaration works too; all those
    rows then get this one value.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
          notes: String?
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
            ‹notes›: String
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
            notes: { type: String, fill: '""' }
      """)
  ]
}
