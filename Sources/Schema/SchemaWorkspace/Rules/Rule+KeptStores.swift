package import SchemaModel

/// The rules about kept stores, which `StoreTools` applies. They are declared here so that `explain` knows them without
/// reading stores.
extension Rule {
  package static let brokenStoreList = Rule(
    "broken-store-list", "The list of kept stores can be read", basis: .page("kept-stores"))
  package static let keptStoreMissing = Rule(
    "kept-store-missing",
    "Every kept store in the list exists, and every store in the folder is in the list",
    basis: .page("kept-stores"))
  package static let keptStoreChanged = Rule(
    "kept-store-changed", "A kept store has not changed since it was added",
    basis: .page("kept-stores"))
  package static let keptStoreVersion = Rule(
    "kept-store-version", "A kept store has the version that the list gives",
    basis: .fact(.identity, "recognised-by-hashes", .certain))
  package static let keptStoreNotFetched = Rule(
    "kept-store-not-fetched", .note, "Kept stores are fetched from Git LFS",
    basis: .page("kept-stores", "git-lfs"))
  package static let versionWithoutStore = Rule(
    "version-without-store", .warning, "A store of every shipped version is kept",
    basis: .page("kept-stores"))
}
