internal import SchemaEvolution
internal import SchemaModel

struct ReusedName: RulePage {
  let rule = Rule.reusedName
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step
  let foundIn = [
    "SchemaEvolution/Review/HistoryReview.swift",
    "SchemaEvolution/Review/StepReview+Hints.swift",
  ]

  let purpose = """
    The engine matches columns by name and by original name, and both may fit. When a name is
    retired and used again in the same step, or two properties come from one, it takes the wrong
    column or refuses the model, and values end up where they do not belong. Give the new property a
    name that no version had, or carry the values through a bridge with `from:` and `convert:`.
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
