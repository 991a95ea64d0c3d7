package import SchemaModel

/// Everything that follows from a history of versions: changes, bridges, stages, identities, converters, findings.
///
/// `AnalysisPipeline` creates it. It is complete whatever was found, and whatever the severities.
package struct Evolution: Sendable {
  /// The versions in ascending order; the first has no step.
  package private(set) var versions: [EvolvedVersion]
  package let shipped: ShippedVersions
  /// The author's code that runs before the migration to a version.
  package let hooks: [VersionNumber: HookCode]
  /// Enums that models of older versions store instead of today's.
  package private(set) var formers: [FormerEnum]
  /// The layouts that structs and enums had in columns of older versions.
  package private(set) var layouts: TypeLayouts
  package private(set) var configuration: Configuration
  /// Whether every step can be carried out; if not, there are no stages.
  package let isSound: Bool
  package let entities: [Entity]
  /// The findings in no particular order, without accepted ones.
  package let diagnostics: [Diagnostic]
}

/// A version of a history, with what the whole history implies for it.
package struct EvolvedVersion: Sendable {
  package let declared: SchemaVersion
  /// The step that leads to it; nil for the first version.
  package fileprivate(set) var step: VersionStep?
  /// The version as the framework and stores know it.
  package let stored: ChainVersion
  package let identity: StructuralIdentity
  /// Its converters to and from the domain entities, by model name.
  package let converters: [String: Converter]
}

extension Evolution {
  /// The versions as their manifests have them.
  package var history: [SchemaVersion] { versions.map(\.declared) }

  /// How elements continue from version to version.
  package var graph: HistoryGraph { HistoryGraph(layouts, steps.map(\.pairing)) }

  /// One for each pair of consecutive versions.
  package var steps: [VersionStep] { versions.compactMap(\.step) }

  /// The versions that the framework sees, bridges included, in order.
  package var chain: [ChainVersion] {
    versions.flatMap { ($0.step?.bridges ?? []).map(\.version) + [$0.stored] }
  }

  package var newestStored: SchemaVersion {
    versions.last?.stored.schema ?? SchemaVersion(number: VersionNumber(0))
  }

  /// The identity of each version of `chain`.
  package var identities: [StructuralIdentity] {
    versions.flatMap { ($0.step?.bridges ?? []).map(\.identity) + [$0.identity] }
  }

  /// One stage for each pair of neighbours in `chain`; empty if a step cannot be carried out.
  package var stages: [Stage] { steps.flatMap(\.stages) }

  /// The evolution with all models generated, including the newest version's, as they will be once they are copies.
  package var frozen: Evolution {
    var evolution = self
    evolution.configuration.classes = nil
    return evolution
  }

  /// The names of retired versions, oldest first.
  package var retired: [String] {
    history.map(\.number).filter(configuration.isRetired).map(\.name)
  }

  /// The evolution without retired versions, which is generated and rehearsed. What retired versions determine in later
  /// ones, such as original names and hash modifiers, is kept.
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

  /// Every declared type in its newest form, and copies of types that older versions store differently.
  package var types: [String: ValueTypeDeclaration] { layouts.history.newestTypes }

  /// The findings in steps to and from the named versions.
  package func diagnostics(ofStepsAt names: Set<String>) -> [Diagnostic] {
    steps.filter { step in
      [step.old, step.new].contains { names.contains($0.number.name) }
    }.flatMap(\.diagnostics)
  }

  package func diagnostics(ofStepTo version: VersionNumber) -> [Diagnostic] {
    steps.first { $0.new.number == version }?.diagnostics ?? []
  }

  /// The enum whose models the app's code in a step uses: with a bridge, that code runs after the first part of the
  /// step.
  package func schemaOfUserCode(in step: VersionStep) -> String {
    step.bridges.first?.version.name ?? configuration.names.schema(step.old.number)
  }

  /// How the plan reaches a version, in a few words; empty for the first.
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
