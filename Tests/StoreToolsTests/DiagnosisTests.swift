import Foundation
import SchemaEvolution
import SchemaManifest
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import StoreTools
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// Why a store matches no version: from the store's own model, and from its hashes alone.
@Suite struct DiagnosisTests {
  /// Two versions with one of each hashed trait.
  static let manifests = [
    "Schemas/V1.yaml": """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: { type: String, unique: true }
          former: String?
    """,
    "Schemas/V2.yaml": """
    version: 2.0.0
    types:
      State: { enum: String, cases: [open, done] }
      Kind: { enum: none, cases: [work, leisure] }
      Place: { struct: { city: String, zip: "Int?" } }
    models:
      Trip:
        properties:
          name: { type: String, unique: true }
          status: String?
          days: Int = 1
          rating: Double
          startsAt: Date
          photo:
            type: Data?
            externalStorage: true
          notes: { type: "[String]", hashModifier: "2" }
          state: State
          kind: Kind
          place: Place
          stops: { relationship: "[Stop]", inverse: trip, deleteRule: cascade }
          owner: { relationship: Person? }
      Stop:
        properties:
          title: String
          trip: { relationship: Trip? }
      Person:
        properties:
          mail: String
          code: String
        unique: [[mail, code]]
    """,
  ]

  static let folder: ManifestFolder = folder(manifests)

  static func folder(_ texts: [String: String]) -> ManifestFolder {
    let files = MemoryFiles(texts.map { SourceFile(path: $0.key, text: $0.value + "\n") })
    let read = SchemaFolder.read("Schemas", fileSystem: files)
    guard let folder = ManifestFolder(read) else {
      fatalError("\(read.diagnostics)")
    }
    return folder
  }

  /// The newest version's model.
  static let model = folder.candidates.last!.model

  /// Writes a store as Core Data does and diagnoses it.
  ///
  /// - Parameter hasCache: Whether the store has its model.
  static func diagnose(
    _ model: ManagedModel, hasCache: Bool, folder: ManifestFolder = folder
  ) throws -> StoreDiagnosis {
    try withTemporaryFolder { place in
      let path = place + "/trips.store"
      do {
        let store = try StoreFile(at: .file(URL(filePath: path)))
        try store.create(model)
        try Stores.disguise(store, model)
        if !hasCache { try store.database.run("DELETE FROM Z_MODELCACHE") }
      }
      return StoreDiagnosis(
        path: "trips.store", facts: try Stores.facts(path), folders: [folder])
    }
  }

