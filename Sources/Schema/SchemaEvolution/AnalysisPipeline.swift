package import SchemaModel

/// Works out what follows from a history of versions, stage by stage.
///
/// Each step from one version to the next is paired, compared, classified, planned and reviewed. Then the whole: the
/// chain of versions that the framework sees, the converters, the identities, the stages.
package struct AnalysisPipeline: Sendable {
  private let manifests: [SchemaVersion]
  private let formers: [FormerEnum]
  /// As the manifests have it, with the cases of enums called as they are today.
  private let declared: [SchemaVersion]
  /// What structs and enums without raw values were in columns of older versions.
  package let layouts: TypeLayouts
  let configuration: Configuration
  private let shipped: ShippedVersions
  private let hooks: [VersionNumber: HookCode]

  /// - Parameters:
  ///   - history: Versions in ascending order, each resolved and free of errors of its own.
  ///   - hooks: The author's code that runs before the migration to a version, as far as it is there.
  package init(
    history: [SchemaVersion], configuration: Configuration = Configuration(),
    shipped: ShippedVersions = ShippedVersions(), hooks: [VersionNumber: HookCode] = [:]
  ) {
    self.shipped = shipped
    self.hooks = hooks
    let names = CaseNames(history)
    manifests = history
    formers = names.formers
    declared = names.history
    layouts = TypeLayouts(names.history)
    self.configuration = configuration
  }

  /// The same, with types whose parts have changed since called by the names of their copies.
  var history: [SchemaVersion] { layouts.history }

  package func run() -> Evolution {
    let pairings = pairings(history)
    let told = layouts.isEmpty ? pairings : self.pairings(declared)
    let steps = steps(pairings, told)
    let findings = steps.flatMap(\.diagnostics)
    // What rests on a broken step would only repeat its findings. An error that can be accepted breaks none, whatever
    // severity it is given, and neither does a loss that nobody has confirmed.
    let isSound = !findings.contains {
      $0.severity == .error && !$0.rule.isAcceptable && $0.rule != .unconfirmedDrop
    }
    let chain = chain(pairings, steps)
    let schemas = chain.versions.map(\.schema)
    let reader = IdentityReader(history)
    let unmarked = reader.identities(of: schemas)
    let conversions = conversions(pairings)
    let sequence = sequence(steps, chain, unmarked, isReviewed: isSound)
    let identified = sequence.identified
    let staging = sequence.staging
    let whole =
      isSound ? conversions.diagnostics + identified.diagnostics + sequence.diagnostics : []
    return Evolution(
      history: manifests, shipped: shipped, hooks: hooks, formers: formers,
      layouts: layouts, configuration: configuration,
      steps: steps,
      pairings: pairings,
      chain: identified.chain.versions, positions: identified.chain.positions,
      identities: identified.identities, stages: staging.stages, hazards: staging.hazards,
      isSound: isSound,
      entities: conversions.entities, converters: conversions.converters,
      diagnostics: findings + whole)
  }

  // MARK: Each step

  /// Which model and property of each version continues which of the one before.
  private func pairings(_ history: [SchemaVersion]) -> [StepPairing] {
    zip(history, history.dropFirst()).map { StepPairing(from: $0, to: $1) }
  }

  private func steps(_ pairings: [StepPairing], _ told: [StepPairing]) -> [VersionStep] {
    pairings.indices.map { step($0, told[$0], stored: pairings[$0]) }
  }

  /// What changes in one step, what that means, what becomes of rows, and what is to be said of it.
  ///
  /// - Parameter stored: The same pairing with the copies that models store.
  private func step(_ index: Int, _ pairing: StepPairing, stored: StepPairing) -> VersionStep {
    let differences = SchemaDiffer().differences(pairing)
    let changes = Classifier(pairing, configuration: configuration).changes(differences)
    let plan = StepPlanner(
      pairing: stored, changes: changes, formers: formers, layouts: layouts, index: index
    ).plan()
    let review = StepReview(
      pairing: pairing, changes: changes, configuration: configuration, layouts: layouts,
      shipped: shipped, isNewest: pairing.new.number == manifests.last?.number,
      hook: hooks[pairing.new.number])
    return VersionStep(
      stored, index: index, differences: differences, changes: changes, plan: plan,
      review: review)
  }

  // MARK: The whole

  /// The chain with its identities and stages, and what is to be said of it.
  ///
  /// - Parameter unmarked: The identities of the chain's versions as they are.
  private func sequence(
    _ steps: [VersionStep], _ chain: VersionChain, _ unmarked: [StructuralIdentity],
    isReviewed: Bool
  ) -> Sequenced {
    let identified = IdentityResolver(chain: chain, history: history, unmarked: unmarked).resolve()
    let staging = stages(identified.chain, steps)
    let found = isReviewed ? review(steps, identified.chain) : []
    return Sequenced(
      identified: identified, staging: staging,
      diagnostics: found
        + (isReviewed ? reusedNames(identified.chain, staging.stages) : []))
  }

  /// The versions that the framework sees, bridges included.
  private func chain(_ pairings: [StepPairing], _ steps: [VersionStep]) -> VersionChain {
    VersionChain(
      history: history, pairings: pairings, plans: steps.map(\.plan), names: configuration.names)
  }

  /// The domain entities, and the converters of every version.
  private func conversions(_ pairings: [StepPairing]) -> Conversions {
    let lineage = Lineage(layouts, pairings: pairings)
    let domain = EntityBuilder(lineage)
    let builder = ConverterBuilder(lineage, domain.entities, configuration.converters)
    return Conversions(
      entities: domain.entities, converters: builder.converters,
      diagnostics: domain.diagnostics + builder.diagnostics)
  }

  /// How the framework gets from each version of the chain to the next.
  private func stages(_ chain: VersionChain, _ steps: [VersionStep]) -> Staging {
    let ways = chain.ways(steps)
    let isCustom = ways.map(\.isCustom)
    let planner = StagePlanner(chain: chain.versions, isCustom: isCustom)
    let stages = ways.enumerated().map { position, way in
      Stage(
        from: position, to: position + 1, step: way.step, part: way.part, isCustom: way.isCustom,
        barrierReasons: planner.barriers.contains(position)
          ? planner.reasons(forStopAt: position) : [])
    }
    return Staging(stages: stages, hazards: planner.hazards)
  }

  /// What is to be said of the history as a whole.
  private func review(_ steps: [VersionStep], _ chain: VersionChain) -> [Diagnostic] {
    let review = HistoryReview(history: history)
    return review.missingFallbacks()
      + HistoryReview(history: manifests).revivedRawValues() + review.bridgesWithoutRoom(steps)
      + review.inferredInverses(chain.versions) + review.originalNames(chain)
  }

  /// Names that a store would mix up.
  private func reusedNames(_ chain: VersionChain, _ stages: [Stage]) -> [Diagnostic] {
    let review = HistoryReview(history: history)
    let shared = review.sharedNames(chain.versions)
    return shared.isEmpty ? review.reusedNames(chain.versions, stages) : shared
  }
}

/// The domain entities and what converts to them and back.
private struct Conversions {
  var entities: [Entity]
  var converters: [[String: Converter]]
  var diagnostics: [Diagnostic]
}

/// What the framework goes through, one version after another.
private struct Sequenced {
  var identified: IdentifiedChain
  var staging: Staging
  var diagnostics: [Diagnostic]
}

/// The stages of the plan, and why some of them are stops.
private struct Staging {
  var stages: [Stage]
  var hazards: [SkipHazard]
}
