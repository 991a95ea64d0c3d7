internal import SchemaEvolution
internal import SchemaModel

struct NoWayBack: RulePage {
  let rule = Rule.noWayBack
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaEvolution/Converters/ConverterBuilder.swift"]

  let purpose = """
    `fromEntity(_:)` of every older version makes a row of today's entity, so a required property
    that the entity no longer tells about has no value there: the initialiser could not be called,
    and the generated code would not compile. Say `revert:` in the step in which the values went, or
    under `drops:`. An app that never goes back leaves it out with `converters: toEntity`.
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
