package import SchemaModel

/// The versions already on devices. Findings about their steps say what they did, not what they should do.
package struct ShippedVersions: Equatable, Sendable {
  package var released: Set<VersionNumber>
  /// Shipped versions whose steps are no longer what shipped.
  package var corrected: Set<VersionNumber>

  package init(released: Set<VersionNumber> = [], corrected: Set<VersionNumber> = []) {
    self.released = released
    self.corrected = corrected
  }

  /// Whether the step to a version is history: what it did, it did before anything was generated. Code is generated
  /// for it as for any other step; only what the rules of today ask for is missing in it.
  func isRecord(_ version: SchemaVersion) -> Bool {
    version.identity == .shipped && released.contains(version.number)
      && !corrected.contains(version.number)
  }
}
