internal import SchemaEvolution

struct UniqueAdded: ChangePage {
  let kind = ChangeKind.uniqueAdded
  let category = RuleCategory.migration

  let purpose = """
    While the attribute was not unique, nothing stopped users from making two rows with the same
    value. For every user who has two, the container now does not open; for all others it does.
    Core Data throws 134110 with SQLite's "UNIQUE constraint failed" inside; the app sees
    `loadIssueModelContainer`. Write `dedupe:` to choose which of the equal rows stays. The
    others are deleted before the constraint is created.
    """

  let beginning = """
    version: 1.0.0
    models:
      Habit:
        properties:
          code: Int
          updatedAt: Date
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Habit:
          properties:
            ‹code›: { type: Int, unique: true }
            updatedAt: Date
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Habit:
          properties:
            code: { type: Int, unique: true, dedupe: { latest: updatedAt } }
            updatedAt: Date
      """)
  ]
}
