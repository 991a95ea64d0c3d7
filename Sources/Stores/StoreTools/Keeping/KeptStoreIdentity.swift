internal import ManagedModels
internal import SchemaEvolution
internal import SchemaModel
internal import SchemaWorkspace
internal import StoreFormat

/// What a shipped store proves about itself, whatever its metadata and name say.
struct KeptStoreIdentity {
  /// The versions with the store's hashes, several if the engine cannot distinguish them. Never empty.
  let versions: [VersionNumber]
  let rows: Int
  let caveats: [String]

  /// - Parameter path: The store's path as the user gave it.
  /// - Throws: `StoreRefusal` if the store proves no version.
  init(_ facts: StoreFacts, at path: String, in folder: ManifestFolder) throws {
    try StoreProof.checkIsApples(facts)
    if !facts.damage.isEmpty { throw StoreRefusal(reason: "it is damaged", details: facts.damage) }
    guard !facts.hashes.isEmpty, StoreHashes(facts).isSound else {
      throw StoreRefusal(
        reason: facts.hashes.isEmpty
          ? "its metadata has no hashes" : "its hashes contradict each other or its entities",
        details: ["'schemagen inspect' shows the metadata"])
    }
    let match = StoreMatch(facts, candidates: folder.candidates)
    if let bridge = match.matches.first, bridge.candidate.isBridge {
      throw StoreRefusal(
        reason:
          "a migration was interrupted: the store is at the bridge '\(bridge.candidate.name)'",
        details: [
          "open the store with the app, which continues the migration, and add the store again"
        ])
    }
    // Tables alone prove nothing, since two versions may differ in what only a hash shows.
    let proven = match.matches.filter { $0.foreignHashes?.isEmpty == true }
    let names = Set((proven.isEmpty ? match.matches : proven).map(\.candidate.name))
    versions = folder.history.map(\.number).filter { names.contains($0.name) }
    caveats = match.matches.first?.caveats ?? []
    rows = facts.entities.reduce(0) { $0 + Int($1.rowCount ?? 0) }
    guard !versions.isEmpty, !proven.isEmpty || !caveats.isEmpty else {
      throw StoreRefusal(
        reason: match.matches.isEmpty
          ? "it matches none of the versions" : "it has no hashes that prove a version",
        details: [
          "what differs and the ways out: schemagen doctor \(ShellWord.quoted(path))"
            + ShellWord.schemas(folder.path)
        ])
    }
  }
}
