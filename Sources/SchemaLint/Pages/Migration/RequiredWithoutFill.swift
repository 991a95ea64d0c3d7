internal import SchemaEvolution

struct RequiredWithoutFill: ChangePage {
  let kind = ChangeKind.requiredWithoutFill
  let category = RuleCategory.migration

  let purpose = """
    A row that holds nil cannot become one that must hold a value. The migration fails on devices
    that have such a row and passes on all others, so tests with complete rows never show it. Say
    `fill:` with the value for those rows, or give a default at the declaration, which then is the
    one value for all of them.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            notes: String?
      === V2.yaml
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
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            notes: String?
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            notes: { type: String, fill: '""' }
      """)
  ]
}
