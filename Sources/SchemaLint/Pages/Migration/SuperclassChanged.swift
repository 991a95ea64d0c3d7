internal import SchemaEvolution

struct SuperclassChanged: ChangePage {
  let kind = ChangeKind.superclassChanged
  let category = RuleCategory.migration

  let purpose = """
    The superclass is part of an entity's identity, and rows of a subclass lie in its superclass's
    table. The engine infers a new parent above one model, a subclass that goes, and a property that
    moves up; two models that come under one parent it refuses (134140, with 134190 inside). What
    becomes of a property that moves down nobody has established, so no such step can be called safe.
    Keep the superclass, or add a model with the new one and carry the rows over with `from:`.
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
