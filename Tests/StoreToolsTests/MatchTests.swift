import Foundation
import SchemaEvolution
import SchemaManifest
import SchemaModel
import SchemaReporting
import StoreTools
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

@Suite struct MatchTests {
  static let folders = [
    "Schemas/Ritualist", "Schemas/Habitto", "Schemas/KeepTrack", "Schemas/Travel",
    "Schemas/Recipes",
    "Tests/Support/Fixtures/Everything", "Tests/Support/Fixtures/EveryChange",
  ]

  @Test("Models compare as different if and only if their hashes differ", arguments: folders)
  func identities(_ folder: String) throws {
    let models = VersionModel.chain(of: try Evolution.of(folder))
    try #require(models.count > 1)
    for one in models {
      for other in models where other.unspecified.isEmpty {
        let comparison = ModelComparison(one.model, other)
        #expect(comparison.isSame == (one.model.versionHashes == other.model.versionHashes))
        #expect((comparison.distance == 0) == comparison.isSame)
      }
    }
  }

  @Test(
    "A store of each version is recognised, with and without its model", arguments: folders)
  func versions(_ folder: String) throws {
    let evolution = try Evolution.of(folder)
    let candidates = VersionCandidate.all(of: evolution, folder: folder)
    try withTemporaryFolder { place in
      for (index, candidate) in candidates.enumerated() {
        let path = place + "/\(index)"
        do {
          try StoreFile(at: .file(URL(filePath: path))).create(candidate.model)
        }
        let match = StoreMatch(try Stores.facts(path), candidates: candidates)
        #expect(match.matches.map(\.candidate.name) == [candidate.name])
        #expect(match.nearest == nil)
        do {
          let store = try StoreFile(at: .file(URL(filePath: path)))
          try Stores.disguise(store, candidate.model)
        }
        let cached = try Stores.facts(path)
        #expect(cached.modelSource == .modelCache, "\(cached.notes)")
        #expect(
          StoreMatch(cached, candidates: candidates).matches.map(\.candidate.name)
            == [candidate.name])
        do {
          let store = try StoreFile(at: .file(URL(filePath: path)))
          try store.database.run("DELETE FROM Z_MODELCACHE")
        }
        // Tables show less: versions that differ only in optionality look the same.
        let bare = try Stores.facts(path)
        #expect(bare.model == nil)
        let names = StoreMatch(bare, candidates: candidates).matches.map(\.candidate.name)
        #expect(names.contains(candidate.name))
      }
    }
  }

  /// Versions of a model that has a property with an uncertain hash, and of a model with certain hashes only.
  private static func uncertain(isEnabled: String) -> ManifestFolder {
    DiagnosisTests.folder([
      "Schemas/V1.yaml": """
      version: 1.0.0
      models:
        Photo:
          properties:
            name: String
            size: CGFloat
        Alarm:
          properties:
            isEnabled: \(isEnabled)
      """
    ])
  }

  /// A store as Core Data writes it, without its model.
  ///
  /// - Parameter size: The type that the engine uses for the uncertain property.
  private static func bare(_ folder: ManifestFolder, size: AttributeType) throws -> StoreFacts {
    try withTemporaryFolder { place in
      let path = place + "/store"
      do {
        var model = folder.candidates[0].model
        for entity in model.entities.indices where model.entities[entity].name == "Photo" {
          model.entities[entity].unknowns = []
          for index in model.entities[entity].attributes.indices
          where model.entities[entity].attributes[index].name == "size" {
            model.entities[entity].attributes[index].type = size
          }
        }
        let store = try StoreFile(at: .file(URL(filePath: path)))
        try store.create(model)
        try Stores.disguise(store, model)
        try store.database.run("DELETE FROM Z_MODELCACHE")
      }
      return try Stores.facts(path)
    }
  }

  @Test("A certain difference counts even if another model is uncertain")
  func doubtsHideNothing() throws {
    let written = Self.uncertain(isEnabled: "Bool?")
    let now = Self.uncertain(isEnabled: "Bool")
    for size in [AttributeType.double, .float] {
      let facts = try Self.bare(written, size: size)
      let match = StoreMatch(facts, candidates: now.candidates)
      #expect(match.matches.isEmpty)
      #expect(match.nearest?.foreignHashes == ["Alarm"])
      #expect(match.nearest?.doubts.keys.sorted() == (size == .double ? [] : ["Photo"]))
      let same = StoreMatch(facts, candidates: written.candidates)
      #expect(same.matches.map(\.candidate.name) == ["V1"])
      let report = InspectionReport(path: "a", facts: facts, candidates: written.candidates)
      let caveat =
        "not verified: the hash of Photo: Photo.size: how the engine hashes CGFloat is not"
      #expect(report.document.text().contains(caveat) == (size == .float))
      #expect(report.document.text().contains("proven") == (size == .double))
      let diagnosis = StoreDiagnosis(path: "a", facts: facts, folders: [written])
      #expect(diagnosis.document.text().contains(caveat) == (size == .float))
    }
  }

  @Test("An unknown store shows the nearest version and its differences")
  func nearest() throws {
    let evolution = try Evolution.of("Schemas/Ritualist")
    let candidates = VersionCandidate.all(of: evolution, folder: "Schemas/Ritualist")
    let newest = try #require(candidates.last)
    var model = newest.model
    let entity = try #require(
      model.entities.indices.first { model.entities[$0].attributes.count > 2 })
    let name = model.entities[entity].name
    let changed = model.entities[entity].attributes[0]
    let removed = model.entities[entity].attributes[1]
    model.entities[entity].attributes[0].isOptional.toggle()
    model.entities[entity].attributes.remove(at: 1)
    model.entities[entity].uniqueness.removeAll { $0.contains(removed.name) }
    model.entities[entity].indexes.removeAll { $0.properties.contains(removed.name) }
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      do { try StoreFile(at: .file(URL(filePath: path))).create(model) }
      let facts = try Stores.facts(path)
      let report = InspectionReport(path: "store", facts: facts, candidates: candidates)
      #expect(report.exitStatus == 1)
      #expect(report.match?.nearest?.candidate.name == newest.name)
      let lines = report.document.text()
      #expect(
        lines.contains("nearest is \(newest.name) of Schemas/Ritualist:"), "\(lines)")
      #expect(lines.contains("  \(name).\(removed.name): "))
      #expect(lines.contains("in the version only"))
      let toggled = changed.isOptional ? "in the store, " : "? in the store, "
      #expect(lines.contains("  \(name).\(changed.name): ") && lines.contains(toggled))
    }
  }

  @Test("A version made from a store matches that store", arguments: folders)
  func roundTrip(_ folder: String) throws {
    for version in VersionModel.chain(of: try Evolution.of(folder)) {
      let made = StoreSchema.version(of: version.model)
      let again = VersionModel(made.version)
      #expect(again.model.versionHashes == version.model.versionHashes)
      #expect(made.version.number.description == version.model.versionIdentifier)
      #expect(made.version.identity == .shipped)
      for model in made.version.models {
        for property in model.properties {
          // One end declares an inverse, since Swift's macros need it.
          guard let link = property.relationship, let inverse = link.inverse?.value else {
            continue
          }
          let other = made.version.model(named: link.destination.value)?.property(named: inverse)
          let isReflexive = link.destination.value == model.name && inverse == property.name
          #expect(
            isReflexive || link.declaresInverse != other?.relationship?.declaresInverse)
        }
      }
    }
  }

  @Test(
    "Making a to-many relationship optional or mandatory makes a different version",
    arguments: [true, false])
  func optionalLists(_ isOptional: Bool) {
    var model = Stores.trips
    model.entities[0].relationships[0].isOptional = isOptional
    let made = StoreSchema.version(of: model).version
    let stops = made.model(named: "Trip")?.property(named: "stops")?.relationship
    #expect(stops?.cardinality == (isOptional ? .optionalMany : .many))
    let isSame = isOptional == Stores.trips.entities[0].relationships[0].isOptional
    #expect((model.versionHashes == Stores.trips.versionHashes) == isSame)
  }

  @Test("An abstract entity matches no version")
  func abstractEntities() throws {
    var model = Stores.trips
    model.entities[0].isAbstract = true
    let comparison = ModelComparison(model, Stores.trips)
    #expect(!comparison.isSame)
    #expect(
      comparison.differences.map(\.detail) == ["abstract in the store, not abstract in the version"]
    )
  }

  @Test("A negative bound in an old model is omitted and reported")
  func negativeBounds() {
    var model = Stores.trips
    model.entities[0].relationships[0].maximumCount = -1
    let made = StoreSchema.version(of: model).version
    let stops = made.model(named: "Trip")?.property(named: "stops")?.relationship
    #expect(stops?.maximum == nil)
    let details = ModelComparison(model, VersionModel(made)).differences.filter(\.isHashed)
    #expect(details.map(\.element) == ["Trip.stops"])
  }

  @Test("A difference in an enum's optionality is reported, and the version still matches")
  func optionalEnum() throws {
    var model = Stores.trips
    let entity = try #require(model.entities.firstIndex { $0.name == "Trip" })
    let state = try #require(
      model.entities[entity].attributes.firstIndex { $0.name == "state" })
    model.entities[entity].attributes[state].isOptional.toggle()
    let comparison = ModelComparison(Stores.trips, model)
    #expect(comparison.isSame && comparison.distance == 0)
    #expect(comparison.differences.map(\.element) == ["Trip.state"])
  }

  @Test func whatAStoreCannotTellIsANote() {
    let made = StoreSchema.version(of: Stores.trips)
    #expect(
      made.notes.map(\.description) == [
        "'Trip.state' is an enum of String: its name is made up; rows show none of its cases: replace 'unknown' with those in the app's code"
      ])
    #expect(made.version.types.map(\.name) == ["TripState"])
    let trip = made.version.model(named: "Trip")
    #expect(trip?.property(named: "name")?.attribute?.options == [.unique])
    #expect(trip?.property(named: "photo")?.attribute?.options == [.externalStorage])
    #expect(trip?.property(named: "stops")?.relationship?.deleteRule == .cascade)
    let days = made.version.model(named: "Stop")?.property(named: "days")
    #expect(days?.attribute?.defaultValue?.text == "1" && days?.hashModifier == "V2")
    #expect(made.version.model(named: "Layover")?.superclass?.value == "Stop")
  }
}

