package import SchemaModel

/// What the review of a step itself has to know of its rules.
package enum EvolutionRules {
  /// The rules about steps whose findings may be accepted.
  package static let acceptableIDs: Set<String> = Set(
    (ClassificationTable.rows.map(\.rule) + [.unlinkedRows]).filter(\.isAcceptable).map(\.id))
}

/// Rules about a step from one version to the next that are not rows of the classification table.
extension Rule {
  package static let ambiguousRename = Rule(
    "ambiguous-rename", "A property or model may have been renamed without saying so",
    basis: .fact(.migration, "rename-without-original-name", .certain))
  package static let unacknowledgedDrop = Rule(
    "unacknowledged-drop", "Values are dropped without a reason",
    basis: .guide(.ritualist, "best practices: don't remove properties without migration logic"))
  package static let unconfirmedDrop = Rule(
    "unconfirmed-drop", "Nobody has confirmed a drop from an adopted plan",
    basis: .guide(.ritualist, "best practices: don't remove properties without migration logic"))
  package static let unusedHint = Rule(
    "unused-hint", "A step key matches no change", basis: .manifest)
  package static let brokenExpectation = Rule(
    "broken-expectation", "An expectation speaks of what is there, and can be held",
    basis: .manifest)
  package static let unknownSource = Rule(
    "unknown-source", "A step key names something that the previous version does not have",
    basis: .manifest)
  package static let reusedName = Rule(
    "reused-name", "Two properties use one name, now or at first",
    basis: .fact(.migration, "reused-name-gets-both", .likely))
  package static let missingSource = Rule(
    "missing-source", "A property of a moved model has no value",
    basis: .fact(.migration, "bridge-copies-on-disk", .likely))
  package static let unlinkedRows = Rule(
    "unlinked-rows", "Rows that were one row do not lead to each other",
    basis: .fact(.migration, "bridge-copies-on-disk", .likely), isAcceptable: true)
  package static let emptyVersion = Rule(
    "empty-version", "A version stores the same as an earlier one",
    basis: .fact(.identity, "equal-checksums-are-one-version", .certain))
  package static let duplicateIdentity = Rule(
    "duplicate-identity", "Two versions have one checksum, which crashes the app",
    basis: .fact(.migration, "duplicate-across-stages", .likely))
  package static let noRoomForBridge = Rule(
    "no-room-for-bridge", "No version number is free for a bridge between two versions",
    basis: .guide(.schemaChange, "version numbering: patch is rarely used for schema"))
  package static let unorderable = Rule(
    "unorderable", "'latest' or 'earliest' compares values without an order",
    basis: .fact(.migration, "add-unique", .certain))
  package static let linkToDuplicate = Rule(
    "link-to-duplicate", "A link without an inverse may lead to an equal row that goes",
    basis: .fact(.migration, "add-unique", .certain))
  package static let inferredInverse = Rule(
    "inferred-inverse", "SwiftData joins two undeclared relationships into a pair",
    basis: .fact(.identity, "undeclared-inverse-candidates", .likely))
  package static let caseNotCarried = Rule(
    "case-not-carried", "A renamed or replaced case cannot be changed in every row",
    basis: .fact(.migration, "raw-value-change", .likely))
  package static let missingRawValue = Rule(
    "missing-raw-value", "A renamed case of the app's own enum has no raw value",
    basis: .fact(.migration, "raw-value-change", .likely))
  package static let noWayBack = Rule(
    "no-way-back", "fromEntity(_:) of an older version has no value for a property",
    basis: .guide(.schemaMigration, "phase 4: update all old schema conversion methods"))
  package static let noWayForward = Rule(
    "no-way-forward", "toEntity() of an older version has no value for the entity",
    basis: .guide(.schemaMigration, "phase 4: update all old schema conversion methods"))
  package static let missingLink = Rule(
    "missing-link", "A domain entity cannot hold the rows of a relationship", basis: .manifest)
  package static let secondRevert = Rule(
    "second-revert", "Two properties revert to one property of the previous version",
    basis: .manifest)
  package static let missingFallback = Rule(
    "missing-fallback", "Unreadable JSON has no fallback",
    basis: .guide(.schemaMigration, "code review: JSON decoding has fallbacks"))
  package static let conflictingEntity = Rule(
    "conflicting-entity", "Two models claim one entity, or one entity contains itself",
    basis: .guide(
      .schemaMigration, "create domain model first: the domain entity is the source of truth"))
}
