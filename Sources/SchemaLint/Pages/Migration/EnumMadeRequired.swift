internal import SchemaEvolution

struct EnumMadeRequired: ChangePage {
  let kind = ChangeKind.enumMadeRequired
  let category = RuleCategory.migration

  let purpose = """
    To the store an enum is optional, whatever the property says: whether it is required is part of no
    version's identity. So the engine sees no change, migrates nothing and fails nowhere, a default at
    the declaration included. Rows that hold nil keep it, and the first read of one traps. Keep the
    property optional, or say `fill:` with the value for those rows.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      types:
        Status: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            status: Status?
      === V2.yaml
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
      version: 1.0.0
      types:
        Status: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            status: Status?
      === V2.yaml
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
