package import SchemaDiagnostics
package import SchemaModel

/// Everything that follows from a history of versions: changes, bridges, stages, identities, converters, findings.
///
/// A value, made once from values; it reads and writes nothing.
package struct Evolution: Sendable {
  package let history: [SchemaVersion]
  package let configuration: Configuration
  /// One for each pair of consecutive versions.
  package let hops: [Hop]
  /// For each step, which model and property continues which.
  let pairings: [HopPairing]
  /// The versions that the framework sees, bridges included, in order.
  package let chain: [PhysicalVersion]
  /// For each version of the history, its place in `chain`.
  package let positions: [Int]
  /// The identity of each version of `chain`.
  package let identities: [StructuralIdentity]
  /// One stage for each pair of neighbours in `chain`.
  package let stages: [Stage]
  package let hazards: [SkipHazard]
  package let entities: [Entity]
  /// For each version of the history, its converters by model name.
  package let converters: [[String: Converter]]
  /// In no particular order; what was accepted is left out.
  package let diagnostics: [Diagnostic]

  /// - Parameter history: Versions in ascending order, each resolved and free of errors of its own.
  package init(history: [SchemaVersion], configuration: Configuration = Configuration()) {
    self.history = history
    self.configuration = configuration
    let pairings = concurrentMap(max(0, history.count - 1)) { index in
      HopPairing(from: history[index], to: history[index + 1])
    }
    let hops = concurrentMap(pairings.count) { index in
      Hop(pairings[index], index: index, configuration: configuration)
    }
    self.pairings = pairings
    var diagnostics = hops.flatMap(\.diagnostics)
    var chain = PhysicalChain(
      history: history, pairings: pairings, plans: hops.map(\.plan), names: configuration.names)
    let lineage = Lineage(history: history, pairings: pairings)
    let domain = EntityBuilder(lineage)
    let conversion = ConverterBuilder(lineage, domain.entities, configuration.converters)
    // Findings that rest on a broken step would only repeat it.
    let isSound = !diagnostics.hasErrors
    var identities: [StructuralIdentity] = []
    if isSound {
      diagnostics += domain.diagnostics + conversion.diagnostics
      diagnostics += Self.missingFallbacks(history)
      diagnostics += Self.bridgesWithoutRoom(hops, history)
      diagnostics += Self.inferredInverses(chain.versions, history)
      let resolver = IdentityResolver(chain: chain, history: history)
      let resolved = resolver.resolve()
      chain = resolved.chain
      identities = resolved.identities
      diagnostics += resolved.diagnostics
    }
    self.chain = chain.versions
    positions = chain.positions
    self.identities = identities
    let isCustom = Self.customStages(chain, hops)
    let planner = StagePlanner(chain: isSound ? chain.versions : [], isCustom: isCustom)
    hazards = planner.hazards
    stages = isSound ? Self.stages(chain, hops, isCustom, planner) : []
    self.hops = hops
    entities = domain.entities
    converters = conversion.converters
    if isSound { diagnostics += Self.reused(chain, stages, history) }
    self.diagnostics = diagnostics
  }

  // MARK: Stages

  /// The stages of a step, in order; none while there are errors.
  package func stages(of hop: Hop) -> [Stage] { stages.filter { $0.hop == hop.from } }

  /// How the plan gets over a step, in a few words; where there is no plan, its gravest change's mechanism.
  package func way(over hop: Hop) -> String {
    let stages = stages(of: hop)
    if stages.isEmpty { return hop.mechanism.rawValue }
    if hop.plan.bridges > 0 { return "custom, through a bridge" }
    if stages.contains(where: \.isCustom) { return "custom" }
    return stages.contains(where: \.isStop) ? "lightweight, as a stop" : "lightweight"
  }

  private static func customStages(_ chain: PhysicalChain, _ hops: [Hop]) -> [Bool] {
    guard chain.versions.count > 1 else { return [] }
    return (0..<chain.versions.count - 1).map { position in
      kind(of: position, chain, hops).isCustom
    }
  }

  /// The hop that a stage is part of, and what part.
  private static func kind(
    of position: Int, _ chain: PhysicalChain, _ hops: [Hop]
  ) -> (hop: Int, part: Stage.Part, isCustom: Bool) {
    let from = chain.versions[position].role
    let to = chain.versions[position + 1].role
    switch (from, to) {
    case (.version, .bridge(let index, _)): return (index - 1, .expand, false)
    case (.bridge, .bridge(let index, _)): return (index - 1, .contract, true)
    case (.bridge(_, let step), .version(let index)):
      if step == 1 { return (index - 1, .contract, true) }
      return (index - 1, .rename, hops[index - 1].plan.hooks.after)
    case (.version, .version(let index)):
      return (index - 1, .whole, hops[index - 1].plan.isCustom)
    }
  }

  private static func stages(
    _ chain: PhysicalChain, _ hops: [Hop], _ isCustom: [Bool], _ planner: StagePlanner
  ) -> [Stage] {
    isCustom.indices.map { position in
      let (hop, part, custom) = kind(of: position, chain, hops)
      let isStop = planner.stops.contains(position)
      return Stage(
        from: position, to: position + 1, hop: hop, part: part,
        isCustom: custom, stopReasons: isStop ? planner.reasons(forStopAt: position) : [])
    }
  }

  // MARK: Findings about the whole

  private static func missingFallbacks(_ history: [SchemaVersion]) -> [Diagnostic] {
    history.flatMap { version in
      version.models.flatMap { model in
        model.properties.compactMap { property -> Diagnostic? in
          guard let attribute = property.attribute, let encodes = attribute.encodes,
            attribute.fallback == nil, !attribute.valueType.isOptional
          else { return nil }
          return Diagnostic(
            .missingFallback,
            "nothing stands in for JSON of '\(model.name).\(property.name)' that cannot be read",
            element: ElementPath(model.name, property.name), at: property.location,
            help: [
              "say what reading gives then: "
                + ManifestEdit.property(property, adding: [("fallback", "…")]),
              "or let it be nil: encodes: \(encodes.optionalized), with an optional type",
            ])
        }
      }
    }
  }

  /// Of what a version has too, its bridges do not speak again.
  private static func inferredInverses(
    _ chain: [PhysicalVersion], _ history: [SchemaVersion]
  ) -> [Diagnostic] {
    let own = chain.filter { !$0.isBridge }.flatMap {
      InferredInverses($0.schema).diagnostics(in: $0.identifier.name)
    }
    let known = Set(own.map(\.element))
    let bridges = chain.flatMap { version -> [Diagnostic] in
      guard case .bridge(let next, _) = version.role else { return [] }
      return InferredInverses(version.schema)
        .diagnostics(in: "the bridge '\(version.name)'", onTheWayTo: history[next])
    }
    return own + bridges.filter { !known.contains($0.element) }
  }

  private static func bridgesWithoutRoom(
    _ hops: [Hop], _ history: [SchemaVersion]
  ) -> [Diagnostic] {
    hops.compactMap { hop in
      guard hop.plan.bridges > 0 else { return nil }
      let old = history[hop.from].number
      let new = history[hop.to].number
      let last = VersionNumber(old.major, old.minor, old.patch + hop.plan.bridges)
      guard last >= new else { return nil }
      return Diagnostic(
        .noRoomForBridge,
        "between \(old) and \(new) there is no number for the bridge that carries the values over",
        at: history[hop.to].location,
        help: ["number it \(old.major).\(old.minor + 1).0 or \(old.major + 1).0.0"])
    }
  }

  /// Names that the engine would mix up even from one version to the next, where no stop can help.
  private static func reused(
    _ chain: PhysicalChain, _ stages: [Stage], _ history: [SchemaVersion]
  ) -> [Diagnostic] {
    stages.flatMap { stage -> [Diagnostic] in
      let before = chain.versions[stage.from]
      let after = chain.versions[stage.to]
      let oldModels = Dictionary(before.schema.models.map { ($0.name, $0) }) { first, _ in first }
      let oldStorage = StorageTypes(version: before.schema)
      let newStorage = StorageTypes(version: after.schema)
      return after.schema.models.flatMap { model -> [Diagnostic] in
        guard let was = oldModels[model.name], was != model,
          model.properties.contains(where: { $0.originalName != nil })
        else { return [] }
        let found = Inference.provenances(
          from: StoredModel(was, oldStorage), to: StoredModel(model, newStorage))
        return model.properties.compactMap { property in
          guard case .failure(let reason)? = found[property.name],
            reason.isConfusion
          else { return nil }
          return Diagnostic(
            .reusedName,
            "'\(model.name).\(property.name)' uses a name that was another property's: \(reason)",
            element: ElementPath(model.name, property.name), at: property.location,
            help: ["give it a name that no version had"])
        }
      }
    }
  }
}

