package import SchemaModel

/// The step from one version to the next.
package struct VersionStep: Sendable {
  /// Indexes in the history.
  package private(set) var from: Int
  package private(set) var to: Int
  package let differences: [Difference]
  package let changes: [SchemaChange]
  package private(set) var plan: StepPlan
  /// The gravest mechanism of its changes.
  package let mechanism: Mechanism
  /// The step's name, which its user file and the enum in it share: `V8ToV9`.
  package let name: String
  package let userFunctions: [UserFunction]
  /// Old field, new field, fallback: the data-integrity map.
  package let routes: [FieldRoute]
  /// What was found and accepted.
  package let accepted: [AcceptedFinding]
  let diagnostics: [Diagnostic]
  private let questions: [RenameQuestion]
  /// Properties that nobody has said may go, each with a new one that could take its values.
  private let successors: [(old: ElementPath, new: ElementPath)]

  /// The same step in a history without so many of the first versions.
  func shifted(by count: Int) -> VersionStep {
    var step = self
    step.from -= count
    step.to -= count
    step.plan.from -= count
    step.plan.to -= count
    return step
  }

  /// The questions whether something removed has another name now.
  package func questions(about element: ElementPath) -> [String] {
    questions.filter { $0.removed == element }.map(\.summary)
  }

  /// What a finding asks of: something removed, and what may be it under a new name, with nothing to convert.
  package func renames(about finding: Diagnostic) -> [(old: ElementPath, new: ElementPath)] {
    let asked = questions.filter { $0.keys.hasPrefix("renamedFrom: ") && !$0.keys.contains(",") }
      .compactMap { question in question.finding.path.map { (old: question.removed, new: $0) } }
    let others = successors.filter { pair in !asked.contains { $0 == pair } }
    return (asked + others).filter { finding.path == $0.old || finding.path == $0.new }
  }

  /// New constraints without `dedupe:`, for which only code of the author's can have made old rows fit.
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

extension StepPairing {
  /// What a model of the older version is called in the newer one.
  fileprivate func successor(of model: String) -> String? {
    new.models.first { predecessor(of: $0)?.name == model }?.name
  }
}

extension VersionStep {
  init(
    _ pairing: StepPairing, index: Int, differences: [Difference], changes: [SchemaChange],
    plan: StepPlan, review: StepReview
  ) {
    from = index
    to = index + 1
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
        pairing.successor(of: change.element.owner).map {
          (change.element, ElementPath($0, property.name))
        }
      }
    }
  }
}
