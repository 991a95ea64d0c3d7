package import SchemaModel

/// Everything that follows from a history of versions: changes, bridges, stages, identities, converters, findings.
///
/// `AnalysisPipeline` creates the evolution, and always completely, whatever the findings and their severities are.
package struct Evolution: Sendable {
  /// The versions in ascending order. The first has no step.
  package private(set) var versions: [EvolvedVersion]
  package let shipped: ShippedVersions
  package let hooks: [VersionNumber: HookCode]
  /// Enums that models of older versions store instead of current ones.
  package private(set) var formers: [FormerEnum]
  package private(set) var layouts: TypeLayouts
  package private(set) var configuration: Configuration
  /// Whether every step can be carried out. If not, there are no stages.
  package let isSound: Bool
  package let entities: [Entity]
  /// The findings that are not accepted, in no particular order.
  package let diagnostics: [Diagnostic]
}

/// A version of a history, with what the whole history implies for it.
package struct EvolvedVersion: Sendable {
  package let declared: SchemaVersion
  package fileprivate(set) var step: VersionStep?
  package let stored: ChainVersion
  package let identity: StructuralIdentity
  package let converters: [String: Converter]
}

extension Evolution {
  package var history: [SchemaVersion] { versions.map(\.declared) }

  package var graph: HistoryGraph { HistoryGraph(layouts, steps.map(\.pairing)) }

  package var steps: [VersionStep] { versions.compactMap(\.step) }

  /// The versions that the framework sees, including bridges, in order.
  package var chain: [ChainVersion] {
    versions.flatMap { ($0.step?.bridges ?? []).map(\.version) + [$0.stored] }
  }

  package var newestStored: SchemaVersion {
    versions.last?.stored.schema ?? SchemaVersion(number: VersionNumber(0))
  }

  package var identities: [StructuralIdentity] {
    versions.flatMap { ($0.step?.bridges ?? []).map(\.identity) + [$0.identity] }
  }

  /// One stage for each pair of neighbours in `chain`; empty if a step cannot be carried out.
  package var stages: [Stage] { steps.flatMap(\.stages) }

  /// The evolution as it will be once the newest version's models are generated copies, too.
  package var frozen: Evolution {
    var evolution = self
    evolution.configuration.classes = nil
    return evolution
  }

  package var retired: [String] {
    history.map(\.number).filter(configuration.isRetired).map(\.name)
  }

  /// The evolution without retired versions, which is generated and rehearsed. Original names and hash modifiers that
  /// retired versions imply for later versions are kept.
  package var kept: Evolution {
    guard let first = history.firstIndex(where: { !configuration.isRetired($0.number) }), first > 0
    else { return self }
    var kept = self
    kept.versions.removeFirst(first)
    kept.versions[0].step = nil
    let oldest = kept.history[0].number
    for index in kept.versions.indices { kept.versions[index].step?.forgetVersions(before: oldest) }
    kept.formers.removeAll { $0.until <= oldest }
    kept.layouts = layouts.dropping(first)
    return kept
  }

  /// The newest declaration of every type, and copies of types that older versions store differently.
  package var types: [String: ValueTypeDeclaration] { layouts.history.newestTypes }

  package func diagnostics(ofStepsAt names: Set<String>) -> [Diagnostic] {
    steps.filter { step in
      [step.old, step.new].contains { names.contains($0.number.name) }
    }.flatMap(\.diagnostics)
  }

  package func diagnostics(ofStepTo version: VersionNumber) -> [Diagnostic] {
    steps.first { $0.new.number == version }?.diagnostics ?? []
  }

  /// The name of the enum whose models the app's code in a step uses. If the step has a bridge, that code runs after
  /// the first stage of the step.
  package func schemaOfUserCode(in step: VersionStep) -> String {
    step.bridges.first?.version.name ?? configuration.names.schema(step.old.number)
  }

  /// How the plan reaches a version, in a few words; empty for the first version.
  package func way(to index: Int) -> String {
    if configuration.isRetired(history[index].number) { return "retired" }
    guard let step = versions[index].step else { return "" }
    return configuration.isRetired(step.old.number)
      ? "the plan begins here" : kind(of: step).description
  }

  package func kind(of step: VersionStep) -> StepKind {
    if configuration.isRetired(step.old.number) { return .retired }
    if step.stages.isEmpty { return .unplanned(step.mechanism) }
    if !step.bridges.isEmpty { return .bridge }
    if step.stages.contains(where: \.isCustom) { return .custom }
    return step.stages.contains(where: \.isBarrier) ? .barrier : .lightweight
  }
}
