internal import Foundation
internal import ManagedModels
internal import SchemaEvolution
package import SchemaModel

/// The hashes by which Core Data recognises stores of a version.
package struct LockedHashes: Sendable, Equatable {
  /// The SHA-256 of all entities' hashes, in base64 (`NSStoreModelVersionChecksumKey`). Nil if a hash is missing.
  package let checksum: String?
  /// Each entity's hash, 32 bytes in base64 (`NSStoreModelVersionHashes`). Uncertain hashes are left out.
  package let entities: [String: String]
  /// The elements that make hashes uncertain, sorted: `Trip.size`, or `Trip` for the model itself.
  package let uncertain: [String]
  /// Whether the hashes come from a store written by Apple's framework. False if they are computed from the manifest.
  package let isProven: Bool

  /// Complete hashes from a store or an earlier lock.
  ///
  /// Nil if a string is not 32 bytes in base64, or a name is invalid.
  package init?(checksum: String, entities: [String: String], isProven: Bool) {
    self.init(checksum: checksum, entities: entities, uncertain: [], isProven: isProven)
  }

  /// - Parameter checksum: Nil if and only if something is uncertain.
  init?(checksum: String?, entities: [String: String], uncertain: [String], isProven: Bool) {
    let isWhole = ([checksum].compactMap { $0 } + entities.values).allSatisfy {
      Data(base64Encoded: $0)?.count == 32
    }
    guard isWhole, entities.keys.allSatisfy(SwiftIdentifier.isValid),
      uncertain.isEmpty ? checksum != nil && !entities.isEmpty : checksum == nil && !isProven
    else { return nil }
    self.checksum = checksum
    self.entities = entities
    self.uncertain = uncertain
    self.isProven = isProven
  }

  init(made identity: StructuralIdentity) {
    checksum = identity.checksum
    entities = identity.hashes.entities.mapValues { $0.base64EncodedString() }
    uncertain = Set(identity.doubts.values.joined().map(\.element)).sorted()
    isProven = false
  }

  /// The hashes in byte order of the names, as the framework sorts them.
  var sorted: [(name: String, hash: String)] {
    entities.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { (name: $0.key, hash: $0.value) }
  }

  /// The names of entities whose hashes differ, sorted; empty for equal hashes. An uncertain hash differs from nothing.
  func differences(from other: LockedHashes) -> [String] {
    let names =
      uncertain.isEmpty ? Set(entities.keys).union(other.entities.keys) : Set(entities.keys)
    return names.filter { entities[$0] != other.entities[$0] }.sorted()
  }

  var hasOwnChecksum: Bool {
    guard let checksum else { return true }
    let bytes = entities.compactMapValues { Data(base64Encoded: $0) }
    return checksum == VersionHashes(entities: bytes).checksum
  }

  /// Whether a store with the hashes `shown` proves that these hashes are wrong.
  fileprivate func contradicts(_ shown: LockedHashes) -> Bool {
    !differences(from: shown).isEmpty || checksum != nil && checksum != shown.checksum
  }
}

extension SchemaLock {
  package var hashes: [VersionNumber: LockedHashes] {
    Dictionary(
      entries.compactMap { entry in entry.hashes.map { (entry.version, $0) } }
    ) { first, _ in first }
  }

  package var provenHashes: [VersionNumber: LockedHashes] { hashes.filter(\.value.isProven) }

  /// Findings if a store's hashes contradict the version's proven hashes, or equal the hashes of another version.
  /// Hashes computed from the manifest are replaced by the store's, with a warning.
  func objections(to hashes: LockedHashes, of number: VersionNumber) -> [Diagnostic] {
    guard let own = entries.first(where: { $0.version == number }) else { return [] }
    var found: [Diagnostic] = []
    if let known = own.hashes, known.contradicts(hashes) {
      let names = known.differences(from: hashes)
      let which = names.isEmpty ? "the checksum" : names.joined(separator: ", ")
      if known.isProven {
        return [
          Diagnostic(
            .notReleasable,
            "another store has proven different hashes for \(number.name): they differ in \(which)",
            element: number.name, at: nil,
            help: [
              "one of the two stores does not have \(number.name) as it shipped: 'schemagen inspect' shows their hashes"
            ])
        ]
      }
      found.append(
        Diagnostic(
          .notReleasable,
          "the store's hashes are not those that schemagen computes for \(number.name): they differ in \(which)",
          element: number.name, at: nil,
          help: [
            "the lock keeps the store's hashes, because devices have these",
            "please report this, with the manifest: schemagen computes a wrong hash",
          ], severity: .warning))
    }
    let duplicate = entries.first {
      $0.version != number && $0.hashes?.checksum == hashes.checksum && $0.identity != own.identity
    }
    if let duplicate {
      found.append(
        Diagnostic(
          .notReleasable,
          "\(duplicate.version.name), another version, has the same hashes",
          element: number.name, at: nil,
          help: ["name the version of the store: 'schemagen inspect' shows what it matches"]))
    }
    return found
  }
}
