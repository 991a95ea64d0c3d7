package import SchemaModel

/// Everything that follows from a history of versions: changes, bridges, stages, identities, converters, findings.
///
/// A value that `AnalysisPipeline` makes of values, complete whatever it found and whatever severity that is given.
package struct Evolution: Sendable {
  package private(set) var history: [SchemaVersion]
  package let shipped: ShippedVersions
  /// The author's code that runs before the migration to a version.
  package let hooks: [VersionNumber: HookCode]
  /// Enums that models of older versions store in place of today's.
  package private(set) var formers: [FormerEnum]
  /// What structs and enums without raw values were in columns of older versions.
  package private(set) var layouts: TypeLayouts
  package private(set) var configuration: Configuration
  /// One for each pair of consecutive versions.
  package private(set) var steps: [VersionStep]
  /// For each step, which model and property continues which.
  private(set) var pairings: [StepPairing]
  /// The versions that the framework sees, bridges included, in order.
  package private(set) var chain: [ChainVersion]
  /// For each version of the history, its place in `chain`.
  package private(set) var positions: [Int]
  /// The identity of each version of `chain`.
  package private(set) var identities: [StructuralIdentity]
  /// One stage for each pair of neighbours in `chain`.
  package private(set) var stages: [Stage]
  package private(set) var hazards: [SkipHazard]
  /// Whether every step can be carried out; without that, stages are no plan.
  package let isSound: Bool
  package let entities: [Entity]
  /// For each version of the history, its converters by model name.
  package private(set) var converters: [[String: Converter]]
  /// In no particular order; what was accepted is left out.
  package let diagnostics: [Diagnostic]
}

extension Evolution {
  /// The same with all models generated: the newest version's as they will be once they are copies.
  package var frozen: Evolution {
    var evolution = self
    evolution.configuration.classes = nil
    return evolution
  }

  /// The names of the versions that have left the plan, the oldest first.
  package var retired: [String] {
    history.map(\.number).filter(configuration.isRetired).map(\.name)
  }

  /// The same without the versions that have left the plan: what is generated and rehearsed. All that older versions
  /// decide about newer ones, such as original names and hash modifiers, stays decided.
  package var kept: Evolution {
    guard let first = history.firstIndex(where: { !configuration.isRetired($0.number) }), first > 0
    else { return self }
    let offset = positions[first]
    var kept = self
    kept.history.removeFirst(first)
    kept.formers.removeAll { $0.until <= kept.history[0].number }
    kept.layouts = layouts.dropping(first)
    kept.steps = steps.dropFirst(first).map { $0.shifted(by: first) }
    kept.pairings.removeFirst(first)
    kept.chain = chain.dropFirst(offset).map { $0.shifted(by: first) }
    kept.positions = positions.dropFirst(first).map { $0 - offset }
    kept.identities.removeFirst(offset)
    kept.stages = stages.filter { $0.from >= offset }.map { stage in
      var stage = stage
      stage.from -= offset
      stage.to -= offset
      stage.step -= first
      stage.barrierReasons = Self.shifted(stage.barrierReasons, by: offset)
      return stage
    }
    kept.hazards = Self.shifted(hazards, by: offset)
    kept.converters.removeFirst(first)
    return kept
  }

  /// Hazards by their places in a chain without so many of the first versions; those that begin there are none.
  private static func shifted(_ hazards: [SkipHazard], by offset: Int) -> [SkipHazard] {
    hazards.filter { $0.from >= offset }.map { hazard in
      var hazard = hazard
      hazard.from -= offset
      hazard.to -= offset
      return hazard
    }
  }

  /// Every type that a version declares, as the newest of them has it, and copies of those that older ones store otherwise.
  package var types: [String: ValueTypeDeclaration] { layouts.history.newestTypes }

  /// The stages of a step, in order; none while a step cannot be carried out.
  package func stages(of step: VersionStep) -> [Stage] {
    isSound ? stages.filter { $0.step == step.from } : []
  }

  /// The models of a step's older version whose rows become those of a model of the newer one.
  package func origins(of model: Model, in step: VersionStep) -> [Model] {
    pairings[step.from].origins(of: model)
  }

  /// What a property that only goes on was called before a step; nil where it is new, or made of others. Inherited
  /// properties are looked up where they are declared.
  package func former(of property: String, in model: Model, _ step: VersionStep) -> String? {
    let pairing = pairings[step.from]
    let lineage = [model] + model.ancestors { pairing.newModels[$0] }
    guard
      let owner = lineage.first(where: { $0.properties.contains { $0.name == property } }),
      pairing.origins(of: owner).count == 1, let pair = pairing.pairs(of: owner).first
    else { return nil }
    return pair.properties.continued.first { $0.new.name == property }?.old.name
  }

  /// What was found in the steps to and from versions, by their names.
  package func diagnostics(ofStepsAt versions: Set<String>) -> [Diagnostic] {
    steps.filter { step in
      [step.from, step.to].contains { versions.contains(history[$0].number.name) }
    }.flatMap(\.diagnostics)
  }

  /// What was found in the step that leads to a version.
  package func diagnostics(ofStepTo version: VersionNumber) -> [Diagnostic] {
    steps.first { history[$0.to].number == version }?.diagnostics ?? []
  }

  /// The version whose models the app's code of a step finds: the first half of a step with a bridge has been taken when
  /// that code runs.
  package func rowsOfUserCode(in step: VersionStep) -> ChainVersion {
    let position = positions[step.from]
    return chain[step.plan.bridges > 0 ? position + 1 : position]
  }

  /// How the plan comes to a version, in a few words; empty for the first.
  package func way(to index: Int) -> String {
    if configuration.isRetired(history[index].number) { return "retired" }
    guard index > 0 else { return "" }
    return configuration.isRetired(history[index - 1].number)
      ? "the plan begins here" : kind(of: steps[index - 1]).description
  }

  /// How the plan gets over a step.
  package func kind(of step: VersionStep) -> StepKind {
    if configuration.isRetired(history[step.from].number) { return .retired }
    let stages = stages(of: step)
    if stages.isEmpty { return .unplanned(step.mechanism) }
    if step.plan.bridges > 0 { return .bridge }
    if stages.contains(where: \.isCustom) { return .custom }
    return stages.contains(where: \.isBarrier) ? .barrier : .lightweight
  }
}
