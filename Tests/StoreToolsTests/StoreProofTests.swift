import Foundation
import SchemaEvolution
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import StoreTools
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// Hashes of stores as proof of versions.
@Suite struct StoreProofTests {
  static let folder = "Schemas/Travel"

  /// A store of a version that looks like one of Apple's framework; `change` may damage it.
  private func write(
    _ path: String, _ index: Int = 0, isApples: Bool = true,
    change: (StoreFile, ManagedModel) throws -> Void = { _, _ in }
  ) throws -> Evolution {
    let evolution = try Evolution.of(Self.folder)
    let model = VersionModel.history(of: evolution)[index].model
    let store = try StoreFile(at: .file(URL(filePath: path)))
    try store.create(model)
    if isApples { try Stores.disguise(store, model) }
    try change(store, model)
    return evolution
  }

  private func refusal(
    _ path: String, _ number: VersionNumber?, _ evolution: Evolution
  ) -> StoreRefusal? {
    do {
      _ = try StoreProof(storeAt: URL(filePath: path), of: number, in: evolution)
      return nil
    } catch let refusal as StoreRefusal {
      return refusal
    } catch {
      Issue.record("\(error)")
      return nil
    }
  }

  @Test("A store proves its version, whether or not the version is named")
  func proof() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/one.store"
      let evolution = try write(path)
      let facts = try Stores.facts(path)
      for number in [nil, evolution.history[0].number] {
        let proof = try StoreProof(storeAt: URL(filePath: path), of: number, in: evolution)
        #expect(proof.number == evolution.history[0].number)
        #expect(proof.hashes.checksum == facts.checksum)
        #expect(
          proof.hashes.entities == facts.hashes.mapValues { $0.base64EncodedString() })
      }
    }
  }

  @Test("Proving another version fails and lists the differences")
  func otherVersion() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/one.store"
      let evolution = try write(path)
      let second = evolution.history[1].number
      let refused = try #require(refusal(path, second, evolution))
      #expect(
        refused.reason
          == "it does not match \(second.name), but \(evolution.history[0].number.name)")
      #expect(refused.details.contains { $0.contains("in the version only") })
      #expect(
        refusal(path, VersionNumber(77), evolution)?.reason.contains("no version V77") == true)
    }
  }

  @Test("A rehearsal's store is refused as a proof")
  func rehearsals() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/one.store"
      let evolution = try write(path, isApples: false)
      let refused = try #require(refusal(path, nil, evolution))
      #expect(refused.reason == "it was written by a rehearsal, not by Apple's SwiftData")
    }
  }

  @Test(
    "A store with a trait that manifests cannot express is refused")
  func knownDifference() throws {
    let evolution = try Evolution.of("Schemas/Ritualist")
    let version = VersionModel.history(of: evolution)[0].model
    let place = try #require(version.entities.firstIndex { !$0.relationships.isEmpty })
    var ordered = version
    ordered.entities[place].relationships[0].isOrdered = true
    var marked = version
    marked.entities[place].hashModifier = "2"
    for (model, word) in [(ordered, "ordered"), (marked, "hash modifier '2'")] {
      let comparison = ModelComparison(model, version)
      #expect(!comparison.isSame)
      #expect(comparison.differences.contains { $0.isHashed && $0.detail.contains(word) })
    }
    try withTemporaryFolder { folder in
      let path = folder + "/one.store"
      let store = try StoreFile(at: .file(URL(filePath: path)))
      try store.create(marked)
      try Stores.disguise(store, marked)
      let number = evolution.history[0].number
      #expect(refusal(path, number, evolution) != nil)
      #expect(refusal(path, nil, evolution) != nil)
    }
  }

  @Test("As a proof, a store without a model or without matching hashes is refused")
  func unsound() throws {
    try withTemporaryFolder { folder in
      let bare = folder + "/bare.store"
      let evolution = try write(bare) { store, _ in
        try store.database.run("DELETE FROM Z_MODELCACHE")
      }
      #expect(refusal(bare, nil, evolution)?.reason == "it has no model cache")
      let odd = folder + "/odd.store"
      _ = try write(odd, isApples: false) { store, model in
        try Stores.disguise(store, model, digest: "AAAA")
      }
      #expect(refusal(odd, nil, evolution)?.reason.hasPrefix("its hashes contradict") == true)
    }
  }

  @Test("'inspect' recognises proven hashes and reports others as a difference")
  func inspection() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/one.store"
      let evolution = try write(path)
      let facts = try Stores.facts(path)
      let number = evolution.history[0].number
      var hashes = facts.hashes.mapValues { $0.base64EncodedString() }
      func report() -> InspectionReport {
        InspectionReport(
          path: "one.store", facts: facts,
          candidates: VersionCandidate.all(
            of: evolution, folder: "S", proven: [number: hashes]))
      }
      let proven = report()
      #expect(proven.exitStatus == 0)
      #expect(
        proven.document.text().hasSuffix(
          "the store is version V1 of S\n  proven: its hashes are those of V1\n"))
      #expect(JSONText.encode(proven).contains("\"foreignHashes\" : [\n\n"))
      let name = try #require(hashes.keys.min())
      hashes[name] = Data(repeating: 0, count: 32).base64EncodedString()
      let other = report()
      #expect(other.exitStatus == 1)
      #expect(
        other.document.text().contains("  hashes: not those of V1: \(name)\n"),
        "\(other.document.text())")
      #expect(JSONText.encode(other).contains("\"foreignHashes\" : [\n        \"\(name)\""))
      #expect(other.match?.nearest?.candidate.name == "V1")
    }
  }

  /// Stores that Apple's SwiftData wrote, each of a version of its own.
  @Test(
    .enabled(if: AppleStores.folder != nil, Comment(rawValue: AppleStores.missing)),
    arguments: [
      ("freezeray-1", "freezeray-1", true), ("freezeray-1", "freezeray-2", false),
      ("openaso-v1", "openaso-v4", false),
    ])
  func applesStores(_ one: String, _ two: String, _ isSame: Bool) throws {
    let adoption = try StoreAdoption.read(storeAt: AppleStores.original(one), folder: "S")
    let files = MemoryFiles(adoption.files)
    try GenerationPipeline(fileSystem: files).run("S").write(to: files)
    let evolution = try #require(SchemaFolder.read("S", fileSystem: files).evolution)
    let proof = try StoreProof(storeAt: AppleStores.original(one), of: nil, in: evolution)
    let release = ReleaseMarking.prepare(
      "S", upTo: proof.number, proving: proof.hashes, fileSystem: files)
    #expect(release.diagnostics.isEmpty && release.proven == adoption.number)
    try release.write(to: files)
    let proven = SchemaFolder.lock(in: "S", fileSystem: files).provenHashes
      .mapValues(\.entities)
    let match = StoreMatch(
      try StoreFacts(ofStoreAt: AppleStores.original(two)),
      candidates: VersionCandidate.all(of: evolution, folder: "S", proven: proven))
    #expect(match.matches.first?.foreignHashes?.isEmpty == (isSame ? true : nil))
    if !isSame { #expect(match.nearest?.foreignHashes?.isEmpty == false) }
  }
}
