internal import SchemaEvolution

struct ToOneToManyNewInverse: ChangePage {
  let kind = ChangeKind.toOneToManyNewInverse
  let category = RuleCategory.migration

  let purpose = """
    If the inverse existed before, one link becomes the first of many: the engine moves the keys
    into the inverse's column or into a table of their own. If the inverse is new in the same
    step, the engine finds no links and reports nothing: all of them are lost. Declare the
    inverse one version earlier, or name the relationship itself in `from:` with a function that
    finds its rows.
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
