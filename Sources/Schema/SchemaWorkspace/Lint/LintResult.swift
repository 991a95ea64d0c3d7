package import SchemaEvolution
package import SchemaLint
package import SchemaModel

/// The result of one `Linter.run`.
package struct LintResult: Sendable {
  /// As the user named it.
  package let path: String
  /// What counts, sorted.
  package let findings: [Diagnostic]
  /// What was accepted, with the reason.
  package let accepted: [AcceptedFinding]
  /// What the baseline knows.
  package let baselined: [Diagnostic]
  /// Safe fixes, each with its finding.
  package let fixes: [(finding: Diagnostic, fix: Fix)]
  /// Whether files and manifests themselves are broken, so that most rules could not look.
  package let isMalformed: Bool
  /// Whether there are several versions, between which something changes.
  package let hasSteps: Bool
  /// The files' texts by path, for snippets.
  package let sources: [String: String]
  /// What can be taken into a baseline: found, and not such that nothing could be generated.
  package let baseline: Baseline
  /// What the baseline says of this and is still found.
  package let prunedBaseline: Baseline
  /// The versions that have shipped.
  let released: Set<VersionNumber>
  /// What follows from the manifests; nil where they have errors of their own.
  package let evolution: Evolution?
  /// The versions that could be read, in ascending order.
  package let versions: [SchemaVersion]
}

extension LintResult {
  /// Whether a version may still be changed.
  package func isOpen(_ version: SchemaVersion) -> Bool {
    !released.contains(version.number) && version.identity != .shipped
  }
}
