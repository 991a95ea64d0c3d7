internal import SchemaEvolution

struct RelationshipMadeExclusive: ChangePage {
  let kind = ChangeKind.relationshipMadeExclusive
  let category = RuleCategory.dataLoss

  let purpose = """
    If the other end can hold only one link, the links are stored in a column of the row at that
    end. If several rows led to it, only one of them still does after the migration, and no
    error says so. Give the relationship a to-many inverse, or accept the finding and say why no
    two rows lead to the same one.
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
            ‹guide›: { relationship: Person?, inverse: trip }
        Person:
          properties:
            name: String
            trip: { relationship: Trip? }
      drops:
        Person.trips: { reason: a guide leads one trip at a time, notCarriedTo: trip }
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
            guide: { relationship: Person?, inverse: tours }
        Person:
          properties:
            name: String
            tours: { relationship: "[Trip]", renamedFrom: trips }
      """)
  ]
}
