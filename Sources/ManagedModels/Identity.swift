extension ManagedModel {
  /// By what a store of this model is recognised: two models with equal hashes are one version
  /// (docs/facts/identity.md#equal-checksums-are-one-version).
  public var identity: VersionHashes { versionHashes }
}
