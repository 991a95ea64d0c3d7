internal import SchemaEvolution
internal import SchemaModel

struct SecondRevert: RulePage {
  let rule = Rule.secondRevert
  let category = RuleCategory.integrity
  let scope = RuleScope.step
  let foundIn = ["Schema/SchemaEvolution/Review/StepReview+Hints.swift"]

  let purpose = """
    In an older version, `fromEntity(_:)` makes each old property once. If you split a property,
    each of the two new ones may know a part of it; with a `revert:` at both, one part would
    silently be lost. Write one `revert:` that takes both: `{ from: [city, country], convert: …
    }`, with the new values as `$0` and `$1`.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        entity: Travel
        properties:
          place: String
    === V2.yaml
    """

  let bad = [
    Example(
      """
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
