internal import SchemaEvolution
internal import SchemaModel

struct SharedDefault: ChangePage {
  let kind = ChangeKind.sharedDefault
  let category = RuleCategory.dataLoss

  let purpose = """
    The engine evaluates a default once for the whole migration. With `Date()`, `UUID()` or the
    device's settings as its default a new attribute has one and the same value in every old row;
    only objects that are made later get their own. Equal identifiers are the worst of it: whoever
    looks a row up by one finds any of them. Say `fill:` and each row is given a value of its own in
    a bridge version, or accept it with the reason why one value is right for all.
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
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            id: { type: UUID, default: UUID(), fill: UUID() }
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
