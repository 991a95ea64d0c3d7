internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel

struct OriginalNameChanged: ChangePage {
  let kind = ChangeKind.originalNameChanged
  let category = RuleCategory.dataLoss
  let foundIn = [
    "SchemaEvolution/Classification/Classifier.swift",
    "SchemaEvolution/Review/HistoryReview+OriginalNames.swift",
  ]

  let purpose = """
    `originalName` is the name by which the engine finds the column, in every store: also one of the
    version that had it, whose own model calls the column by that name. A later version that leaves
    it out, or says another one, drops the column and adds an empty one as soon as anything else
    makes a migration run: the values are gone on every path, or the container cannot be opened
    (134110). In a chain of renames only the first name counts. Keep it in every version from then on;
    where `renamedFrom:` is used, schemagen writes it.
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
