import Foundation
import ManagedModels
import Testing

@testable import StoreFormat

/// The recogniser's rules, on invented evidence. SchemaMigrationKit's tests use real stores and histories.
@Suite struct VersionRecognizerTests {
  // MARK: Models

  private static let name = ManagedAttribute(name: "name", type: .string)

  private static func version(
    _ number: String, _ attributes: [ManagedAttribute] = [name], bridge: Bool = false,
    hashes: [String: Data] = [:]
  ) -> VersionCandidate {
    VersionCandidate(
      name: "V\(number)",
      model: ManagedModel(
        entities: [
          ManagedEntity(name: "Day", attributes: [Self.name]),
          ManagedEntity(name: "Trip", attributes: attributes),
        ], versionIdentifier: number),
      isBridge: bridge, knownHashes: hashes.mapValues { $0.base64EncodedString() })
  }

  private static func outline(_ candidate: VersionCandidate) -> VersionCandidate {
    var candidate = candidate
    candidate.gaps.isLayoutOnly = true
    return candidate
  }

  private static func hashes(_ day: UInt8, _ trip: UInt8) -> [String: Data] {
    ["Day": Data([day]), "Trip": Data([trip])]
  }

  /// A store with these columns of `Trip`, and `Day.name`.
  private static func evidence(
    _ columns: [String] = ["ZNAME"], identifiers: [String] = [], hashes: [String: Data] = [:],
    model: ManagedModel? = nil
  ) -> StoreEvidence {
    func table(_ columns: [String]) -> [String: String] {
      var table = ["Z_PK": "INTEGER", "Z_ENT": "INTEGER", "Z_OPT": "INTEGER"]
      for column in columns { table[column] = "VARCHAR" }
      return table
    }
    return StoreEvidence(
      structure: StoreStructure(
        tables: ["ZDAY": table(["ZNAME"]), "ZTRIP": table(columns)],
        entities: [
          StoreStructure.Entity(number: 1, name: "Day", superNumber: 0),
          StoreStructure.Entity(number: 2, name: "Trip", superNumber: 0),
        ]),
      identifiers: identifiers, hashes: hashes, model: model)
  }

  private static let code = ManagedAttribute(name: "code", type: .string)

  private func verdict(
    _ evidence: StoreEvidence, _ candidates: VersionCandidate...
  ) -> VersionRecognizer.Verdict {
    VersionRecognizer(evidence, candidates: candidates).verdict
  }

  // MARK: Hashes

