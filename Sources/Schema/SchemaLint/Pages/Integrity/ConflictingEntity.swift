internal import SchemaEvolution
internal import SchemaModel

struct ConflictingEntity: RulePage {
  let rule = Rule.conflictingEntity
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaEvolution/Converters/EntityBuilder.swift"]

  let purpose = """
    Converters make a domain entity from one model and a row of that model from the entity. If
    two models map to the same domain entity, `fromEntity(_:)` cannot know which one to make. If
    a domain entity contains itself through its relationships, `toEntity()` never ends. Give
    each model a domain entity of its own, and set `inEntity:` to `omit` or `identifiers` at one
    end of the relationship.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Tour:
          entity: Travel
          properties:
            name: String
        ‹Trip›:
          entity: Travel
          properties:
            name: String
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Tour:
          entity: GuidedTravel
          properties:
            name: String
        Trip:
          entity: Travel
          properties:
            name: String
      """)
  ]
}