/// Stores that Apple's SwiftData wrote.
@Suite(.enabled(if: AppleStores.folder != nil, Comment(rawValue: AppleStores.missing)))
struct AppleStoreInspectionTests {
  @Test(arguments: ["freezeray-1", "freezeray-2", "openaso-v1", "openaso-v4"])
  func factsAgreeWithThemselves(_ name: String) throws {
    let facts = try StoreFacts(ofStoreAt: AppleStores.original(name))
    #expect(facts.writer == .coreData && facts.modelSource == .modelCache)
    let hashes = StoreHashes(facts)
    #expect(hashes.checksum == .agrees && hashes.digest == .agrees && hashes.unlisted.isEmpty)
    // Tables, columns, unique indexes and numbers match the cached model.
    #expect(facts.tableDifferences(from: try #require(facts.model)).isEmpty)
    #expect(facts.notes.allSatisfy { $0.contains("value transformer") })
    #expect(facts.entities.allSatisfy { $0.rowCount != nil } && facts.damage.isEmpty)
    let made = try #require(StoreSchema.version(of: facts))
    #expect(VersionModel(made.version).model.versionHashes == facts.model?.versionHashes)
    #expect(made.version.number.description == facts.versionIdentifiers.first)
    // Written as a manifest, with comments for what it cannot express, it is read back unchanged.
    let comments = Dictionary(grouping: made.notes, by: \.element).mapValues { $0.map(\.clause) }
    let text = ManifestText(made.version, comments: comments).text
    let (read, diagnostics) = ManifestReader().read(SourceFile(path: "V1.yaml", text: text))
    #expect(!diagnostics.hasErrors, "\(diagnostics)")
    #expect(VersionModel(try #require(read)).model.versionHashes == facts.model?.versionHashes)
  }

