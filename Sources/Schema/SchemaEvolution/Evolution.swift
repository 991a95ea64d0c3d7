package import SchemaModel

/// Everything that follows from a history of versions: changes, bridges, stages, identities, converters, findings.
///
/// A value that `AnalysisPipeline` makes of values, complete whatever it found and whatever severity that is given.
package struct Evolution: Sendable {
  package let history: [SchemaVersion]
  package let shipped: ShippedVersions
  /// The author's code that runs before the migration to a version.
  package let hooks: [VersionNumber: HookCode]
  /// Enums that models of older versions store in place of today's.
  package let formers: [FormerEnum]
  /// What structs and enums without raw values were in columns of older versions.
  package let layouts: TypeLayouts
  package private(set) var configuration: Configuration
  /// One for each pair of consecutive versions.
  package let steps: [VersionStep]
  /// For each step, which model and property continues which.
  let pairings: [StepPairing]
  /// The versions that the framework sees, bridges included, in order.
  package let chain: [ChainVersion]
  /// For each version of the history, its place in `chain`.
  package let positions: [Int]
  /// The identity of each version of `chain`.
  package let identities: [StructuralIdentity]
  /// One stage for each pair of neighbours in `chain`.
  package let stages: [Stage]
  package let hazards: [SkipHazard]
  /// Whether every step can be carried out; without that, stages are no plan.
  package let isSound: Bool
  package let entities: [Entity]
  /// For each version of the history, its converters by model name.
  package let converters: [[String: Converter]]
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

  /// Every type that a version declares, as the newest of them has it, and copies of those that older ones store otherwise.
  package var types: [String: ValueTypeDeclaration] { layouts.history.newestTypes }

  /// The stages of a step, in order; none while a step cannot be carried out.
  package func stages(of step: VersionStep) -> [Stage] {
    isSound ? stages.filter { $0.step == step.from } : []
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

  /// How the plan gets over a step.
  package func kind(of step: VersionStep) -> StepKind {
    let stages = stages(of: step)
    if stages.isEmpty { return .unplanned(step.mechanism) }
    if step.plan.bridges > 0 { return .bridge }
    if stages.contains(where: \.isCustom) { return .custom }
    return stages.contains(where: \.isBarrier) ? .barrier : .lightweight
  }
}
