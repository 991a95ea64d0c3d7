package import SchemaModel

extension Rule {
  package static let unknownKey = Rule(
    "unknown-key", .error, "A key is one that the format knows", basis: .manifest)
  package static let missingKey = Rule(
    "missing-key", .error, "Every required key is written", basis: .manifest)
  package static let wrongValue = Rule(
    "wrong-value", .error, "A value is of the kind that its key takes", basis: .manifest)
  package static let conflictingKeys = Rule(
    "conflicting-keys", .error, "Keys that exclude or need one another are written so",
    basis: .manifest)
  package static let invalidName = Rule(
    "invalid-name", .error, "A name that reaches Swift is a Swift identifier",
    basis: .publication("The Swift Programming Language, Lexical Structure"))
  package static let reservedName = Rule(
    "reserved-name", .error, "A name is not one that Swift, SwiftData or generated code needs",
    basis: .fact(.swiftData, "description-is-refused", .certain))
  package static let duplicateName = Rule(
    "duplicate-name", .error, "Two things in one place do not have one name",
    basis: .fact(.storeFormat, "columns", .certain))
  package static let hiddenCharacter = Rule(
    "hidden-character", .error, "Text has no characters that a reader cannot see", basis: .manifest)
  package static let invalidType = Rule(
    "invalid-type", .error, "A type is one that a stored property can have", basis: .manifest)
  package static let invalidExpression = Rule(
    "invalid-expression", .error, "An expression is one Swift expression that stays in its place",
    basis: .manifest)
  package static let wrongPlaceholder = Rule(
    "wrong-placeholder", .error, "An expression takes the values that it is given, and no other",
    basis: .manifest)
  package static let unqualifiedDefault = Rule(
    "unqualified-default", .error, "A default names the type of its members",
    basis: .fact(.swiftData, "defaults-are-qualified", .certain))
  package static let unknownType = Rule(
    "unknown-type", .error, "A type is Swift's, a declared one, or not stored", basis: .manifest)
  package static let unknownModel = Rule(
    "unknown-model", .error, "A model that is named is one of the version", basis: .manifest)
  package static let unknownProperty = Rule(
    "unknown-property", .error, "A property that is named is one of its model", basis: .manifest)
  package static let danglingInverse = Rule(
    "dangling-inverse", .error, "An inverse is the relationship that leads back",
    basis: .fact(.swiftData, "inverse-on-one-side", .certain))
  package static let inverseOnBothSides = Rule(
    "inverse-on-both-sides", .error, "An inverse is written at one end only",
    basis: .fact(.swiftData, "inverse-on-one-side", .certain))
  package static let contestedInverse = Rule(
    "contested-inverse", .error, "A relationship is the inverse of one other",
    basis: .fact(.swiftData, "one-inverse-each", .unverified))
  package static let circularInheritance = Rule(
    "circular-inheritance", .error, "No model inherits from itself", basis: .manifest)
  package static let fileName = Rule(
    "file-name", .error, "A manifest's file is called after its version", basis: .manifest)
  package static let noManifests = Rule(
    "no-manifests", .error, "A folder of manifests holds at least one", basis: .manifest)
  package static let versionMismatch = Rule(
    "version-mismatch", .error, "A file's name and its 'version:' say the same", basis: .manifest)
  package static let duplicateVersion = Rule(
    "duplicate-version", .error, "A version has one manifest", basis: .manifest)
  package static let versionOrder = Rule(
    "version-order", .error, "Versions go up from file to file", basis: .manifest)
  package static let versionGap = Rule(
    "version-gap", .error, "Versions follow one another a step at a time", basis: .manifest,
    isAcceptable: true)
  package static let stepKeyInFirstVersion = Rule(
    "step-key-in-first-version", .error, "The first version has no step before it",
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
    "missing-fixture", "A fixture that was asked for is not there",
    basis: .page("rehearsal", "your-own"))
}

/// What the readers themselves have to know of their rules.
package enum ManifestRules {
  /// What reading finds and `accept:` may silence: whether that was needed is known once manifests are read.
  package static let acceptableIDs: Set<String> = [Rule.versionGap.id]
}
