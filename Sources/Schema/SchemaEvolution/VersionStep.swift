package import SchemaModel

/// The step from one version to the next.
package struct VersionStep: Sendable {
  package let old: SchemaVersion
  package let new: SchemaVersion
  /// The pairing of models and properties, with the names of the copies that models store in place of changed types.
  let pairing: StepPairing
  package let differences: [Difference]
  package let changes: [SchemaChange]
  package let plan: StepPlan
  package internal(set) var bridges: [Bridge] = []
  /// The stages in order; empty if the history is not sound.
  package internal(set) var stages: [Stage] = []
  /// The gravest mechanism of the changes.
  package let mechanism: Mechanism
  /// The name of the step, its user file, and the enum in that file: `V8ToV9`.
  package let name: String
  package let userFunctions: [UserFunction]
  /// Where the values of each field come from: old field, new field, fallback.
  package let routes: [FieldRoute]
  package let accepted: [AcceptedFinding]
  let diagnostics: [Diagnostic]
  private let questions: [RenameQuestion]
  /// Properties that were removed without confirmation, each with a new property that could take its values.
  private let successors: [(old: ElementPath, new: ElementPath)]

  package var title: String { "\(old.number.name) → \(new.number.name)" }

  /// The title with the newer version's summary: `V8 → V9: Three time zones`.
  package var heading: String { title + (new.summary.map { ": \($0)" } ?? "") }

  package struct Bridge: Sendable {
    package let version: ChainVersion
    package let identity: StructuralIdentity
  }

  /// Removes barrier reasons that concern only stores of versions before `oldest`.
  mutating func forgetVersions(before oldest: VersionNumber) {
    for index in stages.indices { stages[index].barrierReasons.removeAll { $0.from < oldest } }
  }

  package func origins(of model: Model) -> [Model] { pairing.origins(of: model) }

  package func edges(into element: ElementPath) -> [ElementEdge] { pairing.edges(into: element) }

  package var continued: [ElementEdge] {
    pairing.new.models.filter { pairing.predecessor(of: $0) != nil }.flatMap {
      pairing.edges(into: $0.name)
    }.filter { $0.kind != .converted && $0.new.member != nil }
  }

  /// The former name of a property that the step continues. `nil` if the property is new, or made from other
  /// properties. An inherited property is looked up in the model that declares it.
  package func former(of property: String, in model: Model) -> String? {
    let lineage = [model] + model.ancestors { pairing.newModels[$0] }
    let owner = lineage.first { $0.property(named: property) != nil } ?? model
    let edges = pairing.edges(into: ElementPath(owner.name, property))
    return edges.count == 1 && edges[0].kind != .converted ? edges[0].old.member : nil
  }

  package func questions(about element: ElementPath) -> [String] {
    questions.filter { $0.removed == element }.map(\.summary)
  }

  /// The possible renames that a finding asks about. Each is a removed element and an element that may continue it
  /// under a new name, without a conversion.
  package func renames(about finding: Diagnostic) -> [(old: ElementPath, new: ElementPath)] {
    let asked = questions.filter { $0.keys.hasPrefix("renamedFrom: ") && !$0.keys.contains(",") }
      .compactMap { question in question.finding.path.map { (old: question.removed, new: $0) } }
    let others = successors.filter { pair in !asked.contains { $0 == pair } }
    return (asked + others).filter { finding.path == $0.old || finding.path == $0.new }
  }

  /// New constraints without `dedupe:`, if old rows can satisfy them only through the author's code.
  package var constraintsLeftToCode: [(model: String, properties: [String])] {
    guard plan.hooks.before else { return [] }
    return changes.filter { [.uniqueAdded, .compoundUniqueAdded].contains($0.kind) }.map {
      ($0.element.owner, $0.element.member.map { [$0] } ?? $0.constraint)
    }
  }

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
