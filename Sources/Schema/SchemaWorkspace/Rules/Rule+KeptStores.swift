package import SchemaModel

/// The rules about kept stores, which `StoreTools` applies. They are declared here so that `explain` knows them without
/// reading stores.
extension Rule {
  package static let brokenStoreList = Rule(
    "broken-store-list", "The list of kept stores can be read", basis: .page("kept-stores"))
  package static let keptStoreMissing = Rule(
    "kept-store-missing",
    "Every kept store of the list is there, and every store there is in the list",
    basis: .page("kept-stores"))
  package static let keptStoreChanged = Rule(
    "kept-store-changed", "A kept store is byte for byte what was taken in",
    basis: .page("kept-stores"))
  package static let keptStoreVersion = Rule(
    "kept-store-version", "A kept store is of the version that the list says",
    basis: .fact(.identity, "recognised-by-hashes", .certain))
  package static let keptStoreNotFetched = Rule(
    "kept-store-not-fetched", .note, "Kept stores are fetched from Git LFS",
    basis: .page("kept-stores", "git-lfs"))
  package static let versionWithoutStore = Rule(
    "version-without-store", .warning, "Of every version that shipped a store is kept",
    basis: .page("kept-stores"))
}
