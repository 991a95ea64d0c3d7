internal import SchemaEvolution
internal import SchemaModel

struct MissingFallback: RulePage {
  let rule = Rule.missingFallback
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaEvolution/Review/HistoryReview.swift"]

  let purpose = """
    JSON in a column can be empty, cut off, or written by a version that put another type there, and
    no migration checks it. Reading it then has to give something, in `toEntity()` and in the
    migration's own code, or trap on that one device. Say `fallback:`, or make the type optional and
    read nil.
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
