internal import SchemaEvolution

struct RequiredStructAdded: ChangePage {
  let kind = ChangeKind.requiredStructAdded
  let category = RuleCategory.migration

  let purpose = """
    SwiftData stores each field of a Codable struct in a column of its own. If both the property
    and the field are required, the column must not be NULL. SwiftData keeps a default on the
    property, not on its columns, so old rows get none. An empty store migrates; with one row,
    Core Data throws 134110 and the container does not open. Make the property optional, or
    write `fill:`, so that a bridge version writes a value into each row.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      types:
        Place: { struct: { latitude: Double, longitude: Double } }
      models:
        Trip:
          properties:
            name: String
            ‹start›: { type: Place, default: 'Place(latitude: 0, longitude: 0)' }
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      types:
        Place: { struct: { latitude: Double, longitude: Double } }
      models:
        Trip:
          properties:
            name: String
            start: { type: Place, fill: 'Place(latitude: 0, longitude: 0)' }
      """),
    Example(
      """
      version: 2.0.0
      types:
        Place: { struct: { latitude: Double, longitude: Double } }
      models:
        Trip:
          properties:
            name: String
            start: Place?
      """),
  ]
}
