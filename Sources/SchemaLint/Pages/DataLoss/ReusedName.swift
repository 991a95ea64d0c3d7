internal import SchemaEvolution
internal import SchemaModel

struct ReusedName: RulePage {
  let rule = Rule.reusedName
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step
  let foundIn = [
    "SchemaEvolution/Review/HistoryReview.swift",
    "SchemaEvolution/Review/HistoryReview+OriginalNames.swift",
    "SchemaEvolution/Review/StepReview+Cases.swift",
    "SchemaEvolution/Review/StepReview+Hints.swift",
  ]

  let purpose = """
    The engine matches a column by its first name. When a name is retired and used again, or two
    properties come from one, it finds the column for both: both take the old values, and nothing
    fails. The next migration does, whatever it changes: a version in which two properties go back to
    one name cannot be inferred from (134140, with 134190 inside), and its stores cannot be opened.
    Give the new property a name that no version had, or carry the values through a bridge with
    `from:` and `convert:`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            title: String
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: { type: String, renamedFrom: ‹title› }
            title: String?
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            title: String
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: { type: String, renamedFrom: title }
            subtitle: String?
      """)
  ]
}
