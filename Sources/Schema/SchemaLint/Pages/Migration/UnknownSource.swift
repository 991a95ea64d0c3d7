internal import SchemaEvolution
internal import SchemaModel

struct UnknownSource: RulePage {
  let rule = Rule.unknownSource
  let category = RuleCategory.migration
  let scope = RuleScope.step
  let foundIn = [
    "Schema/SchemaEvolution/Review/StepReview+Cases.swift",
    "Schema/SchemaEvolution/Review/StepReview+Hints.swift",
  ]

  let purpose = """
    `from:` and `renamedFrom:` name models and properties of the previous version. This name
    does not exist there, so nothing is copied, and the values that you meant are dropped with
    their column. Look the name up in the previous version's manifest, and write it as it was
    then.
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
            title: String
            heading: { type: String?, renamedFrom: ‹headline› }
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            heading: { type: String, renamedFrom: title }
      """)
  ]
}
