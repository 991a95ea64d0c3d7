internal import SchemaEvolution
internal import SchemaModel

struct MissingFallback: RulePage {
  let rule = Rule.missingFallback
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaEvolution/Review/HistoryReview.swift"]

  let purpose = """
    JSON in a column can be empty, cut off, or of another type that an earlier version wrote
    there, and no migration checks it. Code that reads it, in `toEntity()` and in the migration,
    must then return a value or trap on that one device. Write `fallback:`, or make the type
    optional and read nil.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Habit:
          properties:
            ‹tags›: { type: Data, encodes: "[String]" }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Habit:
          properties:
            tags: { type: Data, encodes: "[String]", fallback: "[]" }
      """)
  ]
}
