internal import SchemaEvolution

struct CompoundUniqueAdded: ChangePage {
  let kind = ChangeKind.compoundUniqueAdded
  let category = RuleCategory.migration

  let purpose = """
    If two rows are equal in all properties of the constraint, the engine cannot create it: for
    every user with two such rows, the container does not open (134110, with SQLite's "UNIQUE
    constraint failed" inside). A double tap or a sync is enough to make them. Rows with nil in
    one of the properties never collide. Write `dedupe:` in the constraint to choose which of
    the equal rows stays.
    """

  let beginning = """
    version: 1.0.0
    models:
      Entry:
        properties:
          habit: UUID
          date: Date
          updatedAt: Date
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Entry:
          unique: [‹[habit, date]›]
          properties:
            habit: UUID
            date: Date
            updatedAt: Date
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Entry:
          unique: [{ keys: [habit, date], dedupe: { latest: updatedAt } }]
          properties:
            habit: UUID
            date: Date
            updatedAt: Date
      """)
  ]
}
