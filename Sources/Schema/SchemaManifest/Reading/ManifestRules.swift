package import SchemaModel

extension Rule {
  package static let noManifests = Rule(
    "no-manifests", .error, "A folder of manifests holds at least one", basis: .manifest)
  package static let versionOrder = Rule(
    "version-order", .error, "Versions ascend from file to file", basis: .manifest)
}

/// What is wrong with rows that a user wrote for a rehearsal. `SchemaRehearsal` finds it; declared here, `explain` knows
/// it without a rehearsal.
extension Rule {
  package static let badFixture = Rule(
    "bad-fixture", "A fixture's row does not fit the version that it is for",
    basis: .page("rehearsal", "your-own"))
  package static let missingFixture = Rule(
    "missing-fixture", "A fixture that you asked for does not exist",
    basis: .page("rehearsal", "your-own"))
}

/// What the readers themselves have to know of their rules.
package enum ManifestRules {
  /// What reading finds and `accept:` may silence: whether that was needed is known once manifests are read.
  package static let acceptableIDs: Set<String> = [Rule.versionGap.id]
}
