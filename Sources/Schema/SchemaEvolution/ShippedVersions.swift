package import SchemaModel

/// The versions already on devices. Findings about their steps describe what the steps did, not what they should do.
package struct ShippedVersions: Equatable, Sendable {
  package var released: Set<VersionNumber>
  /// Released versions whose steps have been corrected since the release.
  package var corrected: Set<VersionNumber>

  package init(released: Set<VersionNumber> = [], corrected: Set<VersionNumber> = []) {
    self.released = released
    self.corrected = corrected
  }

  /// Whether the step to a version only records what happened before adoption. Its code is generated like that of other
  /// steps, except for what only current rules require.
  func isRecord(_ version: SchemaVersion) -> Bool {
    version.identity == .shipped && released.contains(version.number)
      && !corrected.contains(version.number)
  }
}
