internal import SchemaEvolution

struct DestinationChanged: ChangePage {
  let kind = ChangeKind.destinationChanged
  let category = RuleCategory.migration

  let purpose = """
    A link is the number of a row in another model's table. The engine ignores the destination
    and copies the numbers, so they now lead to whatever rows of the other table have them.
    Nothing fails and nothing is reported; therefore you cannot accept this finding. Give the
    new relationship its own name, or write `from:` and `convert:` with a function that finds
    the new target for each old one.
    """

  let beginning = """
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
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            ‹guide›: { relationship: Agency?, inverse: trips }
        Person:
          properties:
            name: String
        Agency:
          properties:
            name: String
            trips: { relationship: "[Trip]" }
      drops:
        Person.trips: agencies send whom they like
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
            guide: { relationship: Person?, inverse: trips }
            agency: { relationship: Agency?, inverse: trips }
        Person:
          properties:
            name: String
            trips: { relationship: "[Trip]" }
        Agency:
          properties:
            name: String
            trips: { relationship: "[Trip]" }
      """)
  ]
}
