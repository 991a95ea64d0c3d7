internal import SchemaEvolution

struct ToOneToManyNewInverse: ChangePage {
  let kind = ChangeKind.toOneToManyNewInverse
  let category = RuleCategory.migration

  let purpose = """
    One link becomes the first of many only where the inverse was there before: the engine then moves
    the keys into the inverse's column or into a table of their own. With an inverse that is new in
    the same step it finds no links and says nothing: all of them are lost. Declare the inverse in a
    version of its own first, or name the relationship itself in `from:` with a function that says
    which rows belong to it.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            guide: { relationship: Person? }
        Person:
          properties:
            name: String
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            ‹guide›: { relationship: "[Person]", inverse: trips }
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
            guide: { relationship: Person?, inverse: trips }
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
            guide: { relationship: "[Person]", inverse: trips }
        Person:
          properties:
            name: String
            trips: { relationship: "[Trip]" }
      """),
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            guide: { relationship: Person? }
        Person:
          properties:
            name: String
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            guide:
              relationship: "[Person]"
              inverse: trips
              from: guide
              convert: { function: guides }
        Person:
          properties:
            name: String
            trips: { relationship: "[Trip]" }
      """),
  ]
}
