/// A finding that its author has accepted.
package struct AcceptedFinding: Sendable {
  package var finding: Diagnostic
  package var acceptance: Acceptance

  package init(_ finding: Diagnostic, by acceptance: Acceptance) {
    self.finding = finding
    self.acceptance = acceptance
  }
}

/// The acceptances in one file.
package struct AcceptanceMatcher: Sendable {
  private let acceptances: [Acceptance]
  private let file: String?

  package init(_ version: SchemaVersion) {
    self.init(version.acceptances, in: version.location?.file)
  }

  package init(_ acceptances: [Acceptance], in file: String?) {
    self.acceptances = acceptances
    self.file = file
  }

  package struct Outcome: Sendable {
    package var remaining: [Diagnostic] = []
    package var accepted: [AcceptedFinding] = []
    fileprivate var used: Set<Int> = []
  }

  package func apply(to diagnostics: [Diagnostic]) -> Outcome {
    var outcome = Outcome()
    guard !acceptances.isEmpty else {
      outcome.remaining = diagnostics
      return outcome
    }
    for diagnostic in diagnostics {
      let matches = acceptances.indices.filter { isMeant(diagnostic, by: acceptances[$0]) }
      // An entry counts as used even if its rule cannot be accepted.
      outcome.used.formUnion(matches)
      if let first = matches.first, diagnostic.rule.isAcceptable {
        outcome.accepted.append(AcceptedFinding(diagnostic, by: acceptances[first]))
      } else {
        var diagnostic = diagnostic
        if !matches.isEmpty { diagnostic.help.append("this rule cannot be accepted") }
        outcome.remaining.append(diagnostic)
      }
    }
    return outcome
  }

  /// A finding for each acceptance that accepted nothing.
  ///
  /// - Parameter rules: The ids of the rules that were checked; acceptances of other rules are ignored.
  package func unused(_ outcome: Outcome, of rules: Set<String>) -> [Diagnostic] {
    acceptances.indices.compactMap { index in
      let entry = acceptances[index]
      guard !outcome.used.contains(index), rules.contains(entry.rule.value) else { return nil }
      let place = entry.element.map { "about '\($0)'" } ?? "at that line"
      return Diagnostic(
        .unusedAcceptance, "nothing to accept: no finding '\(entry.rule.value)' \(place)",
        element: entry.element, at: entry.rule.location,
        help: [entry.element == nil ? "remove the comment" : "remove the entry"],
        correction: .removal)
    }
  }

  private func isMeant(_ diagnostic: Diagnostic, by acceptance: Acceptance) -> Bool {
    guard acceptance.rule.value == diagnostic.rule.id else { return false }
    switch acceptance.target {
    case .element(let element): return element.value == diagnostic.element
    case .line(let line):
      return diagnostic.location?.line == line && diagnostic.location?.file == file
    }
  }
}
