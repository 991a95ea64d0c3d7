internal import SchemaEvolution
internal import SchemaModel

struct BrokenExpectation: RulePage {
  let rule = Rule.brokenExpectation
  let category = RuleCategory.migration
  let scope = RuleScope.step
  let foundIn = ["Schema/SchemaEvolution/Review/StepReview+Expectations.swift"]

  let purpose = """
    `expect:` is held for every row. What it names has to be there: a model of this version, its
    properties behind `new`, those of the model that it was behind `old`. Only values with a
    column of their own can be compared: numbers, texts, dates, data, and enums by their raw
    values. Of relationships, say that there is one: `no Trip without owner`.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          price: Double
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            price: Double
            tags: "[String] = []"
      expect:
        - count(‹Trips›) is unchanged
      """),
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            price: Double
            tags: "[String] = []"
      expect:
        - Trip: ‹new.cost == old.price›
      """),
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            price: Double
            tags: "[String] = []"
      expect:
        - Trip: ‹new.tags.isEmpty›
      """),
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            cents: { type: Int, from: price, convert: 'Int(exactly: ($0 * 100).rounded()) ?? 0', revert: Double($0) / 100 }
      expect:
        - count(Trip) is unchanged
        - Trip: abs(Double(new.cents) - old.price * 100) < 1
      """)
  ]
}
