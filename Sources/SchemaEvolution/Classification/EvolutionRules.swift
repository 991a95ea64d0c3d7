package import SchemaModel

/// What the review of a step itself has to know of its rules.
package enum EvolutionRules {
  /// The rules about steps whose findings may be accepted.
  package static let acceptableIDs: Set<String> = Set(
    ClassificationTable.rows.map(\.rule).filter(\.isAcceptable).map(\.id)
      + [Rule.storedTypeChanged.id])
}

/// Rules about a step from one version to the next that are not rows of the classification table.
extension Rule {
  package static let ambiguousRename = Rule(
    "ambiguous-rename", "Something gone and something new may be one thing under two names",
    basis: .fact(.migration, "rename-without-original-name", .certain))
  package static let unacknowledgedDrop = Rule(
    "unacknowledged-drop", "Something with values is gone and nobody said that it may go",
    basis: .guide(.ritualist, "best practices: don't remove properties without migration logic"))
  package static let unconfirmedDrop = Rule(
    "unconfirmed-drop", "A plan that was adopted takes something away, and nobody has confirmed it",
    basis: .guide(.ritualist, "best practices: don't remove properties without migration logic"))
  package static let unusedHint = Rule(
    "unused-hint", "A key of the step matches nothing that changed", basis: .manifest)
  package static let unknownSource = Rule(
    "unknown-source", "A key of the step names what the version before does not have",
    basis: .manifest)
  package static let reusedName = Rule(
    "reused-name", "A name is used again for another property, or two go back to one",
    basis: .fact(.migration, "reused-name-gets-both", .likely))
  package static let missingSource = Rule(
    "missing-source", "Nothing says where the values of a carried model's property come from",
    basis: .fact(.migration, "bridge-copies-on-disk", .likely))
  package static let emptyVersion = Rule(
    "empty-version", "A version stores nothing else than an earlier one",
    basis: .fact(.identity, "equal-checksums-are-one-version", .certain))
  package static let duplicateIdentity = Rule(
    "duplicate-identity", "Two versions look the same to the framework, which ends the app",
    basis: .fact(.migration, "duplicate-across-stages", .likely))
  package static let noRoomForBridge = Rule(
    "no-room-for-bridge", "No version number is free for a bridge between two versions",
    basis: .guide(.schemaChange, "version numbering: patch is rarely used for schema"))
  package static let unorderable = Rule(
    "unorderable", "The row that stays is chosen by values that have no order",
    basis: .fact(.migration, "add-unique", .certain))
  package static let linkToDuplicate = Rule(
    "link-to-duplicate", "A link without an inverse may lead to an equal row that goes",
    basis: .fact(.migration, "add-unique", .certain))
  package static let inferredInverse = Rule(
    "inferred-inverse", "The framework takes two relationships for each other's inverse unasked",
    basis: .fact(.identity, "undeclared-inverse-candidates", .likely))
  package static let storedTypeChanged = Rule(
    "stored-type-changed", "A Codable type that older versions store stays as it was",
    basis: .fact(.identity, "composite-by-leaves", .certain), isAcceptable: true)
  package static let caseNotCarried = Rule(
    "case-not-carried", "Rows that hold a renamed or replaced case cannot all follow it",
    basis: .fact(.migration, "raw-value-change", .likely))
  package static let noWayBack = Rule(
    "no-way-back", "fromEntity(_:) of an older version has no value for a property",
    basis: .guide(.schemaMigration, "phase 4: update all old schema conversion methods"))
  package static let noWayForward = Rule(
    "no-way-forward", "toEntity() of an older version has no value for the entity",
    basis: .guide(.schemaMigration, "phase 4: update all old schema conversion methods"))
  package static let missingLink = Rule(
    "missing-link", "An entity cannot hold the rows that a relationship leads to", basis: .manifest)
  package static let secondRevert = Rule(
    "second-revert", "Two properties say how one property of the version before comes back",
    basis: .manifest)
  package static let missingFallback = Rule(
    "missing-fallback", "Nothing stands in for JSON that cannot be read",
    basis: .guide(.schemaMigration, "code review: JSON decoding has fallbacks"))
  package static let conflictingEntity = Rule(
    "conflicting-entity", "Two models claim one entity, or one entity contains itself",
    basis: .guide(
      .schemaMigration, "create domain model first: the domain entity is the source of truth"))
}
