internal import SchemaLint
internal import SchemaModel

/// The shipped steps whose corrections their manifests stand by, with a reason under `accept:`.
package struct StepCorrections {
  /// The rules, by id, whose acceptances are judged here.
  package static let acceptableIDs: Set<String> = [Rule.shippedStepEdited.id]

  private let history: [SchemaVersion]

  init(_ history: [SchemaVersion]) { self.history = history }

  struct Outcome {
    var remaining: [Diagnostic]
    var accepted: [AcceptedFinding] = []
    /// Findings about what is accepted and was not corrected.
    var unused: [Diagnostic] = []
  }

  /// Parts findings into those about corrections that are accepted and the others.
  func apply(to diagnostics: [Diagnostic]) -> Outcome {
    var outcome = Outcome(
      remaining: diagnostics.filter { $0.rule != .shippedStepEdited })
    let edits = Dictionary(grouping: diagnostics.filter { $0.rule == .shippedStepEdited }) {
      $0.element ?? ""
    }
    for version in history {
      let matcher = AcceptanceMatcher(version)
      let found = matcher.apply(to: edits[version.number.name] ?? [])
      outcome.remaining += found.remaining
      outcome.accepted += found.accepted
      outcome.unused += matcher.unused(found, of: Self.acceptableIDs)
    }
    return outcome
  }
}
