package import Foundation
internal import ManagedModels
package import SchemaEvolution
package import SchemaModel
package import SchemaWorkspace
internal import StoreFormat

/// What a store proves about a version that it matches: the hashes that Apple's framework computed.
package struct StoreProof: Sendable {
  package let number: VersionNumber
  package let hashes: LockedHashes

  /// Compares a store with a version.
  ///
  /// - Parameter wanted: The version; nil for the version that matches the store.
  /// - Throws: `StoreError` if the file is not a store or cannot be read, `StoreRefusal` if the store proves nothing.
  package init(
    storeAt url: URL, of wanted: VersionNumber?, in evolution: Evolution
  ) throws {
    let facts = try StoreFacts(ofStoreAt: url)
    try Self.checkIsProof(facts)
    number = try Self.version(of: facts, wanted, evolution)
    let hashes = StoreHashes(facts)
    guard hashes.isSound, let checksum = hashes.madeChecksum,
      let proven = LockedHashes(
        checksum: checksum, entities: facts.hashes.mapValues { $0.base64EncodedString() },
        isProven: true)
    else {
      throw StoreRefusal(
        reason: "its hashes contradict each other or its entities",
        details: ["'schemagen inspect' shows the hashes"])
    }
    self.hashes = proven
    try checkAgrees(facts, evolution)
  }

  /// Throws if the store's model gives the store's hashes, but the version's model gives other hashes. Classes of the
  /// version could not open the store.
  private func checkAgrees(_ facts: StoreFacts, _ evolution: Evolution) throws {
    guard let model = facts.model, model.versionHashes.entities == facts.hashes,
      let own = SchemaLock(evolution, previous: SchemaLock()).hashes[number]
    else { return }
    let others = own.entities.keys.sorted().filter { own.entities[$0] != hashes.entities[$0] }
    guard let first = others.first else { return }
    throw StoreRefusal(
      reason:
        "its model gives the store's hashes, but \(number.name) gives another hash for '\(first)'",
      details: [
        "classes of \(number.name) would not open it (134504): 'schemagen inspect' shows both hashes",
        "take the version from the app's own model: 'schemagen adopt --xcdatamodel' or 'schemagen adopt'",
      ])
  }

  static func checkIsApples(_ facts: StoreFacts) throws {
    if facts.writer == .portable {
      throw StoreRefusal(
        reason: "it was written by a rehearsal, not by Apple's SwiftData",
        details: [
          "only Apple's SwiftData writes the hashes by which devices recognise stores",
          "use a store from a device or simulator that ran the version",
        ])
    }
  }

  private static func checkIsProof(_ facts: StoreFacts) throws {
    try checkIsApples(facts)
    if !facts.damage.isEmpty { throw StoreRefusal(reason: "it is damaged", details: facts.damage) }
    guard facts.model != nil else {
      throw StoreRefusal(
        reason: "it has no model cache",
        details: ["tables do not record which columns are optional, so they do not prove a version"]
      )
    }
    guard !facts.hashes.isEmpty else {
      throw StoreRefusal(reason: "its metadata has no hashes", details: [])
    }
  }

  private static func version(
    of facts: StoreFacts, _ wanted: VersionNumber?, _ evolution: Evolution
  ) throws -> VersionNumber {
    guard let model = facts.model else { return VersionNumber(0) }
    let versions = zip(evolution.history, VersionModel.history(of: evolution)).map {
      (number: $0.number, comparison: ModelComparison(model, $1))
    }
    let same = versions.filter(\.comparison.isSame).map(\.number)
    if let wanted {
      guard let found = versions.first(where: { $0.number == wanted }) else {
        throw StoreRefusal(
          reason: "the manifests have no version \(wanted.name) to compare the store with",
          details: ["there are: " + versions.map(\.number.name).joined(separator: ", ")])
      }
      guard found.comparison.isSame else {
        let others = same.map(\.name).joined(separator: " and ")
        throw StoreRefusal(
          reason: "it does not match \(wanted.name)" + (same.isEmpty ? "" : ", but \(others)"),
          details: found.comparison.differences.filter(\.isHashed).map {
            "\($0.element): \($0.detail)"
          })
      }
      return wanted
    }
    guard let only = same.first, same.count == 1 else {
      throw StoreRefusal(
        reason: same.isEmpty
          ? "it matches none of the versions"
          : "it matches \(same.map(\.name).joined(separator: " and "))",
        details: [
          same.isEmpty
            ? "'schemagen inspect' shows what differs" : "name one version: 'schemagen release V…'"
        ])
    }
    return only
  }
}
