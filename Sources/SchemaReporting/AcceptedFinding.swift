package import SchemaDiagnostics

/// A finding that somebody accepted, and why.
package struct AcceptedFinding: Hashable, Sendable {
  package var finding: Diagnostic
  /// What the person wrote who accepted it.
  package var reason: String

  package init(_ finding: Diagnostic, reason: String) {
    self.finding = finding
    self.reason = reason
  }
}
