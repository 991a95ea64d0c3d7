internal import SchemaEvolution
internal import SchemaModel

struct StoredTypeChanged: RulePage {
  let rule = Rule.storedTypeChanged
  let category = RuleCategory.migration
  let scope = RuleScope.step
  let foundIn = ["Schema/SchemaEvolution/Review/StepReview+StoredTypes.swift"]

  let purpose = """
    If a model stores a Codable struct, or an enum without raw values, the parts of that type
    become columns. Types are declared once, as the newest version has them, so a changed type
    also changes the models of all older versions. Its parts are likely to enter the checksum.
    The engine then no longer knows the stores of those versions (134504): the app crashes at
    launch for every user who upgrades. A rehearsal cannot show this.

    Leave the type as it was, declare the changed one under a new name, and convert the values.
    Or store it as JSON with `encodes:`, which no checksum includes.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          price: Price?
    types:
      Price: { struct: { amount: Int } }
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            price: Price?
      types:
        ‹Price›: { struct: { amount: Int, currency: String? } }
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            fare:
              type: Fare?
              from: price
              convert: '$0.map { price in Fare(amount: price.amount, currency: nil) }'
              revert: '$0.map { fare in Price(amount: fare.amount) }'
      types:
        Fare: { struct: { amount: Int, currency: String? } }
      """)
  ]
}
