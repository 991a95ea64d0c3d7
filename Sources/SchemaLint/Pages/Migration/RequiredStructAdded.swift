internal import SchemaEvolution

struct RequiredStructAdded: ChangePage {
  let kind = ChangeKind.requiredStructAdded
  let category = RuleCategory.migration

  let purpose = """
    The fields of a Codable struct are columns of their own, and a required field of a required
    property is a column that must not be NULL. SwiftData keeps a default on the property, not on its
    columns, so old rows get none: where one row exists, Core Data throws 134110 and the container
    cannot be opened, while an empty store migrates. Make the property optional, or say `fill:` so that
    a bridge version writes each row.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === V2.yaml
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
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === V2.yaml
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
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === V2.yaml
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