  @Test(
    "A missing column is reported, with or without the store's model",
    arguments: [true, false])
  func missingColumn(hasCache: Bool) throws {
    try withTemporaryFolder { place in
      let path = place + "/trips.store"
      let store = try StoreFile(at: .file(URL(filePath: path)))
      try store.create(Self.model)
      try Stores.disguise(store, Self.model)
      if !hasCache { try store.database.run("DELETE FROM Z_MODELCACHE") }
      try store.database.run("ALTER TABLE ZTRIP DROP COLUMN ZSTATUS")
      let diagnosis = StoreDiagnosis(
        path: path, facts: try Stores.facts(path), folders: [Self.folder])
      #expect(diagnosis.isRecognised == hasCache)
      #expect(diagnosis.exitStatus == (hasCache ? 2 : 1))
      #expect(
        diagnosis.facts.damage
          == (hasCache
            ? ["column 'ZTRIP.ZSTATUS' is missing: the app fails with 'no such column'"] : []))
      // Without its model, only the tables show the difference from the version.
      #expect(
        (diagnosis.nearest?.tables.contains { $0.contains("ZSTATUS") } ?? false) == !hasCache)
    }
  }

  /// The hashed differences from the nearest version, with the store's side first.
  static func told(_ diagnosis: StoreDiagnosis) -> [String] {
    (diagnosis.nearest?.differences ?? []).filter(\.isHashed).map {
      "\($0.element): \($0.store ?? "-") → \($0.version ?? "-")"
    }
  }

  /// A change of the store's model, and the expected differences.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var told: [String]
    var change: @Sendable (inout ManagedModel) -> Void
    /// Whether the manifest can express it in a few lines.
    var isEditable = true

    var testDescription: String { name }
  }

  static func attribute(
    _ name: String, of entity: String = "Trip",
    _ change: @escaping @Sendable (inout ManagedAttribute) -> Void
  ) -> @Sendable (inout ManagedModel) -> Void {
    { model in
      let place = model.entities.firstIndex { $0.name == entity }!
      let index = model.entities[place].attributes.firstIndex { $0.name == name }!
      change(&model.entities[place].attributes[index])
    }
  }

  static func relationship(
    _ name: String, of entity: String = "Trip",
    _ change: @escaping @Sendable (inout ManagedRelationship) -> Void
  ) -> @Sendable (inout ManagedModel) -> Void {
    { model in
      let place = model.entities.firstIndex { $0.name == entity }!
      let index = model.entities[place].relationships.firstIndex { $0.name == name }!
      change(&model.entities[place].relationships[index])
    }
  }

  static func entity(
    _ name: String, _ change: @escaping @Sendable (inout ManagedEntity) -> Void
  ) -> @Sendable (inout ManagedModel) -> Void {
    { model in change(&model.entities[model.entities.firstIndex { $0.name == name }!]) }
  }

  static let cases: [Case] = [
    Case(
      name: "required", told: ["Trip.status: String → String?"],
      change: attribute("status") { $0.isOptional = false }),
    Case(
      name: "optional", told: ["Trip.days: Int? → Int"],
      change: attribute("days") { $0.isOptional = true }),
    Case(
      name: "number type", told: ["Trip.days: Int16 → Int"],
      change: attribute("days") { $0.type = .integer16 }),
    Case(
      name: "type of another column", told: ["Trip.days: String → Int"],
      change: attribute("days") { $0.type = .string }),
    Case(
      name: "float", told: ["Trip.rating: Float → Double"],
      change: attribute("rating") { $0.type = .float }),
    Case(
      name: "url", told: ["Trip.status: URL? → String?"],
      change: attribute("status") { $0.type = .uri }),
    Case(
      name: "no external storage", told: ["Trip.photo: no externalStorage → externalStorage"],
      change: attribute("photo") { $0.isExternal = false }),
    Case(
      name: "preserved",
      told: ["Trip.rating: preserveValueOnDeletion → no preserveValueOnDeletion"],
      change: attribute("rating") { $0.isPreservedOnDeletion = true }),
    Case(
      name: "no modifier", told: ["Trip.notes: no hash modifier → hash modifier '2'"],
      change: attribute("notes") { $0.hashModifier = nil }),
    Case(
      name: "a modifier", told: ["Trip.days: hash modifier '2' → no hash modifier"],
      change: attribute("days") { $0.hashModifier = "2" }),
    Case(
      name: "plain in place of an enum", told: ["Trip.state: String → enum of String"],
      change: attribute("state") {
        $0 = ManagedAttribute(name: "state", type: .string)
      }),
    Case(
      name: "enum in place of plain", told: ["Trip.rating: enum of Double → Double"],
      change: attribute("rating") {
        $0 = ManagedAttribute(
          name: "rating", type: .composite,
          elements: [ManagedAttribute(name: "rating", type: .double, isOptional: true)])
      }),
    Case(
      name: "a case less",
      told: ["Trip.kind: columns leisure: String? → columns leisure: String?, work: String?"],
      change: attribute("kind") {
        $0.elements.removeAll { $0.name == "work" }
      }),
    Case(
      name: "a case more",
      told: [
        "Trip.kind: columns home: String?, leisure: String?, work: String? → columns leisure: String?, work: String?"
      ],
      change: attribute("kind") {
        $0.elements.append(ManagedAttribute(name: "home", type: .string, isOptional: true))
      }),
    Case(
      name: "optional struct", told: ["Trip.place: optional → required"],
      change: attribute("place") {
        $0.isOptional = true
        $0.elements[0].isOptional = true
      }),
    Case(
      name: "a field less",
      told: ["Trip.place: columns zip: Int? → columns city: String, zip: Int?"],
      change: attribute("place") {
        $0.elements.removeFirst()
      }),
    Case(
      name: "removed since", told: ["Trip.former: String? → -"],
      change: entity("Trip") {
        $0.attributes.append(ManagedAttribute(name: "former", type: .string, isOptional: true))
      }),
    Case(
      name: "removed since, of a name that nobody knows", told: ["Trip.isPublic: Bool → -"],
      change: entity("Trip") {
        $0.attributes.append(ManagedAttribute(name: "isPublic", type: .boolean))
      }),
    Case(
      name: "added since", told: ["Trip.rating: - → Double"],
      change: entity("Trip") {
        $0.attributes.removeAll { $0.name == "rating" }
      }),
    Case(
      name: "another name", told: ["Trip.beginsAt: Date → -", "Trip.startsAt: - → Date"],
      change: attribute("startsAt") { $0.name = "beginsAt" }),
    Case(
      name: "one constraint less", told: ["Trip: - → unique by name"],
      change: entity("Trip") { $0.uniqueness = [] }),
    Case(
      name: "one constraint more", told: ["Stop: unique by title → -"],
      change: entity("Stop") { $0.uniqueness = [["title"]] }),
    Case(
      name: "a constraint of one for one of two",
      told: ["Person: unique by mail → -", "Person: - → unique by mail, code"],
      change: entity("Person") { $0.uniqueness = [["mail"]] }),
    Case(
      name: "a constraint in another order",
      told: ["Person: unique by code, mail → -", "Person: - → unique by mail, code"],
      change: entity("Person") { $0.uniqueness = [["code", "mail"]] }),
    Case(
      name: "required relationship", told: ["Trip.owner: Person → Person?"],
      change: relationship("owner") { $0.isOptional = false }),
    Case(
      name: "to-many", told: ["Trip.owner: [Person] → Person?"],
      change: relationship("owner") {
        $0.isToMany = true
        $0.isOptional = false
        $0.maximumCount = 0
      }),
    Case(
      name: "optional to-many", told: ["Trip.stops: [Stop]? → [Stop]"],
      change: relationship("stops") { $0.isOptional = true }),
    Case(
      name: "another destination", told: ["Trip.owner: Stop? → Person?"],
      change: relationship("owner") { $0.destination = "Stop" }),
    Case(
      name: "a bound", told: ["Trip.stops: bounds 0…5 → bounds 0…"],
      change: relationship("stops") { $0.maximumCount = 5 }),
    Case(
      name: "no inverse",
      told: ["Stop.trip: no inverse → inverse 'stops'", "Trip.stops: no inverse → inverse 'trip'"],
      change: { model in
        relationship("stops") { $0.inverse = nil }(&model)
        relationship("trip", of: "Stop") { $0.inverse = nil }(&model)
      }),
    Case(
      name: "a relationship less", told: ["Trip.owner: - → Person?"],
      change: entity("Trip") {
        $0.relationships.removeAll { $0.name == "owner" }
      }),
    Case(
      name: "a to-one more", told: ["Stop.guide: Person? → -"],
      change: entity("Stop") {
        $0.relationships.append(
          ManagedRelationship(name: "guide", destination: "Person", isToMany: false))
      }),
    Case(
      name: "a link more", told: ["Person.stops: [Stop] → -", "Stop.guide: Person? → -"],
      change: { model in
        entity("Stop") {
          $0.relationships.append(
            ManagedRelationship(
              name: "guide", destination: "Person", inverse: "stops", isToMany: false))
        }(&model)
        entity("Person") {
          $0.relationships.append(
            ManagedRelationship(
              name: "stops", destination: "Stop", inverse: "guide", isToMany: true,
              isOptional: false))
        }(&model)
      }),
    Case(
      name: "two, of one entity", told: ["Trip.days: Int? → Int", "Trip.status: String → String?"],
      change: { model in
        attribute("days") { $0.isOptional = true }(&model)
        attribute("status") { $0.isOptional = false }(&model)
      }),
    Case(
      name: "two, of one property", told: ["Trip.days: Int32? → Int"],
      change: attribute("days") {
        $0.type = .integer32
        $0.isOptional = true
      }),
    Case(
      name: "two: a constraint and a type",
      told: ["Trip: - → unique by name", "Trip.rating: Double? → Double"],
      change: { model in
        entity("Trip") { $0.uniqueness = [] }(&model)
        attribute("rating") { $0.isOptional = true }(&model)
      }),
    Case(
      name: "two: one removed, one optional",
      told: ["Trip.former: String? → -", "Trip.photo: Data → Data?"],
      change: { model in
        entity("Trip") {
          $0.attributes.append(ManagedAttribute(name: "former", type: .string, isOptional: true))
        }(&model)
        attribute("photo") { $0.isOptional = false }(&model)
      }),
    Case(
      name: "an entity of another name",
      told: ["Halt: a model → -", "Stop: - → a model", "Trip.stops: [Halt] → [Stop]"],
      change: { model in
        entity("Stop") { $0.name = "Halt" }(&model)
        relationship("stops") { $0.destination = "Halt" }(&model)
      }, isEditable: false),
    Case(
      name: "an entity more", told: ["Zone: a model → -"],
      change: { model in
        model.entities.append(
          ManagedEntity(name: "Zone", attributes: [ManagedAttribute(name: "code", type: .string)]))
      }, isEditable: false),
    Case(
      name: "an entity less", told: ["Person: - → a model", "Trip.owner: - → Person?"],
      change: { model in
        model.entities.removeAll { $0.name == "Person" }
        entity("Trip") { $0.relationships.removeAll { $0.name == "owner" } }(&model)
      }),
  ]

  @Test("With the store's own model, a diagnosis names the changed property", arguments: cases)
  func oneChange(_ example: Case) throws {
    var model = Self.model
    example.change(&model)
    let found = try Self.diagnose(model, hasCache: true)
    #expect(!found.isRecognised && found.exitStatus == 1)
    #expect(found.nearest?.candidate.name == "V2")
    #expect(Self.told(found) == example.told)
    let way = found.waysOut.first { $0.kind == .restoreVersion }
    #expect((way != nil) == example.isEditable)
    #expect(
      way?.text.contains("If Schemas/V2.yaml was edited after the store was written") != false)
    #expect(
      found.document.text().contains(
        "\nnearest is V2 of Schemas:\n  \(example.told[0].prefix { $0 != ":" }): "))
  }

  @Test(
    "Without the store's model, its hashes show which models differ",
    arguments: cases)
  func oneChangeWithoutModel(_ example: Case) throws {
    var model = Self.model
    example.change(&model)
    let found = try Self.diagnose(model, hasCache: false)
    #expect(!found.isRecognised && found.exitStatus == 1)
    #expect(Self.told(found).isEmpty)
    #expect(found.waysOut.map(\.kind) == [.addVersion, .deleteStore])
    let different = Set(example.told.map { String($0.prefix { $0 != "." && $0 != ":" }) }).sorted()
    let reason = "; the store has no model that shows why\n"
    let line = "\n  hashes: not those of V2: " + different.joined(separator: ", ") + reason
    #expect(found.document.text().contains(line), "\(found.document.text())")
  }

  @Test("A recognised store is not compared further")
  func recognised() throws {
    for hasCache in [true, false] {
      let found = try Self.diagnose(Self.model, hasCache: hasCache)
      #expect(found.isRecognised && found.exitStatus == 0)
      #expect(found.nearest == nil && found.waysOut.isEmpty)
    }
  }

  @Test(
    "The hashes in the lock show that a version was edited after its release",
    arguments: [true, false])
  func edited(_ isProven: Bool) throws {
    var model = Self.model
    Self.attribute("days") { $0.isOptional = true }(&model)
    func folder(_ hashes: VersionHashes, _ isProven: Bool) throws -> ManifestFolder {
      // Only V2, since the step from V1 to V2 has no answer.
      var texts = Self.manifests.filter { $0.key == "Schemas/V2.yaml" }
      var lock = SchemaLock(Self.folder(texts).evolution!, previous: SchemaLock())
      _ = lock.release(upTo: VersionNumber(2))
      let proven = try #require(
        LockedHashes(
          checksum: hashes.checksum,
          entities: hashes.entities.mapValues { $0.base64EncodedString() }, isProven: isProven))
      lock.note(proven, of: VersionNumber(2))
      texts["Schemas/schema.lock"] = lock.text
      return Self.folder(texts)
    }
    for hasCache in [true, false] {
      let line =
        hasCache
        ? "\n  Trip.days: Int? in the store, Int in the version\n"
        : "\n  hashes: not those of V2: Trip; the store has no model that shows why\n"
      let found = try Self.diagnose(
        model, hasCache: hasCache, folder: try folder(model.versionHashes, isProven))
      #expect(
        !found.isRecognised && found.document.text().contains(line), "\(found.document.text())")
      let way = try #require(found.waysOut.first)
      #expect(way.text.contains("the store has V2 as it shipped, and Schemas/V2.yaml was edited"))
      // A version that is as it shipped must not be edited.
      let other = try Self.diagnose(
        model, hasCache: hasCache, folder: try folder(Self.model.versionHashes, isProven))
      #expect(other.document.text().contains(line))
      #expect(other.waysOut.map(\.kind) == [.addVersion, .deleteStore])
    }
  }

  @Test("Without a matching number, the version with the most equal hashes is the nearest")
  func nearest() throws {
    var model = Self.model
    model.versionIdentifier = "1.5.0"
    Self.attribute("days") { $0.isOptional = true }(&model)
    let found = try Self.diagnose(model, hasCache: false)
    #expect(found.nearest?.candidate.name == "V2")
    let stranger = ManagedModel(
      entities: [
        ManagedEntity(name: "User", attributes: [ManagedAttribute(name: "a", type: .date)])
      ],
      versionIdentifier: "9.0.0")
    let other = try Self.diagnose(stranger, hasCache: true)
    #expect(other.waysOut.first?.kind == .nameFolder)
  }

  /// V1 was edited after the store was written. V2, with a rename, has fewer differences from the store, but lines for
  /// V2 would damage the wrong version.
  @Test("A diagnosis suggests restoring the version that has the store's number")
  func claimed() throws {
    let texts = [
      "Schemas/V1.yaml": """
      version: 1.0.0
      models:
        Trip:
          properties:
            title: String
            budget: Int?
            days: Int?
        Stop:
          properties:
            place: String
      """,
      "Schemas/V2.yaml": """
      version: 2.0.0
      models:
        Trip:
          properties:
            name: { type: String, renamedFrom: title }
            budget: Int?
            days: Int?
        Stop:
          properties:
            place: String
      """,
    ]
    let folder = Self.folder(texts)
    // The store's Trip is V2's except for its number and one column; from V1 it has two differences.
    var model = try #require(folder.candidates.last).model
    model.versionIdentifier = "1.0.0"
    Self.attribute("days") { $0.isOptional = false }(&model)
    let found = try Self.diagnose(model, hasCache: true, folder: folder)
    #expect(found.nearest?.candidate.name == "V1")
    let way = try #require(found.waysOut.first)
    #expect(way.kind == .restoreVersion && way.text.contains("If Schemas/V1.yaml was edited"))
    let report = found.document.text()
    #expect(
      report.contains("\nby its number, the store is V1 of Schemas:\n")
        && report.contains("\na closer match is V2 of Schemas:\n"), "\(report)")
  }

  @Test(
    "A store from a newer build is unknown, and the diagnosis lists what opening it without a plan drops"
  )
  func later() throws {
    var model = Self.model
    model.versionIdentifier = "3.0.0"
    Self.entity("Stop") {
      $0.attributes.append(ManagedAttribute(name: "note", type: .string, isOptional: true))
    }(&model)
    let found = try Self.diagnose(model, hasCache: true)
    #expect(found.waysOut.first?.kind == .laterVersion)
    #expect(found.outcome?.code == 134_504 && found.outcome?.dropped == ["Stop.note"])
    #expect(try Self.diagnose(model, hasCache: false).outcome?.dropped == nil)
  }

  @Test("A subentity that differs only by its superclass lists no change")
  func superclasses() throws {
    let texts = [
      "Schemas/V1.yaml": """
      version: 1.0.0
      models:
        Stop:
          properties:
            title: String
            days: Int
        Layover:
          inherits: Stop
          properties:
            hours: Double
      """
    ]
    let folder = Self.folder(texts)
    var model = folder.candidates[0].model
    Self.attribute("days", of: "Stop") { $0.isOptional = true }(&model)
    // Without its model a store counts as of this version, since it is not known how a subentity is hashed.
    let found = try Self.diagnose(model, hasCache: true, folder: folder)
    #expect(Self.told(found) == ["Stop.days: Int? → Int"])
    #expect(!found.document.text().contains("hashes: not those"))
    Self.attribute("hours", of: "Layover") { $0.isOptional = true }(&model)
    let both = try Self.diagnose(model, hasCache: true, folder: folder)
    #expect(Self.told(both) == ["Layover.hours: Double? → Double", "Stop.days: Int? → Int"])
  }
}
