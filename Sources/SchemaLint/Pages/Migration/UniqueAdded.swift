internal import SchemaEvolution

struct UniqueAdded: ChangePage {
  let kind = ChangeKind.uniqueAdded
  let category = RuleCategory.migration

  let purpose = """
    Two rows with the same value and a new unique constraint do not go together: the container
    cannot be opened for everybody who has such rows, and for nobody else. Core Data throws 134110
    with SQLite's "UNIQUE constraint failed" inside; the app sees `loadIssueModelContainer`. Nothing
    kept them from being made while the attribute was not unique. Say with `dedupe:` which of several
    equal rows stays; the others go before the constraint is made.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Habit:
          properties:
            code: String
            updatedAt: Date
      === V2.yaml
      version: 2.0.0
      models:
        Habit:
          properties:
            ‹code›: { type: String, unique: true }
            updatedAt: Date
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Habit:
          properties:
            code: String
            updatedAt: Date
      === V2.yaml
      version: 2.0.0
      models:
        Habit:
          properties:
            code: { type: String, unique: true, dedupe: { latest: updatedAt } }
            updatedAt: Date
      """)
  ]
}
