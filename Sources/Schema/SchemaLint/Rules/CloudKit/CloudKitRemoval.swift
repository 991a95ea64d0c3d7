internal import SchemaEvolution
internal import SchemaModel

struct CloudKitRemoval: LintRule {
  let rule = Rule.cloudKitRemoval

  private static let removals: Set<ChangeKind> = [
    .modelRemoved, .attributeRemoved, .relationshipRemoved, .storedToTransient,
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.openSteps.flatMap { step in
      let removals = step.changes.filter {
        Self.removals.contains($0.kind) && !context.localModels.contains($0.element.owner)
      }
      return removals.map { change in
        Diagnostic(
          rule, "'\(change.element)' is removed here, but stays in the cloud's schema for good",
          element: change.element, at: change.location,
          help: [
            "keep '\(change.element)', and stop using it",
            context.acceptance(id, change.element),
          ])
      } + moves(context, step, removed: Set(removals.map(\.element)))
    }
  }

  /// Names in the cloud that are removed because their values are copied to another name.
  private func moves(
    _ context: LintContext, _ step: VersionStep, removed: Set<ElementPath>
  ) -> [Diagnostic] {
    let (old, new) = context.cloudRecords(of: step)
    let kept = Dictionary(new.recordTypes, keyedBy: \.name)
    let fields = old.recordTypes.flatMap { type -> [ElementPath] in
      guard let now = kept[type.name] else { return [] }
      let names = Set(now.fields.map(\.name))
      return type.fields.compactMap { field in
        guard case .values(let properties) = field.role, !names.contains(field.name) else {
          return nil
        }
        return properties.first
      }
    }
    let links = old.links.subtracting(new.links).filter {
      kept[CloudRecords.cloudName($0.owner)] != nil
    }
    // Renames have a separate rule.
    let renamed = Set(
      step.changes.filter { $0.kind == .renamedUnderCloudKit }.compactMap { change in
        step.new.property(at: change.element)?.migration.renamedFrom.map {
          ElementPath(change.element.owner, $0.value)
        }
      })
    return (fields + links.sorted()).compactMap { element in
      guard !removed.contains(element), !renamed.contains(element) else { return nil }
      let version = step.new
      let heir = version.allProperties.first { _, property in
        property.migration.from.contains { $0.value == element.member }
      }
      let target = heir.map { ElementPath($0.model.name, $0.property.name) }
      return Diagnostic(
        rule,
        "'\(element)' \(target.map { "becomes '\($0)'" } ?? "is converted") here, but stays in the cloud under the old name: values that other devices wrote under that name, or that a new device downloads, are not moved",
        element: element, at: heir?.property.location ?? version.location,
        help: [
          "keep '\(element)' as it is, and add an optional property with another name, which the app fills",
          context.acceptance(id, element),
        ])
    }
  }
}
