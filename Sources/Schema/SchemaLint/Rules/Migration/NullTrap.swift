internal import SchemaEvolution
internal import SchemaModel

struct NullTrap: RuleFix {
  let rule = ClassificationTable[.nullTrap].rule

  /// Uses the default as the fill, since the author wants old rows to have the default.
  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard let (model, property) = context.property(of: finding),
      let value = property.attribute?.defaultValue?.text, value != "nil", property.migration.isEmpty
    else { return nil }
    return context.adding(
      [("fill", value)], to: property, of: model, finding, "add 'fill: \(value)'")
  }
}
