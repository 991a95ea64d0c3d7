internal import SchemaEvolution

struct EnumMadeRequired: ChangePage {
  let kind = ChangeKind.enumMadeRequired
  let category = RuleCategory.migration

  let purpose = """
    In the store an enum is always optional, whatever the property says: no version's identity
    includes whether it is required. The engine therefore sees no change and migrates nothing,
    even if the declaration has a default. Rows with nil keep it, and the first read of one
    traps. Keep the property optional, or write `fill:` with the value for those rows.
    """

  let beginning = """
    version: 1.0.0
    types:
      Status: { enum: String, cases: [planned, done] }
    models:
      Trip:
        properties:
          name: String
          status: Status?
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      types:
        Status: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            ‹status›: Status = Status.planned
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      types:
        Status: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            status: { type: Status, fill: Status.planned }
      """)
  ]
}
