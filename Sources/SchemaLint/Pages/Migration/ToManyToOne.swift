internal import SchemaEvolution

struct ToManyToOne: ChangePage {
  let kind = ChangeKind.toManyToOne
  let category = RuleCategory.migration

  let purpose = """
    Of several links one would have to be chosen, which the engine does not do: wherever a store of
    the version before lies, the container cannot be opened (134140, with 134190 inside). Name the
    relationship itself in `from:` and write the function that chooses, so that it is your code that
    says what becomes of the others.
    """

  let bad = [
    Example(
      """
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
