internal import ManagedModels
internal import SchemaEvolution
internal import SchemaModel
internal import SchemaReporting
internal import StoreFormat

extension StoreMatch {
  static func recognition(
    _ matches: [Comparison], _ facts: StoreFacts, after words: String = ""
  ) -> Document {
    guard let first = matches.first else { return [] }
    let names = matches.map { "\($0.candidate.name) of \($0.candidate.folder)" }
    let isByTables = facts.model == nil && first.foreignHashes?.isEmpty != true
    let proven = matches.filter { $0.foreignHashes?.isEmpty == true }.map(\.candidate.name)
    let bridge =
      "this version is a bridge: a migration was interrupted, and continues from here when the app opens the store"
    return Block.item(
      "\(words)the store is version \(names.joined(separator: " and version "))\(isByTables ? ", by tables, columns and unique indexes" : "")",
      (proven.isEmpty ? [] : ["proven: its hashes are those of \(proven.enumeration)"])
        + first.caveats.map { "not verified: \($0)" }
        + (first.candidate.isBridge ? [bridge] : [])
        + first.differences.map { "\($0.element): \($0.detail) (no other version)" })
  }

  static func mismatch(_ count: Int) -> String {
    "the store does not match \(count == 1 ? "the one version" : "any of the \(count) versions") of the manifests"
  }
}

extension StoreMatch.Comparison {
  /// The version, and a line for each difference from the store that Core Data hashes.
  ///
  /// - Parameter words: How the version relates to the store: `nearest is`.
  func document(_ words: String, _ facts: StoreFacts) -> Document {
    let hashed = differences.filter(\.isHashed)
    let told = Set(hashed.map { $0.element.prefix { $0 != "." } })
    // The entities whose hashes differ from the manifest's, or from those with which the version shipped.
    let changed = Set(changedEntities(facts)).union(foreignHashes ?? []).sorted()
    // A subentity's hash includes its superentity's.
    let models = candidate.model.entitiesByName
    let others = changed.filter { name in
      !told.contains(name[...])
        && !(models[name]?.superentity.map(changed.contains) ?? false)
    }
    var lines = hashed.map { "\($0.element): \($0.detail)" } + tables
    if !others.isEmpty {
      lines.append(
        "hashes: not those of \(candidate.name): \(others.joined(separator: ", "))"
          + (facts.model == nil ? "; the store has no model that shows why" : ""))
    }
    return Block.item(
      "\(words) \(candidate.name) of \(candidate.folder):",
      lines + caveats.map { "not verified: \($0)" })
  }

  /// Entities whose hash in the store certainly differs from the version's; sorted.
  func changedEntities(_ facts: StoreFacts) -> [String] {
    guard !facts.hashes.isEmpty else { return [] }
    let model = candidate.model
    let made = model.versionHashes.entities
    let doubts = model.hashDoubts
    return Set(facts.hashes.keys).union(made.keys).filter { name in
      facts.hashes[name] != made[name]
        && (doubts[name] == nil || facts.hashes[name] == nil || made[name] == nil)
    }.sorted()
  }

  var caveats: [String] {
    doubts.sorted { $0.key < $1.key }.map { name, doubts in
      "the hash of \(name): \(doubts.map(\.text).joined(separator: "; "))"
    }
  }
}

extension StoreFacts {
  package var writerWords: String {
    switch writer {
    case .coreData: "Apple's Core Data, which SwiftData uses"
    case .portable: "schemagen's portable SwiftData; Apple's must never open the store"
    }
  }

  package var versionWords: String {
    let identifiers = versionIdentifiers.joined(separator: ", ")
    return identifiers.isEmpty ? "none in the metadata" : identifiers + ", from the metadata"
  }

  var modelWords: String {
    switch modelSource {
    case .modelCache?: "from the model cache"
    case .metadata?: "from the metadata"
    case nil: "not in the store; tables and metadata only"
    }
  }
}
