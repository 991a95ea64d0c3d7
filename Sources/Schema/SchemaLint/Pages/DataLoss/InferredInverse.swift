internal import SchemaEvolution
internal import SchemaModel

struct InferredInverse: RulePage {
  let rule = Rule.inferredInverse
  let category = RuleCategory.dataLoss
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaEvolution/Review/InferredInverses.swift"]

  let purpose = """
    If two models have one undeclared relationship to each other, the engine joins the two into
    a pair, unless one of them is mandatory. Nothing in Swift prevents it. Two relationships
    with different meanings then overwrite each other. If you add the second one later, existing
    links are lost. Write `inverse:`: between these two, or for each with a relationship of its
    own at the other end.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            days: { relationship: "[Day]" }
        Day:
          properties:
            date: Date
            ‹trip›: { relationship: Trip? }
      === schemagen.yaml
      rules:
        missing-inverse: off
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            days: { relationship: "[Day]", inverse: trip }
        Day:
          properties:
            date: Date
            trip: { relationship: Trip? }
      """)
  ]
}
