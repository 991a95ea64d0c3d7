internal import SchemaEvolution

struct SuperclassChanged: ChangePage {
  let kind = ChangeKind.superclassChanged
  let category = RuleCategory.migration

  let purpose = """
    The superclass is part of an entity's identity, and rows of a subclass lie in its superclass's
    table. Nothing documents what the engine infers when a model gets another superclass or loses
    it, so no stage can be called safe. Keep the superclass, or add a model with the new one and
    carry the rows over with `from:`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
        BusinessTrip:
          inherits: Trip
          properties:
            client: String
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
        ‹BusinessTrip›:
          properties:
            client: String
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
        BusinessTrip:
          inherits: Trip
          properties:
            client: String
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
        BusinessTrip:
          inherits: Trip
          properties:
            client: String
            purpose: String?
      """)
  ]
}
