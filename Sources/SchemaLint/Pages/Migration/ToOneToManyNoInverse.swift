internal import SchemaEvolution

struct ToOneToManyNoInverse: ChangePage {
  let kind = ChangeKind.toOneToManyNoInverse
  let category = RuleCategory.migration

  let purpose = """
    A to-many relationship without an inverse is a column of the rows at its other end, and the engine
    cannot move a link there: the migration ends with the exception "Unsupported relationship
    migration", and the container cannot be opened. Declare an inverse in a version of its own first,
    or name the relationship itself in `from:` with a function that says which rows belong to it.
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
