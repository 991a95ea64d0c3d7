/// By what the framework tells versions apart: two models with equal hashes are one version
/// (docs/facts/identity.md#equal-checksums-are-one-version).
public typealias ModelIdentity = VersionHashes

extension ManagedModel {
  /// By what a store of this model is recognised.
  public var identity: ModelIdentity { versionHashes }
}
