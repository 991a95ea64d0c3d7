internal import SchemaEvolution
internal import SchemaModel

struct InferredInverse: RulePage {
  let rule = Rule.inferredInverse
  let category = RuleCategory.dataLoss
  let scope = RuleScope.history
  let foundIn = ["SchemaEvolution/Review/InferredInverses.swift"]

  let purpose = """
    Between two models the framework joins one undeclared relationship each way into a pair, unless
    one of them is mandatory, and nothing in Swift says that it must not. Links of the one then
    stand in the other: two relationships that mean different things overwrite each other, and where
    one is added later, links that were there are lost. Say `inverse:`, for these two or for each
    with an end of its own.
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
