package import SchemaModel

extension Rule {
  package static let noManifests = Rule(
    "no-manifests", .error, "A folder of manifests holds at least one", basis: .manifest)
  package static let versionOrder = Rule(
    "version-order", .error, "Versions ascend from file to file", basis: .manifest)
}

/// What the readers themselves have to know of their rules.
package enum ManifestRules {
  /// What reading finds and `accept:` may silence: whether that was needed is known once manifests are read.
  package static let acceptableIDs: Set<String> = [Rule.versionGap.id]
}
