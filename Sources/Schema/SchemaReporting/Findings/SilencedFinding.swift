package import SchemaModel

/// A finding that does not count, and why.
package struct SilencedFinding: Hashable, Sendable, Encodable {
  package var finding: Diagnostic
  package var reason: String
  /// Whether a baseline silences the finding. Otherwise, an acceptance in a manifest or a class does.
  package var isBaselined: Bool

  package init(_ finding: Diagnostic, reason: String, isBaselined: Bool = false) {
    self.finding = finding
    self.reason = reason
    self.isBaselined = isBaselined
  }
}
