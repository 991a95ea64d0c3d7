internal import SchemaEvolution

struct SuperclassChanged: ChangePage {
  let kind = ChangeKind.superclassChanged
  let category = RuleCategory.migration

  let purpose = """
    The superclass is part of an entity's identity, and the rows of a subclass are in its
    superclass's table. The engine can infer a new parent above one model, a removed subclass,
    and a property that moves up. It refuses two models under one new parent (134140, with
    134190 inside). Nobody has established what it does with a property that moves down, so no
    such step is known to be safe. Keep the superclass, or add a model with the new one and copy
    the rows with `from:`.
    """

  let beginning = """
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
    """

  let bad = [
    Example(
      """
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
