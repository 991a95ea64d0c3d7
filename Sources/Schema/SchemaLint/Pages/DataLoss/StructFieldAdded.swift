internal import SchemaEvolution

struct StructFieldAdded: ChangePage {
  let kind = ChangeKind.structFieldAdded
  let category = RuleCategory.dataLoss

  let purpose = """
    SwiftData stores each field of a Codable struct in a column of its own. If a required
    property holds the struct, the column of a required field must not be NULL, and no default
    reaches it. With a single old row, Core Data throws 134110 and the container does not open.
    Make the new field optional, or declare the changed struct under another name and convert
    the values.
    """

  let beginning = """
    version: 1.0.0
    types:
      Place: { struct: { latitude: Double, longitude: Double } }
    models:
      Day:
        properties:
          date: Date
          place: Place
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      types:
        Place: { struct: { latitude: Double, longitude: Double, ‹altitude›: Double = 0 } }
      models:
        Day:
          properties:
            date: Date
            place: Place
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      types:
        Place: { struct: { latitude: Double, longitude: Double, altitude: Double? } }
      models:
        Day:
          properties:
            date: Date
            place: Place
      """)
  ]
}
