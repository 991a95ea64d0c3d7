internal import SchemaEvolution
internal import SchemaModel

struct NullTrap: ChangePage {
  let kind = ChangeKind.nullTrap
  let category = RuleCategory.migration

  let purpose = """
    A Codable enum is stored in columns that are always optional and that the engine leaves NULL for
    the rows that are there, even where the declaration has a default. The store opens, the app
    launches, and the first read of such a row traps: seen in seven projects. Make the property
    optional, or say `fill:` so that a bridge version writes every old row. A type of which the
    manifest says only that it is `opaque` may be an enum, and is treated as one.
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
