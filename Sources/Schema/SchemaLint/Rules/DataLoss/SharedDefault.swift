internal import SchemaEvolution
internal import SchemaModel

struct SharedDefault: RuleFix {
  let rule = ClassificationTable[.sharedDefault].rule

  /// Fixes identifiers only, since sharing an identifier is never intended. A date or a setting may be shared on
  /// purpose.
  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard let (model, property) = context.property(of: finding),
      let value = property.attribute?.defaultValue?.text, value == "UUID()",
      property.migration.isEmpty
    else { return nil }
    return context.adding(
      [("fill", value)], to: property, of: model, finding, "add 'fill: UUID()'")
  }
}
