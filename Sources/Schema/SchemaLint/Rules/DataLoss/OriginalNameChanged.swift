internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel

struct OriginalNameChanged: RuleFix {
  let rule = ClassificationTable[.originalNameChanged].rule

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard let (model, property) = context.property(of: finding),
      let name = Self.shippedName(of: property, in: model, finding, context.context)
    else { return nil }
    let title = "keep 'originalName: \(name)'"
    guard property.originalName != nil else {
      return context.adding([("originalName", name)], to: property, of: model, finding, title)
    }
    let path = YAMLPath(keys: ["models", model, "properties", property.name, "originalName"])
    return context.replacement(of: path, with: name, finding, title)
  }

  /// The original name in the previous version; nil if the property or its model had another name there.
  private static func shippedName(
    of property: Property, in model: String, _ finding: Diagnostic, _ context: LintContext?
  ) -> String? {
    guard let history = context?.history, property.migration.isEmpty,
      let index = history.firstIndex(where: { $0.location?.file == finding.location?.file }),
      index > 0
    else { return nil }
    let old = history[index - 1].model(named: model)?.property(named: property.name)
    return old?.originalName
  }
}
