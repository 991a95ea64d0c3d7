internal import SchemaEvolution
internal import SchemaModel

struct ReusedName: RulePage {
  let rule = Rule.reusedName
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step
  let foundIn = [
    "Schema/SchemaEvolution/Review/HistoryReview.swift",
    "Schema/SchemaEvolution/Review/HistoryReview+OriginalNames.swift",
    "Schema/SchemaEvolution/Review/StepReview+Cases.swift",
    "Schema/SchemaEvolution/Review/StepReview+Hints.swift",
  ]

  let purpose = """
    The engine matches a column by its first name. If you reuse a name, or two properties come
    from the same one, both properties match the same column: both get the old values, and
    nothing fails. The next migration fails, whatever it changes: the engine cannot infer it
    (134140, with 134190 inside), and the store does not open. Give the new property a name that
    no version had, or copy the values through a bridge with `from:` and `convert:`.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          title: String
    === V2.yaml
    """

  let bad = [
    Example(
      """
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
      version: 2.0.0
      models:
        Trip:
          properties:
            name: { type: String, renamedFrom: title }
            subtitle: String?
      """)
  ]
}