/// The step from one version to the next.
package struct Hop: Sendable {
  /// Indexes in the history.
  package let from: Int
  package let to: Int
  package let differences: [Difference]
  package let changes: [SchemaChange]
  package let plan: HopPlan
  /// The gravest mechanism of its changes.
  package let mechanism: Mechanism
  /// The enum in the owned file: `V8ToV9`.
  package let ownedName: String
  package let ownedFunctions: [OwnedFunction]
  /// Old field, new field, fallback: the data-integrity map.
  package let routes: [FieldRoute]
  /// What was found and accepted.
  package let accepted: [AcceptedFinding]
  let diagnostics: [Diagnostic]
  private let questions: [RenameQuestion]

  /// The questions whether something removed has another name now.
  package func questions(about element: ElementPath) -> [Diagnostic] {
    questions.filter { $0.removed == element }.map(\.finding)
  }

  /// What the enum in a step's owned file, and the file, are called.
  package static func ownedName(from old: VersionNumber, to new: VersionNumber) -> String {
    HopPairing.ownedName(old, new)
  }

  init(_ pairing: HopPairing, index: Int, configuration: Configuration) {
    from = index
    to = index + 1
    differences = SchemaDiffer().differences(pairing)
    let changes = Classifier(pairing, policy: configuration.policy).changes(differences)
    self.changes = changes
    plan = HopPlanner(pairing: pairing, changes: changes, index: index).plan()
    ownedName = pairing.ownedName
    let names = configuration.names
    let rowSchema =
      plan.bridges > 0
      ? names.bridge(from: pairing.old.number, to: pairing.new.number, step: 1)
      : names.schema(pairing.old.number)
    ownedFunctions = OwnedFunctionList(pairing: pairing, rowSchema: rowSchema).functions()
    let custom: Mechanism = plan.isCustom ? .custom : .none
    mechanism = max(changes.map(\.mechanism).max() ?? .none, custom)
    routes = FieldRoutes(pairing: pairing).routes()
    let review = HopReview(pairing: pairing, changes: changes, policy: configuration.policy)
    let acceptances = AcceptanceBook(pairing.new)
    questions = review.renameQuestions
    let outcome = acceptances.apply(to: review.diagnostics())
    accepted = outcome.accepted
    diagnostics =
      outcome.remaining + acceptances.unused(outcome, of: EvolutionRules.acceptableIDs)
  }
}

/// One `MigrationStage`.
package struct Stage: Sendable {
  package enum Part: Hashable, Sendable {
    /// From version to version.
    case whole
    /// From the older version to the bridge.
    case expand
    /// From the bridge on: values are carried over, old columns go.
    case contract
    /// From the second bridge to the newer version: columns get their final names.
    case rename
  }

  /// Positions in the chain.
  package var from: Int
  package var to: Int
  /// Index of the hop it is part of.
  package var hop: Int
  package var part: Part
  package var isCustom: Bool
  /// Why an otherwise lightweight stage is a stop; empty for none.
  package var stopReasons: [SkipHazard]

  package var isStop: Bool { !stopReasons.isEmpty }
}
