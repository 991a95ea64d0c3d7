internal import SchemaEvolution

struct ToManyToOne: ChangePage {
  let kind = ChangeKind.toManyToOne
  let category = RuleCategory.migration

  let purpose = """
    The engine does not choose one of several links: on every device with a store of the
    previous version, the container does not open (134140, with 134190 inside). Name the
    relationship itself in `from:` and write a function that chooses one link. Your code then
    also decides what happens to the others.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
          guide: { relationship: "[Person]", inverse: trips }
      Person:
        properties:
          name: String
          trips: { relationship: "[Trip]" }
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
            ‹guide›: { relationship: Person?, inverse: trips }
        Person:
          properties:
            name: String
            trips: { relationship: "[Trip]" }
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
            guide:
              relationship: Person?
              inverse: trips
              from: guide
              convert: { function: leadingGuide }
        Person:
          properties:
            name: String
            trips: { relationship: "[Trip]" }
      """)
  ]
}
