package import SchemaModel

extension Rule {
  package static let noManifests = Rule(
    "no-manifests", .error, "A folder of manifests holds at least one", basis: .manifest)
  package static let versionOrder = Rule(
    "version-order", .error, "Versions ascend from file to file", basis: .manifest)
}

/// What the readers must know about their own rules.
package enum ManifestRules {
  /// The rules whose findings in reading `accept:` may silence; whether it was needed shows once manifests are read.
  package static let acceptableIDs: Set<String> = [Rule.versionGap.id]
}
