internal import SchemaEvolution
internal import SchemaModel

struct UnknownSource: RulePage {
  let rule = Rule.unknownSource
  let category = RuleCategory.migration
  let scope = RuleScope.step
  let foundIn = [
    "SchemaEvolution/Review/StepReview+Cases.swift",
    "SchemaEvolution/Review/StepReview+Hints.swift",
  ]

  let purpose = """
    `from:` and `renamedFrom:` name what the version before has. A name that it does not have
    carries nothing over: the values that were meant stay in a column that goes. Look the name up in
    the manifest of the version before; models and properties are called there as they were then.
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
            title: String
            heading: { type: String?, renamedFrom: ‹headline› }
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
            heading: { type: String, renamedFrom: title }
      """)
  ]
}
