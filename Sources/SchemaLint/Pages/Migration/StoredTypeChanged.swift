internal import SchemaEvolution
internal import SchemaModel

struct StoredTypeChanged: RulePage {
  let rule = Rule.storedTypeChanged
  let category = RuleCategory.migration
  let scope = RuleScope.step
  let foundIn = ["SchemaEvolution/Review/StepReview+StoredTypes.swift"]

  let purpose = """
    A Codable struct that a model stores as it is becomes columns of its parts, and so does an enum without raw values.
    Types are declared once, as the newest version has them: a changed type changes the models of all older versions
    with it. Their parts are likely to enter the checksum, and then the framework no longer knows the stores that those
    versions wrote (134504): a crash at launch for everybody who upgrades. Leave the type as it was, declare the changed
    one under a new name, and convert; or store it as JSON with `encodes:`, which no checksum sees. A rehearsal cannot
    show this.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            price: Price?
      types:
        Price: { struct: { amount: Int } }
      === V2.yaml
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
      version: 1.0.0
      models:
        Trip:
          properties:
            price: Price?
      types:
        Price: { struct: { amount: Int } }
      === V2.yaml
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
