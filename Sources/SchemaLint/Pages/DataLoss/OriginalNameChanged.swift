internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel

struct OriginalNameChanged: ChangePage {
  let kind = ChangeKind.originalNameChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    `originalName` tells the engine under which name a store knows the property. A later version
    that leaves it out, or says another one, no longer matches stores from before the rename: for
    those who skipped a release the values are gone, or the container cannot be opened (134110).
    Keep the first shipped name in every version from then on.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            title: { type: String, originalName: name }
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            ‹title›: String
            notes: String?
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            title: { type: String, originalName: name }
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            title: { type: String, originalName: name }
            notes: String?
      """)
  ]

  let isFixable = true

  /// Puts the name of the version before back.
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

  /// What the version before says; nil where the property or its model had another name there.
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
