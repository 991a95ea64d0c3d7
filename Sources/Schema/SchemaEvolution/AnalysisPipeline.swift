package import SchemaModel

/// Analyses a history of versions.
///
/// Each step from one version to the next is paired, compared, classified, planned and reviewed. Then the history is
/// analysed as a whole: the chain of versions that the framework sees, the converters, the identities, the stages.
package struct AnalysisPipeline: Sendable {
  private let manifests: [SchemaVersion]
  private let formers: [FormerEnum]
  /// The manifests with enum cases under their current names. Changes are detected in these versions.
  private let declared: [SchemaVersion]
  package let layouts: TypeLayouts
  private let configuration: Configuration
  private let shipped: ShippedVersions
  private let hooks: [VersionNumber: HookCode]

  /// - Parameters:
  ///   - history: Versions in ascending order, each resolved and without errors.
  ///   - hooks: The author's code that runs before the migration to a version, by version.
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

  /// The declared versions as stores and generated code have them: changed types have the names of their copies.
  private var stored: [SchemaVersion] { layouts.history }

  package func run() -> Evolution {
    let storedPairings = pairings(stored)
    let declaredPairings = layouts.isEmpty ? storedPairings : pairings(declared)
    let steps = manifests.indices.dropLast().map {
      step($0, declared: declaredPairings[$0], stored: storedPairings[$0])
    }
    let findings = steps.flatMap(\.diagnostics)
    // Findings that depend on a broken step would only repeat the step's findings. An unconfirmed loss breaks no step,
    // and neither does an error that can be accepted.
    let isSound = !findings.contains {
      $0.severity == .error && !$0.rule.isAcceptable && $0.rule != .unconfirmedDrop
    }
    let plans = steps.map(\.plan)
    let chain = VersionChain(
      history: stored, pairings: storedPairings, plans: plans, names: configuration.names)
    let identified = IdentityResolver(chain, history: stored).resolve()
    let stages = isSound ? stages(identified.chain, plans) : []
    let graph = HistoryGraph(layouts, storedPairings)
    let domain = EntityBuilder(graph)
    let builder = ConverterBuilder(graph, domain.entities, configuration.converters)
    let whole =
      isSound
      ? domain.diagnostics + builder.diagnostics + identified.diagnostics
        + review(steps, identified.chain, stages) : []
    return Evolution(
      versions: versions(identified, steps, stages, builder.converters), shipped: shipped,
      hooks: hooks, formers: formers, layouts: layouts, configuration: configuration,
      isSound: isSound, entities: domain.entities, diagnostics: findings + whole)
  }

  // MARK: Each step

  private func pairings(_ history: [SchemaVersion]) -> [StepPairing] {
    zip(history, history.dropFirst()).map { StepPairing(from: $0, to: $1) }
  }

  private func step(_ index: Int, declared: StepPairing, stored: StepPairing) -> VersionStep {
    let differences = SchemaDiffer().differences(declared)
    let changes = Classifier(declared, configuration: configuration).changes(differences)
    let plan = StepPlanner(
      pairing: stored, changes: changes, formers: formers, layouts: layouts
    ).plan()
    let review = StepReview(
      pairing: declared, changes: changes, configuration: configuration, layouts: layouts,
      shipped: shipped, isNewest: declared.new.number == manifests.last?.number,
      hook: hooks[declared.new.number])
    return VersionStep(
      stored, from: manifests[index], to: manifests[index + 1], differences: differences,
      changes: changes, plan: plan, review: review)
  }

  // MARK: The whole

  private func stages(_ chain: VersionChain, _ plans: [StepPlan]) -> [Stage] {
    let ways = plans.flatMap(\.ways)
    let planner = StagePlanner(chain: chain.versions, isCustom: ways.map(\.isCustom))
    return ways.enumerated().map { position, way in
      Stage(
        from: chain.versions[position], to: chain.versions[position + 1], part: way.part,
        isCustom: way.isCustom,
        barrierReasons: planner.barriers.contains(position)
          ? planner.reasons(forStopAt: position) : [])
    }
  }

  private func review(
    _ steps: [VersionStep], _ chain: VersionChain, _ stages: [Stage]
  ) -> [Diagnostic] {
    let review = HistoryReview(history: stored)
    // If two properties share an original name, only that is reported, not which names are used again.
    let shared = review.sharedNames(chain.versions)
    return review.missingFallbacks() + review.nullReads(steps, shipped, configuration)
      + HistoryReview(history: manifests).revivedRawValues() + review.bridgesWithoutRoom(steps)
      + review.inferredInverses(chain.versions) + review.originalNames(chain)
      + (shared.isEmpty ? review.reusedNames(stages) : shared)
  }

  /// The versions of the history, each with its results.
  ///
  /// - Parameters:
  ///   - stages: One for each pair of neighbours in the chain, or none at all.
  ///   - converters: One dictionary for each version.
  private func versions(
    _ identified: IdentifiedChain, _ steps: [VersionStep], _ stages: [Stage],
    _ converters: [[String: Converter]]
  ) -> [EvolvedVersion] {
    var versions: [EvolvedVersion] = []
    var bridges: [VersionStep.Bridge] = []
    for (position, version) in identified.chain.versions.enumerated() {
      let identity = identified.identities[position]
      if version.isBridge {
        bridges.append(VersionStep.Bridge(version: version, identity: identity))
        continue
      }
      let index = versions.count
      var step = index == 0 ? nil : steps[index - 1]
      step?.bridges = bridges
      if !stages.isEmpty, index > 0 {
        step?.stages = Array(stages[(position - bridges.count - 1)..<position])
      }
      bridges = []
      versions.append(
        EvolvedVersion(
          declared: manifests[index], step: step, stored: version, identity: identity,
          converters: converters[index]))
    }
    return versions
  }
}
