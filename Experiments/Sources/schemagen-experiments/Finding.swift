/// What an experiment came to.
struct Finding: Codable {
  enum Verdict: String, Codable {
    case confirmed
    case contradicted
    case notDecidable = "not decidable"
  }

  /// One step, where it is worth telling of.
  struct Step: Codable {
    var name: String
    var expected: String
    var observed: String
  }

  let id: String
  let claim: String
  let rows: [String]
  let facts: [String]
  let partly: [String]
  var verdict = Verdict.confirmed
  /// Why it is not decidable.
  var reason: String?
  var steps: [Step] = []

  init(_ experiment: Experiment) {
    id = experiment.id
    claim = experiment.claim
    rows = experiment.rows
    facts = experiment.facts
    partly = experiment.partly
  }

  mutating func add(_ step: Experiment.Step, _ observation: Outcome) {
    steps.append(
      Step(name: step.name, expected: step.expectation.text, observed: observation.text))
    switch step.expectation.holds(for: observation) {
    case true?: break
    case false?: verdict = .contradicted
    case nil:
      verdict = .notDecidable
      reason =
        if case .undecidable(let reason) = observation { reason } else { "the log shows no code" }
    }
  }
}
