internal import SchemaEvolution
internal import SchemaModel

struct MissingLink: RulePage {
  let rule = Rule.missingLink
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaEvolution/Converters/EntityBuilder.swift"]

  let purpose = """
    `inEntity: identifiers` puts the `id`s of the linked rows into the domain entity, and
    `inEntity: value` puts their domain entities there. If the model at the other end has no
    `id`, or no domain entity, schemagen would have to leave out the property, and `toEntity()`
    would silently lose the links. Give that model an `id` or a domain entity, or write
    `inEntity: omit`.
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
