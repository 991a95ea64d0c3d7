internal import SchemaEvolution
internal import SchemaModel

struct CloudKitRemoval: LintRule {
  let rule = Rule(
    "cloudkit-removal", .warning, "A cloud schema loses nothing",
    basis: .fact(.migration, "cloudkit-additive-only", .certain), isAcceptable: true)
  let category = RuleCategory.cloudKit
  let scope = RuleScope.step

  let purpose = """
    CloudKit's production schema only grows. A field or record type that a version removes stays
    there, and has to stay in every schema that somebody imports (`schemagen cloud schema
    --into` keeps it). Devices with an older app still read and write it, but no longer get its
    values from this version. That holds for a name whose values are copied to a new one with
    `from:` as well: a migration copies what this device has, and not what other devices wrote
    under the old name, or what a device gets that installs the app anew. Leave the property, add
    an optional one, and let the app fill it. Or accept the finding with a reason once no older
    app is in use.
    """

  let beginning = """
    version: 1.0.0
    models:
      Entry:
        properties:
          units: String = ""
          legacy: String?
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      drops:
        Entry.legacy: never shown
      models:
        ‹Entry›:
          properties:
            units: String = ""
      === schemagen.yaml
      cloudKit: private
      """),
    Example(
      """
      version: 2.0.0
      accept:
        - { rule: cloudkit-custom-stage, element: V2, reason: tried with the container }
      models:
        Entry:
          properties:
            units: String = ""
            ‹remark›: { type: String?, from: legacy, convert: $0 }
      === schemagen.yaml
      cloudKit: private
      """),
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Entry:
          properties:
            units: String = ""
            legacy: String?
            note: String?
      === schemagen.yaml
      cloudKit: private
      """)
  ]

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
          rule, "'\(change.element)' is removed here, and stays in the cloud's schema for good",
          element: change.element, at: change.location,
          help: [
            "leave it, and stop using it",
            context.acceptance(id, change.element),
          ])
      } + moves(context, step, removed: Set(removals.map(\.element)))
    }
  }

  /// Names in the cloud that go because their values are copied to another one.
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
    // A rename is refused by itself.
    let renamed = Set(
      step.changes.filter { $0.kind == .renamedUnderCloudKit }.compactMap { change in
        context.history[step.to].property(at: change.element)?.migration.renamedFrom.map {
          ElementPath(change.element.owner, $0.value)
        }
      })
    return (fields + links.sorted()).compactMap { element in
      guard !removed.contains(element), !renamed.contains(element) else { return nil }
      let version = context.history[step.to]
      let heir = version.allProperties.first { _, property in
        property.migration.from.contains { $0.value == element.member }
      }
      let target = heir.map { ElementPath($0.model.name, $0.property.name) }
      return Diagnostic(
        rule,
        "'\(element)' \(target.map { "goes to '\($0)'" } ?? "goes") here, and stays in the cloud under the old name: what other devices wrote there, and what a new device gets, does not come along",
        element: element, at: heir?.property.location ?? version.location,
        help: [
          "keep '\(element)' as it is, add an optional property of another name, and let the app fill it",
          context.acceptance(id, element),
        ])
    }
  }
}
