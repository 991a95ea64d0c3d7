internal import SchemaEvolution

struct CompoundUniqueAdded: ChangePage {
  let kind = ChangeKind.compoundUniqueAdded
  let category = RuleCategory.migration

  let purpose = """
    Rows that are alike in all of the constraint's properties keep the constraint from being made:
    the container cannot be opened (134110, with SQLite's "UNIQUE constraint failed" inside) for
    everybody who has two of them. A row with nil in one of the properties never collides. A double
    tap or a sync is enough to have made two. Say with `dedupe:` in the constraint which of several equal
    rows stays.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Entry:
          properties:
            habit: UUID
            date: Date
            updatedAt: Date
      === V2.yaml
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
      version: 1.0.0
      models:
        Entry:
          properties:
            habit: UUID
            date: Date
            updatedAt: Date
      === V2.yaml
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
