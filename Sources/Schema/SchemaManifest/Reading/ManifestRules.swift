package import SchemaModel

extension Rule {
  package static let unknownKey = Rule(
    "unknown-key", .error, "The manifest format has this key", basis: .manifest)
  package static let missingKey = Rule(
    "missing-key", .error, "Every required key is written", basis: .manifest)
  package static let wrongValue = Rule(
    "wrong-value", .error, "A value is of the kind that its key takes", basis: .manifest)
  package static let conflictingKeys = Rule(
    "conflicting-keys", .error,
    "Keys do not exclude each other, and none lacks a key that it needs",
    basis: .manifest)
  package static let invalidName = Rule(
    "invalid-name", .error, "A name in Swift code is a Swift identifier",
    basis: .publication("The Swift Programming Language, Lexical Structure"))
  package static let reservedName = Rule(
    "reserved-name", .error, "Swift, SwiftData or generated code needs this name",
    basis: .fact(.swiftData, "description-is-refused", .certain))
  package static let duplicateName = Rule(
    "duplicate-name", .error, "Names are unique in their place",
    basis: .fact(.storeFormat, "columns", .certain))
  package static let hiddenCharacter = Rule(
    "hidden-character", .error, "Text has no invisible characters", basis: .manifest)
  package static let invalidType = Rule(
    "invalid-type", .error, "A stored property can have this type", basis: .manifest)
  package static let invalidExpression = Rule(
    "invalid-expression", .error, "An expression is one complete Swift expression",
    basis: .manifest)
  package static let wrongPlaceholder = Rule(
    "wrong-placeholder", .error, "An expression uses only the values that it gets",
    basis: .manifest)
  package static let unqualifiedDefault = Rule(
    "unqualified-default", .error, "A default names the type of its member",
    basis: .fact(.swiftData, "defaults-are-qualified", .certain))
  package static let unknownType = Rule(
    "unknown-type", .error, "A type is Swift's own, or declared", basis: .manifest)
  package static let unknownModel = Rule(
    "unknown-model", .error, "The version has this model", basis: .manifest)
  package static let unknownProperty = Rule(
    "unknown-property", .error, "The model has this property", basis: .manifest)
  package static let danglingInverse = Rule(
    "dangling-inverse", .error, "An inverse names a relationship that leads back",
    basis: .fact(.swiftData, "inverse-on-one-side", .certain))
  package static let inverseOnBothSides = Rule(
    "inverse-on-both-sides", .error, "An inverse is written at one end only",
    basis: .fact(.swiftData, "inverse-on-one-side", .certain))
  package static let contestedInverse = Rule(
    "contested-inverse", .error, "A relationship is the inverse of only one other",
    basis: .fact(.swiftData, "one-inverse-each", .unverified))
  package static let circularInheritance = Rule(
    "circular-inheritance", .error, "No model inherits from itself", basis: .manifest)
  package static let fileName = Rule(
    "file-name", .error, "A manifest's file is named after its version", basis: .manifest)
  package static let noManifests = Rule(
    "no-manifests", .error, "A folder of manifests holds at least one", basis: .manifest)
  package static let versionMismatch = Rule(
    "version-mismatch", .error, "A file's name and its 'version:' agree", basis: .manifest)
  package static let duplicateVersion = Rule(
    "duplicate-version", .error, "A version has one manifest", basis: .manifest)
  package static let versionOrder = Rule(
    "version-order", .error, "Versions ascend from file to file", basis: .manifest)
  package static let versionGap = Rule(
    "version-gap", .error, "Version numbers have no gaps", basis: .manifest,
    isAcceptable: true)
  package static let stepKeyInFirstVersion = Rule(
    "step-key-in-first-version", .error, "The first version has no step keys",
    basis: .manifest)
  package static let malformedAcceptance = Rule(
    "malformed-acceptance", "A comment that accepts a finding names the rule and gives a reason",
    basis: .fact(.tooling, "linter-complaints", .certain))
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
