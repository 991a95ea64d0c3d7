import Foundation
import SchemaEvolution
import SchemaManifest
import SchemaModel
import SchemaWorkspace
import StoreTools
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// Manifests adopted from shipped stores.
@Suite struct StoreAdoptionTests {
  /// Adopts a store and reads the result as `generate` would.
  private func adopt(
    _ path: String
  ) throws -> (adoption: StoreAdoption, folder: SchemaFolder, files: MemoryFiles) {
    let adoption = try StoreAdoption.read(storeAt: URL(filePath: path), folder: "Schemas")
    let files = MemoryFiles(adoption.files)
    return (adoption, SchemaFolder.read("Schemas", fileSystem: files), files)
  }

  @Test(
    "Adopting a store of any version gives a manifest that matches it",
    arguments: MatchTests.folders)
  func everyVersion(_ folder: String) throws {
    let evolution = try Evolution.of(folder)
    for (index, version) in VersionModel.chain(of: evolution).enumerated() {
      try withTemporaryFolder { place in
        let path = place + "/one.store"
        do { try StoreFile(at: .file(URL(filePath: path))).create(version.model) }
        for isDisguised in [false, true] {
          if isDisguised {
            try Stores.disguise(try StoreFile(at: .file(URL(filePath: path))), version.model)
          }
          let before = try Stores.contents(place)
          let (adoption, read, files) = try adopt(path)
          #expect(adoption.refusals.isEmpty, "\(folder) \(index)")
          #expect(!read.diagnostics.hasErrors, "\(read.diagnostics)")
          let made = try #require(read.evolution)
          #expect(VersionModel(made.history[0]).model.versionHashes == version.model.versionHashes)
          #expect(made.history[0].number.description == version.model.versionIdentifier)
          #expect(made.history[0].identity == .shipped)
          if isDisguised {
            let generation = GenerationPipeline(fileSystem: files).run("Schemas")
            #expect(!generation.diagnostics.hasErrors && !generation.changes.isEmpty)
          }
          let match = StoreMatch(
            try Stores.facts(path), candidates: VersionCandidate.all(of: made, folder: "S"))
          #expect(match.matches.map(\.candidate.name) == [made.history[0].number.name])
          #expect(try Stores.contents(place) == before)
        }
      }
    }
  }

  /// A store with an enum of a raw type, and rows with these values.
  private func write(_ values: [StoredValue], _ type: AttributeType, to path: String) throws {
    let state = ManagedAttribute(
      name: "state", type: .composite, isOptional: true,
      elements: [ManagedAttribute(name: "state", type: type, isOptional: true)])
    let model = ManagedModel(
      entities: [ManagedEntity(name: "Trip", attributes: [state])], versionIdentifier: "none")
    let store = try StoreFile(at: .file(URL(filePath: path)))
    try store.create(model)
    guard !values.isEmpty else { return }
    var changes = StoreChanges()
    for (key, value) in zip(try store.allocateKeys(of: "Trip", count: values.count), values) {
      changes.inserted.append(StoreRow(id: ObjectID(entity: "Trip", key: key), values: [value]))
    }
    try store.apply(changes)
  }

  struct EnumExample: Sendable, CustomTestStringConvertible {
    var type: AttributeType
    var values: [StoredValue]
    /// The line in the manifest.
    var line: String
    var testDescription: String { line }
  }

