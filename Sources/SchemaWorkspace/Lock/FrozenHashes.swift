internal import Foundation
package import SchemaModel

/// What Apple's framework made of a version, as a store of it shows: the proof that it has shipped so.
///
/// A version's hashes can be made from its manifest too; these are what a device has.
package struct FrozenHashes: Sendable, Equatable {
  /// Base64 of the SHA-256 of all entities' hashes: `NSStoreModelVersionChecksumKey`.
  package let checksum: String
  /// Base64 of 32 bytes, by entity: `NSStoreModelVersionHashes`.
  package let entities: [String: String]

  /// Nil where a text is not 32 bytes in base64, or a name is none.
  package init?(checksum: String, entities: [String: String]) {
    let isWhole = ([checksum] + entities.values).allSatisfy {
      Data(base64Encoded: $0)?.count == 32
    }
    guard isWhole, !entities.isEmpty, entities.keys.allSatisfy(SwiftIdentifier.isValid) else {
      return nil
    }
    self.checksum = checksum
    self.entities = entities
  }

  /// By the bytes of the names, as the framework counts them.
  var sorted: [(name: String, hash: String)] {
    entities.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { (name: $0.key, hash: $0.value) }
  }
}

extension SchemaFolder {
  /// The hashes that a folder's lock has frozen, by version; none where it is broken.
  package static func frozenHashes(
    in folder: String, fileSystem: some FileSystem
  ) -> [VersionNumber: FrozenHashes] {
    LockFile(folder, fileSystem: fileSystem).trusted?.frozenHashes ?? [:]
  }
}

extension SchemaLock {
  /// The hashes that are frozen, by version.
  package var frozenHashes: [VersionNumber: FrozenHashes] {
    Dictionary(
      entries.compactMap { entry in entry.hashes.map { (entry.version, $0) } }
    ) { first, _ in first }
  }

  /// Why hashes cannot be frozen for a version: other hashes of it are, or another version has these.
  func objections(to hashes: FrozenHashes, of number: VersionNumber) -> [Diagnostic] {
    guard let own = entries.first(where: { $0.version == number }) else { return [] }
    if let frozen = own.hashes, frozen != hashes {
      let names = Set(frozen.entities.keys).union(hashes.entities.keys)
        .filter { frozen.entities[$0] != hashes.entities[$0] }.sorted()
      let which = names.isEmpty ? "the checksum" : names.joined(separator: ", ")
      return [
        Diagnostic(
          .notReleasable,
          "other hashes are frozen for \(number.name) already, and differ in \(which)",
          element: number.name, at: nil,
          help: [
            "one of the two stores is not of \(number.name) as it shipped: see 'schemagen inspect'"
          ])
      ]
    }
    let duplicate = entries.first {
      $0.version != number && $0.hashes == hashes && $0.identity != own.identity
    }
    guard let duplicate else { return [] }
    return [
      Diagnostic(
        .notReleasable,
        "these hashes are frozen for \(duplicate.version.name), which is another version to the framework",
        element: number.name, at: nil,
        help: ["say which version the store is of: see 'schemagen inspect'"])
    ]
  }
}
