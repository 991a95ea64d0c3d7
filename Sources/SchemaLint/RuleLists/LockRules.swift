package import SchemaModel

/// The rules about what has shipped, and about the file that says so.
package enum LockRules {
  package static let all: [Rule] = [
    .lockConflict, .lockUnreadable, .lockFormat, .lockEntry, .lockDuplicate, .lockOrder,
    .lockStateOrder, .lockEdited, .lockChain,
    .shippedVersionEdited, .shippedVersionMissing, .shippedVersionRenumbered, .releaseMarkRemoved,
    .brokenBase, .newFolder, .notRebased, .rebaseConflict,
  ]
}

extension Rule {
  private static let lockBasis = Basis.page("lock")

  package static let lockConflict = Rule(
    "lock-conflict", "schema.lock holds the marks of a merge that is not finished",
    basis: lockBasis)
  package static let lockUnreadable = Rule(
    "lock-unreadable", "schema.lock is not a list of versions", basis: lockBasis)
  package static let lockFormat = Rule(
    "lock-format", "schema.lock is of a format that this schemagen knows", basis: lockBasis)
  package static let lockEntry = Rule(
    "lock-entry", "Each entry of schema.lock is whole", basis: lockBasis)
  package static let lockDuplicate = Rule(
    "lock-duplicate", "A version stands once in schema.lock", basis: lockBasis)
  package static let lockOrder = Rule(
    "lock-order", "Versions go up in schema.lock", basis: lockBasis)
  package static let lockStateOrder = Rule(
    "lock-state-order", "No version has shipped after one that has not", basis: lockBasis)
  package static let lockEdited = Rule(
    "lock-edited", "An entry of schema.lock is as schemagen wrote it", basis: lockBasis)
  package static let lockChain = Rule(
    "lock-chain", "Each entry of schema.lock follows the one that it was written after",
    basis: lockBasis)

  package static let shippedVersionEdited = Rule(
    "shipped-version-edited", "A version that has shipped is not what it was",
    basis: .guide(.versionedSchema, "don't edit old schema versions retroactively"))
  package static let shippedVersionMissing = Rule(
    "shipped-version-missing", "A version that has shipped is gone",
    basis: .guide(.ritualist, "schema migrations are permanent"))
  package static let shippedVersionRenumbered = Rule(
    "shipped-version-renumbered", "A version that has shipped has another number now",
    basis: .guide(.ritualist, "schema migrations are permanent"))
  package static let releaseMarkRemoved = Rule(
    "release-mark-removed", "The lock no longer says that a version has shipped",
    basis: .guide(.ritualist, "schema migrations are permanent"))
  package static let brokenBase = Rule(
    "broken-base", .warning, "The base of the comparison cannot be read completely",
    basis: lockBasis)
  package static let newFolder = Rule(
    "new-folder", .note, "The base of the comparison does not have the folder", basis: lockBasis)
  package static let notRebased = Rule(
    "not-rebased", "Versions of two branches are joined only where that is safe",
    basis: .page("lock", "two-branches"))
  package static let rebaseConflict = Rule(
    "rebase-conflict", "Two branches changed one thing in two ways",
    basis: .page("lock", "two-branches"))
}