  static let enums = [
    EnumExample(
      type: .string, values: [.text("open"), .null, .text("done"), .text("open")],
      line: "TripState: { enum: String, cases: [done, open], own: true }"),
    EnumExample(
      type: .string, values: [.text("in-progress"), .text("2 weeks"), .text("self"), .text("")],
      line: #"{ blank: "", case2Weeks: 2 weeks, inProgress: in-progress, caseSelf: self }"#),
    EnumExample(
      type: .string, values: [.text("a-b"), .text("a.b"), .text("say \"no\" \\ never")],
      line: #"cases: { aB: a-b, aB2: a.b, sayNoNever: say "no" \ never }"#),
    EnumExample(
      type: .integer64, values: [.integer(3), .integer(-1), .integer(0)],
      line: "TripState: { enum: Int, cases: { minus1: -1, case0: 0, case3: 3 }, own: true }"),
    EnumExample(
      type: .double, values: [.real(1.5), .real(2)],
      line: "TripState: { enum: Double, cases: { case1_5: 1.5, case2_0: 2.0 }, own: true }"),
    // Values that cannot be cases are not taken for any, and do not appear in the manifest.
    EnumExample(
      type: .string, values: [], line: "TripState: { enum: String, cases: [unknown], own: true }"),
    EnumExample(
      type: .integer32, values: [.null],
      line: "TripState: { enum: Int32, cases: { unknown: 0 }, own: true }"),
    EnumExample(
      type: .string, values: (0..<51).map { .text("somebody\($0)@example.org") },
      line: "TripState: { enum: String, cases: [unknown], own: true }"),
    EnumExample(
      type: .string, values: [.text("a\u{202E}b"), .text(String(repeating: "x", count: 200))],
      line: "TripState: { enum: String, cases: [unknown], own: true }"),
    // No Swift enum has such raw values, but a struct is stored in the same way.
    EnumExample(
      type: .date, values: [.real(1)],
      line: "TripState: { struct: { state: \"Date?\" }, own: true }"),
  ]

  @Test("An adopted enum has the cases found in rows", arguments: enums)
  func cases(_ example: EnumExample) throws {
    try withTemporaryFolder { folder in
      try write(example.values, example.type, to: folder + "/one.store")
      let (adoption, read, _) = try adopt(folder + "/one.store")
      let text = adoption.files[0].text
      #expect(text.contains(example.line), "\(text)")
      #expect(!read.diagnostics.hasErrors, "\(read.diagnostics)")
      #expect(!adoption.isRefused && adoption.number == VersionNumber(1))
      #expect(adoption.unknown.count == 1 && adoption.unknown[0].hasPrefix("'Trip.state' is "))
      #expect(text.contains("# 'state' is "))
      let facts = try Stores.facts(folder + "/one.store")
      let again = VersionModel(try #require(read.versions.first)).model
      #expect(again.versionHashes == facts.model?.versionHashes)
    }
  }

  /// As in `Color.Resolved`: columns are mandatory if neither the field nor the value that contains it is optional.
  @Test("A struct's field is adopted as optional if its column is")
  func fields() throws {
    try withTemporaryFolder { folder in
      func color(_ name: String, isOptional: Bool) -> ManagedAttribute {
        ManagedAttribute(
          name: name, type: .composite, isOptional: isOptional,
          elements: [
            ManagedAttribute(name: "\(name)Note", type: .string, isOptional: true),
            ManagedAttribute(name: "\(name)Red", type: .float, isOptional: isOptional),
          ])
      }
      let model = ManagedModel(
        entities: [
          ManagedEntity(
            name: "Drink",
            attributes: [color("cup", isOptional: true), color("wine", isOptional: false)])
        ], versionIdentifier: "1.0.0")
      let path = folder + "/one.store"
      do {
        let store = try StoreFile(at: .file(URL(filePath: path)))
        try store.create(model)
        try Stores.disguise(store, model)
      }
      let (adoption, read, _) = try adopt(path)
      #expect(adoption.refusals.isEmpty && !adoption.isDoubtful, "\(adoption.refusals)")
      let text = adoption.files[0].text
      #expect(text.contains(#"{ struct: { wineNote: "String?", wineRed: Float }, own: true }"#))
      #expect(text.contains(#"{ struct: { cupNote: "String?", cupRed: "Float?" }, own: true }"#))
      let made = VersionModel(try #require(read.versions.first)).model
      #expect(made.versionHashes == model.versionHashes)
    }
  }

  @Test("Hashes that do not match the store's model are reported")
  func otherHashes() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/one.store"
      do {
        let store = try Stores.write(path)
        try Stores.disguise(store, Stores.trips)
        #expect(try !adopt(path).adoption.isDoubtful)
      }
      do {
        let store = try Stores.write(folder + "/other.store")
        var other = Stores.trips
        other.entities[0].attributes[0].hashModifier = "other"
        // Its hashes belong to another model than the one in its cache.
        try Stores.disguise(store, other, cache: ModelArchive.content(of: Stores.trips))
      }
      let adoption = try adopt(folder + "/other.store").adoption
      #expect(adoption.isDoubtful && !adoption.isRefused)
      let entity = Stores.trips.entities[0].name
      #expect(
        adoption.remarks.contains {
          $0.contains(" of \(entity) in the store's metadata are not those of the store's model")
        })
    }
  }

  @Test("Tables of CloudKit mean that the store syncs")
  func cloudKit() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/one.store"
      do {
        let store = try Stores.write(path)
        #expect(try adopt(path).folder.configuration.cloudKit == .none)
        try store.database.run("CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)")
      }
      #expect(try adopt(path).folder.configuration.cloudKit == .private)
    }
  }

  @Test("A store without a model cache is refused with advice")
  func withoutModel() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/one.store"
      do {
        let store = try Stores.write(path)
        try Stores.disguise(store, Stores.trips)
        try store.database.run("DELETE FROM Z_MODELCACHE")
      }
      let adoption = try StoreAdoption.read(storeAt: URL(filePath: path), folder: "Schemas")
      #expect(adoption.isRefused && adoption.files.isEmpty)
      #expect(adoption.refusals.contains { $0.contains("'schemagen adopt Sources'") })
    }
  }

  @Test("Names that a manifest cannot have are refused, and nothing is written")
  func names() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/one.store"
      var model = Stores.trips
      model.entities[0].attributes[0].name = "hashValue"
      model.entities[0].uniqueness = []
      model.entities[0].indexes = []
      do { try StoreFile(at: .file(URL(filePath: path))).create(model) }
      let adoption = try StoreAdoption.read(storeAt: URL(filePath: path), folder: "Schemas")
      #expect(adoption.isRefused)
      #expect(adoption.questions.contains { $0.rule.id == "reserved-name" })
    }
  }

  @Test("All files or none are written, and nothing is overwritten")
  func writing() throws {
    try withTemporaryFolder { folder in
      _ = try Stores.write(folder + "/one.store")
      let adoption = try adopt(folder + "/one.store").adoption
      let disk = MemoryDisk()
      disk.fail(at: 2)
      let change = FileChange.creating(adoption.files)
      #expect(throws: FileSystemError.self) { try change.write(in: "Schemas", to: disk) }
      #expect(disk.files.isEmpty)
      #expect(try InitialFiles.obstacle(to: adoption.files, disk) == nil)
      try change.write(in: "Schemas", to: disk)
      #expect(disk.files.keys.sorted() == ["Schemas/V2.yaml", "Schemas/schemagen.yaml"])
      #expect(try InitialFiles.obstacle(to: adoption.files, disk) == "Schemas/V2.yaml")
      let other = MemoryDisk(["Schemas/V7.yaml": "x"])
      #expect(try InitialFiles.obstacle(to: adoption.files, other) == "Schemas/V7.yaml")
    }
  }

  /// Stores that Apple's SwiftData wrote.
  @Test(
    .enabled(if: AppleStores.folder != nil, Comment(rawValue: AppleStores.missing)),
    arguments: ["freezeray-1", "freezeray-2", "openaso-v1", "openaso-v4"])
  func applesStores(_ name: String) throws {
    let path = AppleStores.original(name).path
    let (adoption, read, files) = try adopt(path)
    #expect(adoption.refusals.isEmpty && !adoption.questions.hasErrors, "\(adoption.questions)")
    let facts = try Stores.facts(path)
    let evolution = try #require(read.evolution)
    #expect(VersionModel(evolution.history[0]).model.versionHashes == facts.model?.versionHashes)
    let match = StoreMatch(
      facts, candidates: VersionCandidate.all(of: evolution, folder: "Schemas"))
    #expect(match.matches.map(\.candidate.name) == [evolution.history[0].number.name])
    let generation = GenerationPipeline(fileSystem: files).run("Schemas")
    #expect(!generation.diagnostics.hasErrors && !generation.changes.isEmpty)
  }
}
