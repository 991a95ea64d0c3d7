internal import SchemaModel

/// The shipped steps whose corrections their manifests accept, with a reason under `accept:`.
package struct StepCorrections {
  package static let acceptableIDs: Set<String> = [Rule.shippedStepEdited.id]

  private let history: [SchemaVersion]
  private let shipped: Set<VersionNumber>

  init(_ history: [SchemaVersion], shipped: Set<VersionNumber>) {
    self.history = history
    self.shipped = shipped
  }

  struct Outcome {
    var remaining: [Diagnostic]
    var accepted: [AcceptedFinding] = []
    var unused: [Diagnostic] = []
  }

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
      let unused = matcher.unused(found, of: Self.acceptableIDs)
      outcome.unused +=
        shipped.contains(version.number) ? unused : unused.map { Self.waiting($0, version) }
    }
    return outcome
  }

  /// A finding about an acceptance in a version that may have shipped without a mark. The acceptance is needed once the
  /// version is marked.
  private static func waiting(_ unused: Diagnostic, _ version: SchemaVersion) -> Diagnostic {
    let name = version.number.name
    return Diagnostic(
      .unusedAcceptance,
      "'\(Rule.shippedStepEdited.id)' has no effect yet: \(name) is not marked as shipped",
      element: name, at: unused.location,
      help: [
        "if a tag has \(name), mark \(name) as shipped: 'schemagen release --from-tag TAG'",
        "if \(name) has not shipped, remove the entry",
      ], severity: .warning)
  }
}
