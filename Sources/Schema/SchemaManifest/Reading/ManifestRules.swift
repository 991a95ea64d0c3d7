package import SchemaModel

extension Rule {
  package static let noManifests = Rule(
    "no-manifests", .error, "A folder of manifests has at least one manifest", basis: .manifest)
  package static let versionOrder = Rule(
    "version-order", .error, "Versions ascend from file to file", basis: .manifest)
}

/// Facts about the readers' rules.
package enum ManifestRules {
  /// The rules for which `accept:` may silence findings of a reader. Whether the acceptance was needed is known after
  /// reading.
  package static let acceptableIDs: Set<String> = [Rule.versionGap.id]
}
