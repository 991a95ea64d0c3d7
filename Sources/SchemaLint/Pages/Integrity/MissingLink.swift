internal import SchemaEvolution
internal import SchemaModel

struct MissingLink: RulePage {
  let rule = Rule.missingLink
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaEvolution/Converters/EntityBuilder.swift"]

  let purpose = """
    `inEntity: identifiers` puts the `id`s of a relationship's rows into the entity, and `inEntity: value` their
    entities. Where the model at the other end has no `id`, or no entity, the entity would be
    generated without the property, and `toEntity()` would leave the links out without a word. Give the model
    what is missing, or say `inEntity: omit`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          entity: Travel
          properties:
            id: UUID
            ‹days›: { relationship: "[Day]", inverse: trip, inEntity: identifiers }
        Day:
          properties:
            number: Int
            trip: { relationship: Trip? }
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
            id: UUID
            days: { relationship: "[Day]", inverse: trip, inEntity: identifiers }
        Day:
          properties:
            id: UUID
            number: Int
            trip: { relationship: Trip? }
      """)
  ]
}
