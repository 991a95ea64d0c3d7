internal import SchemaEvolution
internal import SchemaModel

struct NoWayBack: RulePage {
  let rule = Rule.noWayBack
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaEvolution/Converters/ConverterBuilder.swift"]

  let purpose = """
    In every older version, `fromEntity(_:)` makes a row from today's domain entity. This
    required property no longer has a value there, so the generated code would not compile.
    Write `revert:` in the step that removed the values, or under `drops:`. If your app never
    goes back, write `converters: toEntity`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          entity: Travel
          properties:
            name: String
            ‹code›: String
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          entity: Travel
          properties:
            name: String
      drops:
        Trip.code: replaced by the booking's number
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
            name: String
            code: String
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          entity: Travel
          properties:
            name: String
      drops:
        Trip.code: { reason: replaced by the booking's number, revert: '""' }
      """)
  ]
}
