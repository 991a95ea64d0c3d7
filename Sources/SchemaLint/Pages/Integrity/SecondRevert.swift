internal import SchemaEvolution
internal import SchemaModel

struct SecondRevert: RulePage {
  let rule = Rule.secondRevert
  let category = RuleCategory.integrity
  let scope = RuleScope.step
  let foundIn = ["SchemaEvolution/Review/StepReview+Hints.swift"]

  let purpose = """
    `fromEntity(_:)` of an older version makes each old property once. If a property was split, two
    new ones may each know a part of it; with a `revert:` at both, one of them would be left out
    without a word. Write one `revert:`, of both: `{ from: [city, country], convert: … }`, in which
    `$0` and `$1` are the new values.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          entity: Travel
          properties:
            place: String
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          entity: Travel
          properties:
            city: { type: String, from: place, convert: 'String($0.prefix(9))', revert: $0 }
            country: { type: String, from: place, convert: 'String($0.suffix(2))', revert: ‹$0› }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          entity: Travel
          properties:
            place: String
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          entity: Travel
          properties:
            city:
              type: String
              from: place
              convert: String($0.prefix(9))
              revert: { from: [city, country], convert: '$0 + ", " + $1' }
            country: { type: String, from: place, convert: String($0.suffix(2)) }
      """)
  ]
}