  @Test(
    "Reading randomly damaged stores of Apple's SwiftData writes nothing",
    arguments: ["freezeray-2", "openaso-v4"])
  func damaged(_ name: String) throws {
    let whole = try Data(contentsOf: AppleStores.original(name))
    var random = SplitMix64(seed: 5)
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      for _ in 0..<40 {
        var bytes = whole
        for _ in 0...random.below(40) {
          bytes[random.below(bytes.count)] = UInt8(random.below(256))
        }
        try bytes.write(to: URL(filePath: path))
        _ = try? Stores.facts(path)
        #expect(try Stores.contents(folder) == ["store": bytes])
      }
    }
  }

  @Test("A version adopted from a store is placed before or after the newest by its contents")
  func places() throws {
    func version(_ text: String) throws -> SchemaVersion {
      try #require(ManifestReader().read(SourceFile(path: "V.yaml", text: text)).version)
    }
    func manifest(_ number: Int, _ properties: String, _ more: String = "") -> String {
      "version: \(number).0.0\n\(more)models:\n  Trip:\n    properties:\n      title: String\n\(properties)"
    }
    let history = [
      try version(manifest(1, "      place: String?\n      stars: Int?\n")),
      try version(
        manifest(
          2, "      budget: Date?\n",
          "drops: { Trip.place: \"nobody reads it\", Trip.stars: \"nor this\" }\n")),
    ]
    let evolution = AnalysisPipeline(history: history, configuration: Configuration()).run()
    let less = try #require(VersionPlace(try version(manifest(9, "")), in: evolution))
    #expect(less.version.number.name == "V1.1")
    let more = try version(manifest(9, "      budget: Date?\n      more: Bool?\n"))
    #expect(VersionPlace(more, in: evolution)?.version.number.name == "V2.1")
  }
}
