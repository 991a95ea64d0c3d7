internal import SchemaEvolution

struct ToOneToManyNoInverse: ChangePage {
  let kind = ChangeKind.toOneToManyNoInverse
  let category = RuleCategory.migration

  let purpose = """
    SwiftData stores a to-many relationship without an inverse in a column of the rows at its
    other end, and the engine cannot move a link there. The migration raises the exception
    "Unsupported relationship migration", and the container does not open. Declare an inverse
    one version earlier, or name the relationship itself in `from:` with a function that finds
    its rows.
    """

  let beginning = """
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
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            ‹guide›: { relationship: "[Person]" }
        Person:
          properties:
            name: String
      accept:
        - { rule: missing-inverse, element: Trip.guide, reason: guides do not list their trips }
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
              relationship: "[Person]"
              from: guide
              convert: { function: guides }
        Person:
          properties:
            name: String
      accept:
        - { rule: missing-inverse, element: Trip.guide, reason: guides do not list their trips }
      """)
  ]
}
