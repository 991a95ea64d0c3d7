package import SchemaModel

/// A finding that does not count, and why.
package struct SilencedFinding: Hashable, Sendable, Encodable {
  package var finding: Diagnostic
  /// The reason given by the person who accepted it.
  package var reason: String
  /// Whether it is silenced by a baseline and not by a manifest.
  package var isBaselined: Bool

  package init(_ finding: Diagnostic, reason: String, isBaselined: Bool = false) {
    self.finding = finding
    self.reason = reason
    self.isBaselined = isBaselined
  }
}
