internal import SchemaEvolution
internal import SchemaModel

struct Unorderable: RulePage {
  let rule = Rule.unorderable
  let category = RuleCategory.migration
  let scope = RuleScope.step
  let foundIn = ["Schema/SchemaEvolution/Review/StepReview+Dedupes.swift"]

  let purpose = """
    `latest` and `earliest` compare values to choose which of several equal rows stays.
    Identifiers, Booleans, Data and value types have no meaningful order, and code that compares
    them would not compile. Name a date, a number or a text, or choose the row in a function of
    your own.
    """

  let beginning = """
    version: 1.0.0
    models:
      Habit:
        properties:
          id: UUID
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
            id: UUID
            ‹code›: { type: Int, unique: true, dedupe: { latest: id } }
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
            id: UUID
            code: { type: Int, unique: true, dedupe: { latest: updatedAt } }
            updatedAt: Date
      """)
  ]
}
