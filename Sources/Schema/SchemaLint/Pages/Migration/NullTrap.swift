internal import SchemaEvolution
internal import SchemaModel

struct NullTrap: ChangePage {
  let kind = ChangeKind.nullTrap
  let category = RuleCategory.migration

  let purpose = """
    SwiftData stores a Codable enum in columns that are always optional. The engine leaves them
    NULL in existing rows, even if the declaration has a default. The store opens and the app
    launches, but the first read of such a row traps; seven projects have seen this. Make the
    property optional, or write `fill:`, so that a bridge version writes a value into every old
    row. A type that the manifest declares only as `opaque` may be an enum, and schemagen treats
    it as one.
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
        Status: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            ‹status›: Status = Status.planned
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
        Status: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            status: { type: Status, default: Status.planned, fill: Status.planned }
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
        Status: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            status: Status?
      """),
    // The engine drops the text and adds the enum.
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            status: String
      === V2.yaml
      version: 2.0.0
      types:
        Status: { enum: String, cases: [planned, done] }
      drops:
        Trip.status: it held free text that no case stands for
      models:
        Trip:
          properties:
            name: String
            status: { type: Status, default: Status.planned, fill: Status.planned }
      """),
  ]

  let isFixable = true

  /// The default is what the author meant old rows to hold.
  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard let (model, property) = context.property(of: finding),
      let value = property.attribute?.defaultValue?.text, value != "nil", property.migration.isEmpty
    else { return nil }
    return context.adding(
      [("fill", value)], to: property, of: model, finding, "add 'fill: \(value)'")
  }
}
