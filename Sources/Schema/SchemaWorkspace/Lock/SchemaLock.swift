internal import ManagedModels
package import SchemaEvolution
package import SchemaModel

/// `schema.lock`: each version as it was last generated, and which versions have shipped.
package struct SchemaLock: Sendable, Equatable {
  package static let fileName = "schema.lock"

  package enum State: String, Sendable, CaseIterable {
    case draft
    case released
  }

  package struct Entry: Sendable, Equatable {
    package var version: VersionNumber
    package var state: State
    /// A digest of everything that the framework may hash, and more. It changes whenever `hashes` would, even if the
    /// hashes are unknown.
    package var identity: String
    /// The manifest's digest at release; comments and the order of keys do not change it.
    package var digest: VersionDigest
    /// The hashes that identify stores of this version; nil if the entry was made without a manifest.
    package var hashes: LockedHashes?
    /// The SHA-256, in lower-case hex, of the export of CloudKit's production schema that had everything the version
    /// writes. Nil if no export was compared.
    package var production: String?

    package init(
      version: VersionNumber, state: State, identity: String, digest: VersionDigest,
      hashes: LockedHashes? = nil, production: String? = nil
    ) {
      self.version = version
      self.state = state
      self.identity = identity
      self.digest = digest
      self.hashes = hashes
      self.production = production
    }
  }

  package var entries: [Entry] = []
  /// The folders of generated files, relative to the folder of manifests.
  package var folders: [String] = []
  package var documentation: String?
  package var owned: [String] = []

  package init() {}
}

// MARK: - Making

extension SchemaLock {
  /// The lock of an evolution, with states from the previous lock. A version before a shipped one has also shipped if
  /// its manifest says so, since stores reach the later version only through it.
  package init(_ evolution: Evolution, previous: SchemaLock) {
    let known = Dictionary(previous.entries, keyedBy: \.version)
    let last = previous.released.max()
    entries = evolution.history.enumerated().map { index, version in
      let identity = evolution.versions[index].identity
      let before = known[version.number]
      let proven = before?.hashes.flatMap { $0.isProven ? $0 : nil }
      let isBetween = version.identity == .shipped && last.map { version.number < $0 } ?? false
      return Entry(
        version: version.number, state: before?.state ?? (isBetween ? .released : .draft),
        identity: identity.full,
        digest: before?.released ?? VersionDigest(version),
        hashes: proven ?? LockedHashes(made: identity),
        production: before?.state == .released ? before?.production : nil)
    }
  }

  /// The SHA-256 of everything in a version's manifest, including documentation, in lower-case hex.
  package static func digest(_ version: SchemaVersion) -> String {
    SHA256.hash(SchemaText(version).text).hexadecimal
  }

  static let format = 1

  package var text: String {
    var text = """
      # Written by schemagen. Commit it and leave it as it is: it knows which versions have shipped.
      format: \(Self.format)
      versions:

      """
    for entry in entries { text += entry.text + "    sum: \(entry.sum)\n" }
    if !folders.isEmpty { text += "generated:\n" }
    for (key, paths) in [
      ("folders", folders), ("documentation", documentation.map { [$0] } ?? []), ("owned", owned),
    ] where !folders.isEmpty && !paths.isEmpty {
      text += "  \(key):\n" + paths.map { "    - \(Self.quoted($0))\n" }.joined()
    }
    return text
  }

  private static func quoted(_ path: String) -> String {
    "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }
}

extension SchemaLock.Entry {
  /// The digest of a shipped version, without later corrections of its step. Nil for drafts.
  fileprivate var released: VersionDigest? { state == .released ? digest : nil }

  fileprivate var text: String {
    var text = """
        - version: \(version)
          state: \(state.rawValue)
          identity: \(identity)
          structure: \(digest.structure)
          step: \(digest.step)

      """
    if let hashes {
      if let checksum = hashes.checksum { text += "    checksum: \(checksum)\n" }
      if !hashes.entities.isEmpty { text += "    hashes:\n" }
      for (name, hash) in hashes.sorted { text += "      \(name): \(hash)\n" }
      if !hashes.uncertain.isEmpty { text += "    uncertain:\n" }
      for element in hashes.uncertain { text += "      - \(element)\n" }
      if hashes.isProven { text += "    proof: store\n" }
    }
    if let production { text += "    production: \(production)\n" }
    return text
  }

  /// The SHA-256 of the entry's lines. It catches accidents only, since anyone who edits an entry can update its sum.
  var sum: String { SHA256.hash(text).hexadecimal }
}

// MARK: - Releasing

extension SchemaLock {
  package var released: Set<VersionNumber> {
    Set(entries.filter { $0.state == .released }.map(\.version))
  }

  /// The shipped versions, and the versions of a history with `identity: shipped` that were edited after their release.
  package func shipped(of history: [SchemaVersion]) -> ShippedVersions {
    let known = Dictionary(entries.filter { $0.state == .released }, keyedBy: \.version)
    let corrected = history.filter { version in
      version.identity == .shipped && known[version.number]?.digest.edit(to: version) != nil
    }
    return ShippedVersions(released: Set(known.keys), corrected: Set(corrected.map(\.number)))
  }

  /// Marks a version and all before it as shipped.
  ///
  /// - Returns: The versions that were drafts until now.
  package mutating func release(upTo number: VersionNumber) -> [VersionNumber] {
    var released: [VersionNumber] = []
    for index in entries.indices
    where entries[index].version <= number && entries[index].state == .draft {
      entries[index].state = .released
      released.append(entries[index].version)
    }
    return released
  }

  package mutating func note(production digest: String, of number: VersionNumber) {
    for index in entries.indices where entries[index].version == number {
      entries[index].production = digest
    }
  }

  mutating func note(_ digest: VersionDigest, of number: VersionNumber) {
    for index in entries.indices where entries[index].version == number {
      entries[index].digest = digest
    }
  }

  package mutating func note(_ hashes: LockedHashes, of number: VersionNumber) {
    for index in entries.indices where entries[index].version == number {
      entries[index].hashes = hashes
    }
  }
}
