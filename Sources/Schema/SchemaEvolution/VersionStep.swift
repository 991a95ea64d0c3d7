package import SchemaModel

/// The step from one version to the next.
package struct VersionStep: Sendable {
  /// The versions that it connects, as in their manifests.
  package let old: SchemaVersion
  package let new: SchemaVersion
  /// Which model and property continues which, with the copies that models store.
  let pairing: StepPairing
  package let differences: [Difference]
  package let changes: [SchemaChange]
  package let plan: StepPlan
  /// The bridges on the way, in order.
  package internal(set) var bridges: [Bridge] = []
  /// The stages of the step, in order; empty if the history is not sound.
  package internal(set) var stages: [Stage] = []
  /// The gravest mechanism of its changes.
  package let mechanism: Mechanism
  /// The step's name, which is also that of its user file and the enum in it: `V8ToV9`.
  package let name: String
  package let userFunctions: [UserFunction]
  /// The data-integrity map: old field, new field, fallback.
  package let routes: [FieldRoute]
  package let accepted: [AcceptedFinding]
  let diagnostics: [Diagnostic]
  private let questions: [RenameQuestion]
  /// Properties that were removed without confirmation, each with a new one that could take its values.
  private let successors: [(old: ElementPath, new: ElementPath)]

  /// The two versions: `V8 → V9`.
  package var title: String { "\(old.number.name) → \(new.number.name)" }

  /// The two versions, and the newer one's summary: `V8 → V9: Three time zones`.
  package var heading: String { title + (new.summary.map { ": \($0)" } ?? "") }

  /// A version between the two versions of a step.
  package struct Bridge: Sendable {
    package let version: ChainVersion
    package let identity: StructuralIdentity
  }

  /// Removes what only stores of versions before `oldest` need.
  mutating func forgetVersions(before oldest: VersionNumber) {
    for index in stages.indices { stages[index].barrierReasons.removeAll { $0.from < oldest } }
  }

  package func origins(of model: Model) -> [Model] { pairing.origins(of: model) }

  /// The elements of the older version that an element continues or is made from.
  package func edges(into element: ElementPath) -> [ElementEdge] { pairing.edges(into: element) }

  /// The properties that continue a property of the older version.
  package var continued: [ElementEdge] {
    pairing.new.models.filter { pairing.predecessor(of: $0) != nil }.flatMap {
      pairing.edges(into: $0.name)
    }.filter { $0.kind != .converted && $0.new.member != nil }
  }

  /// The former name of a property that the step continues; nil if it is new, or made from others. Inherited properties
  /// are looked up where they are declared.
  package func former(of property: String, in model: Model) -> String? {
    let lineage = [model] + model.ancestors { pairing.newModels[$0] }
    let owner = lineage.first { $0.property(named: property) != nil } ?? model
    let edges = pairing.edges(into: ElementPath(owner.name, property))
    return edges.count == 1 && edges[0].kind != .converted ? edges[0].old.member : nil
  }

  package func questions(about element: ElementPath) -> [String] {
    questions.filter { $0.removed == element }.map(\.summary)
  }

  /// The pairs of elements that a finding asks about: a removed one, and one that may continue it under a new name,
  /// without a conversion.
  package func renames(about finding: Diagnostic) -> [(old: ElementPath, new: ElementPath)] {
    let asked = questions.filter { $0.keys.hasPrefix("renamedFrom: ") && !$0.keys.contains(",") }
      .compactMap { question in question.finding.path.map { (old: question.removed, new: $0) } }
    let others = successors.filter { pair in !asked.contains { $0 == pair } }
    return (asked + others).filter { finding.path == $0.old || finding.path == $0.new }
  }

  /// New constraints without `dedupe:`, which old rows can only satisfy because of the author's code.
  package var constraintsLeftToCode: [(model: String, properties: [String])] {
    guard plan.hooks.before else { return [] }
    return changes.filter { [.uniqueAdded, .compoundUniqueAdded].contains($0.kind) }.map {
      ($0.element.owner, $0.element.member.map { [$0] } ?? $0.constraint)
    }
  }

  /// The name of the step between two versions: `V8ToV9`.
  package static func name(from old: VersionNumber, to new: VersionNumber) -> String {
    StepPairing.name(old, new)
  }
}

extension VersionStep {
  init(
    _ pairing: StepPairing, from old: SchemaVersion, to new: SchemaVersion,
    differences: [Difference], changes: [SchemaChange], plan: StepPlan, review: StepReview
  ) {
    self.old = old
    self.new = new
    self.pairing = pairing
    self.differences = differences
    self.changes = changes
    self.plan = plan
    let custom: Mechanism = plan.isCustom ? .custom : .none
    mechanism = max(changes.map(\.mechanism).max() ?? .none, custom)
    name = pairing.name
    userFunctions = UserFunctionList(pairing: pairing).functions()
    routes = FieldRoutes(pairing: pairing).routes()
    let acceptances = AcceptanceMatcher(pairing.new)
    let outcome = acceptances.apply(to: review.diagnostics())
    accepted = outcome.accepted
    diagnostics =
      outcome.remaining + acceptances.unused(outcome, of: EvolutionRules.acceptableIDs)
    questions = review.renameQuestions
    successors = changes.filter {
      [.attributeRemoved, .relationshipRemoved].contains($0.kind) && $0.acknowledgement == nil
    }.flatMap { change in
      review.possibleSuccessors(of: change.element).compactMap { property in
        pairing.pair(ofOld: change.element.owner).map {
          (change.element, ElementPath($0.new.name, property.name))
        }
      }
    }
  }
}
