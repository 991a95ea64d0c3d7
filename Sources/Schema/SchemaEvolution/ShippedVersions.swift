package import SchemaModel

/// The versions already on devices. Findings about their steps describe what they did, not what they should do.
package struct ShippedVersions: Equatable, Sendable {
  package var released: Set<VersionNumber>
  /// Shipped versions whose steps have been corrected since they shipped.
  package var corrected: Set<VersionNumber>

  package init(released: Set<VersionNumber> = [], corrected: Set<VersionNumber> = []) {
    self.released = released
    self.corrected = corrected
  }

  /// Whether the step to a version only records what happened before the app was adopted. Code is generated for it as
  /// for any other step, except for what only today's rules require.
  func isRecord(_ version: SchemaVersion) -> Bool {
    version.identity == .shipped && released.contains(version.number)
      && !corrected.contains(version.number)
  }
}
