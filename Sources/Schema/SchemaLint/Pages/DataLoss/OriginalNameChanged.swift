internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel

struct OriginalNameChanged: ChangePage {
  let kind = ChangeKind.originalNameChanged
  let category = RuleCategory.dataLoss
  let foundIn = [
    "Schema/SchemaEvolution/Classification",
    "Schema/SchemaEvolution/Review/HistoryReview+OriginalNames.swift",
  ]

  let purpose = """
    The engine finds a column by its `originalName` in every store, even in one of the version
    that introduced the name: that version's own model also uses it. If a later version omits or
    changes it, the column is dropped and an empty one added as soon as anything else triggers a
    migration. On every path, either the values are gone or the container does not open
    (134110).

    In a chain of renames, only the first name counts. Keep it in every later version. If you
    use `renamedFrom:`, schemagen writes it for you.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          title: { type: String, originalName: name }
    === V2.yaml
    """

  let bad = [
    Example(
      """
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
