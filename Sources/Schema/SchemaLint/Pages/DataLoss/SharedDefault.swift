internal import SchemaEvolution
internal import SchemaModel

struct SharedDefault: ChangePage {
  let kind = ChangeKind.sharedDefault
  let category = RuleCategory.dataLoss

  let purpose = """
    The engine evaluates a default once for the whole migration. If the default is `Date()`,
    `UUID()` or a setting of the device, all old rows get one and the same value; only new
    objects get their own. Equal identifiers are the worst case: a search for one finds any of
    the rows. Write `fill:`, and a bridge version gives each row its own value. Or accept the
    finding and say why one value is right for all rows.
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
      models:
        Trip:
          properties:
            name: String
            ‹id›: UUID = UUID()
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
            id: { type: UUID, default: UUID(), fill: UUID() }
      """),
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            timeZone: String = TimeZone.current.identifier
      accept:
        - rule: shared-default
          element: Trip.timeZone
          reason: the device's time zone is right for every trip
      """),
  ]

  let isFixable = true

  /// Identifiers are what nobody means to share; of a date or a setting that cannot be said.
  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard let (model, property) = context.property(of: finding),
      let value = property.attribute?.defaultValue?.text, value == "UUID()",
      property.migration.isEmpty
    else { return nil }
    return context.adding(
      [("fill", value)], to: property, of: model, finding, "add 'fill: UUID()'")
  }
}