  @Test func knownHashesDecide() {
    let store = Self.evidence(identifiers: ["2"], hashes: Self.hashes(1, 2))
    let other = Self.version("2", hashes: Self.hashes(1, 3))
    #expect(
      verdict(store, Self.version("1", hashes: Self.hashes(1, 2)), other) == .exact(0, by: .hashes))
    // The tables match, but not the hashes.
    #expect(verdict(store, other) == .unknown(named: [0]))
  }

  @Test(
    "Hashes identify a version if only its layout is known; otherwise its columns must match too"
  )
  func editedVersions() {
    let store = Self.evidence(hashes: Self.hashes(1, 2))
    let edited = Self.version("1", [Self.name, Self.code], hashes: Self.hashes(1, 2))
    #expect(verdict(store, edited) == .unknown(named: []))
    #expect(verdict(store, Self.outline(edited)) == .exact(0, by: .hashes))
  }

  @Test("Hashes of some entities neither prove nor exclude a version")
  func incompleteHashes() {
    let part = Self.version("1", hashes: ["Trip": Data([2])])
    let agreeing = Self.evidence(identifiers: ["2"], hashes: ["Trip": Data([2])])
    #expect(
      verdict(agreeing, Self.outline(part), Self.version("2", [Self.name, Self.code]))
        == .disputed(0, by: .hashes))
    let differing = Self.evidence(hashes: Self.hashes(1, 3))
    #expect(verdict(differing, part) == .exact(0, by: .tables))
  }

  @Test func versionsWithTheStoresHashesComeBeforeThoseWithItsTables() {
    let hashes = Self.hashes(1, 2)
    let (first, second) = (Self.version("1", hashes: hashes), Self.version("2", hashes: hashes))
    let third = Self.version("3")
    #expect(
      verdict(Self.evidence(hashes: hashes), first, second, third)
        == .ambiguous([0, 1], by: .hashes))
    #expect(
      verdict(Self.evidence(identifiers: ["2"], hashes: hashes), first, second, third)
        == .exact(1, by: .hashes))
  }

  @Test func hashesOfOtherEntitiesThanTheTablesAreNoVersion() {
    var hashes = Self.hashes(1, 2)
    hashes["Stop"] = Data([3])
    #expect(verdict(Self.evidence(hashes: hashes), Self.version("1")) == .unknown(named: []))
  }

  // MARK: Models

  @Test("Two versions with the store's model are ambiguous, whatever the store's metadata says")
  func models() {
    let (first, second) = (Self.version("1"), Self.version("2"))
    let store = Self.evidence(identifiers: ["2"], model: first.model)
    #expect(verdict(store, first, second) == .ambiguous([0, 1], by: .model))
    let other = Self.version("2", [Self.name, Self.code])
    #expect(verdict(store, first, other) == .exact(0, by: .model))
  }

  @Test func anOutlineIsComparedByTables() {
    var optional = Self.name
    optional.isOptional = true
    let store = Self.evidence(model: Self.version("1", [optional]).model)
    #expect(verdict(store, Self.version("1")) == .unknown(named: []))
    #expect(verdict(store, Self.outline(Self.version("1"))) == .exact(0, by: .tables))
  }

  @Test func columnsThatNobodyKnowsDoNotDiffer() {
    var place = ManagedAttribute(name: "place", type: .composite)
    var version = Self.version("1", [place])
    place.elements = [ManagedAttribute(name: "street", type: .string)]
    let store = Self.evidence(["ZSTREET"], model: Self.version("1", [place]).model)
    #expect(verdict(store, version) == .unknown(named: []))
    version.gaps.attributes = ["Trip.place"]
    #expect(verdict(store, version) == .exact(0, by: .model))
  }

  // MARK: Tables and numbers

  @Test func metadataDecideBetweenVersionsWithTheStoresTables() {
    let versions = (Self.version("1.0.0"), Self.version("2.0"), Self.version("3", [Self.code]))
    func found(_ identifiers: String...) -> VersionRecognizer.Verdict {
      verdict(Self.evidence(identifiers: identifiers), versions.0, versions.1, versions.2)
    }
    #expect(found() == .ambiguous([0, 1], by: .tables))
    #expect(found("1") == .exact(0, by: .tables))
    #expect(found("2.0.0") == .exact(1, by: .tables))
    #expect(found("1", "2") == .ambiguous([0, 1], by: .tables))
    #expect(found("3.0") == .ambiguous([0, 1], by: .tables))
    // These are not version numbers.
    for text in ["2.0.0.0", "two", "", "2.", "+2"] {
      #expect(found(text) == .ambiguous([0, 1], by: .tables), "\(text)")
    }
  }

  @Test func metadataAloneProveNothing() {
    let (first, second) = (Self.version("1"), Self.version("2", [Self.name, Self.code]))
    #expect(verdict(Self.evidence(), first, second) == .exact(0, by: .tables))
    let store = Self.evidence(identifiers: ["2"])
    #expect(verdict(store, first, second) == .disputed(0, by: .tables))
    #expect(VersionRecognizer(store, candidates: [first, second]).version == nil)
  }

  @Test("A store numbered above the last version is newer if nothing else matches")
  func newerStores() {
    let versions = (Self.version("1", [Self.code]), Self.version("2", [Self.code]))
    func found(_ identifiers: String...) -> VersionRecognizer.Verdict {
      verdict(Self.evidence(identifiers: identifiers), versions.0, versions.1)
    }
    #expect(found("2.0.1") == .newer(identifier: "2.0.1"))
    #expect(found("0.9") == .unknown(named: []))
    #expect(found("1.5") == .unknown(named: []))
    #expect(found("1", "9") == .unknown(named: [0]))
    #expect(
      verdict(Self.evidence(identifiers: ["9"]), Self.version("1")) == .exact(0, by: .tables))
  }

  // MARK: The nearest

  @Test func theNearestIsTheNewestThatIsNoBridgeUnlessMetadataNameOne() {
    let candidates = [
      Self.version("1", [Self.code]), Self.version("2", [Self.code]),
      Self.version("3", [Self.name, Self.code], bridge: true),
      Self.version("4", [Self.code, ManagedAttribute(name: "note", type: .string)]),
    ]
    func nearest(_ identifiers: String...) -> Int? {
      VersionRecognizer(Self.evidence(identifiers: identifiers), candidates: candidates).nearest
    }
    #expect(nearest() == 1)
    #expect(nearest("4") == 3)
    #expect(nearest("1") == 0)
    #expect(VersionRecognizer(Self.evidence(), candidates: []).nearest == nil)
  }

  @Test("The version that the metadata names is the nearest, even if another shares more hashes")
  func theNumberComesBeforeHashes() {
    let candidates = [
      Self.version("1", [Self.code], hashes: Self.hashes(1, 9)),
      Self.version("2", [Self.code], hashes: Self.hashes(7, 2)),
    ]
    func nearest(_ identifiers: String...) -> Int? {
      let store = Self.evidence(identifiers: identifiers, hashes: Self.hashes(7, 3))
      return VersionRecognizer(store, candidates: candidates).nearest
    }
    #expect(nearest() == 1)
    #expect(nearest("1") == 0)
  }
}
