internal import SchemaEvolution
internal import SchemaModel

struct ConflictingEntity: RulePage {
  let rule = Rule.conflictingEntity
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaEvolution/Converters/EntityBuilder.swift"]

  let purpose = """
    A domain entity is made from one model and becomes one again. Where two models map to it,
    nothing says which one `fromEntity(_:)` makes; where it contains itself by way of its
    relationships, `toEntity()` never ends. Give the models entities of their own, and let one end
    of a relationship be `omit` or `identifiers`.
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
