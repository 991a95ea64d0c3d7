internal import SchemaEvolution
internal import SchemaModel

struct RevivedName: LintRule {
  let rule = Rule.revivedName

  private static let arrivals: Set<ChangeKind> = [
    .modelAdded, .subclassAdded, .modelDerived, .modelRenamed, .optionalAttributeAdded,
    .defaultedAttributeAdded, .sharedDefault, .attributeFilled, .attributeConverted,
    .attributeRenamed, .relationshipAdded, .relationshipFilled, .relationshipLinked,
    .relationshipRenamed,
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    let arrivals = context.openSteps.map { step in
      (step: step, changes: step.changes.filter { Self.arrivals.contains($0.kind) })
    }
    let owners = Set(arrivals.flatMap { $0.changes.map(\.element.owner) })
    guard !owners.isEmpty else { return [] }
    let retired = retiredNames(context, of: owners)
    return arrivals.flatMap { step, changes in
      changes.compactMap { change in
        guard let last = retired[change.element],
          let number = last.last(where: { $0 < step.old.number })
        else { return nil }
        return Diagnostic(
          rule, "'\(change.element)' is a name that \(number.name) had and a later version dropped",
          element: change.element, at: change.location,
          help: [
            "choose a name that no version had",
            context.acceptance(id, change.element),
          ])
      }
    }
  }

  /// The given models and properties that were dropped, each with every version after which it was dropped.
  private func retiredNames(
    _ context: LintContext, of owners: Set<String>
  ) -> [ElementPath: [VersionNumber]] {
    var retired: [ElementPath: [VersionNumber]] = [:]
    for (before, after) in zip(context.history, context.history.dropFirst()) {
      let models = Dictionary(
        after.models.filter { owners.contains($0.name) }, keyedBy: \.name)
      for model in before.models where owners.contains(model.name) {
        let now = models[model.name]
        if now == nil { retired[ElementPath(model.name), default: []].append(before.number) }
        // Most models have the same properties as in the previous version.
        if let now, now.properties.elementsEqual(model.properties, by: Self.isSame) { continue }
        let names = Set(now?.properties.filter { !$0.isTransient }.map(\.name) ?? [])
        for property in model.properties
        where !property.isTransient && !names.contains(property.name) {
          retired[ElementPath(model.name, property.name), default: []].append(before.number)
        }
      }
    }
    return retired
  }

  private static func isSame(_ one: Property, _ other: Property) -> Bool {
    one.name == other.name && one.isTransient == other.isTransient
  }
}
