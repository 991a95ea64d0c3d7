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

/// Why a store is of no version: found in the store's own model, and from its hashes alone.
@Suite struct DiagnosisTests {
  /// Two versions with one of everything that is hashed.
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
  static let model = folder.candidates.last!.model.model

  /// Writes a store as Core Data does and examines it.
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
    "A column that the version has and the store lacks is told, with the store's model or without",
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
      // Without its model, the tables alone tell which version it is no more.
      #expect(diagnosis.tables.contains { $0.contains("ZSTATUS") } == !hasCache)
    }
  }

  /// What differs, in the report's words without the version's name.
  static func told(_ diagnosis: StoreDiagnosis) -> [String] {
    diagnosis.entities.flatMap { entity -> [String] in
      switch entity.status {
      case .same: []
      case .differs:
        (entity.versionName.map { ["\(entity.name) was \($0)"] } ?? [])
          + entity.differences.map {
            "\($0.element): \($0.store ?? "-") → \($0.version ?? "-")"
          }
      case .storeOnly, .versionOnly, .unexplained: ["\(entity.name) \(entity.status.rawValue)"]
      }
    }
  }

  /// A change of the store's model, and what has to be told of it.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var told: [String]
    var change: @Sendable (inout ManagedModel) -> Void
    /// Whether lines of the manifest can be named.
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
      }, isEditable: false),
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
        // No manifest says so: SwiftData joins the two.
      }, isEditable: false),
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
      name: "an entity of another name", told: ["Halt was Stop", "Trip.stops: [Halt] → [Stop]"],
      change: { model in
        entity("Stop") { $0.name = "Halt" }(&model)
        relationship("stops") { $0.destination = "Halt" }(&model)
      }),
    Case(
      name: "an entity more", told: ["Zone storeOnly"],
      change: { model in
        model.entities.append(
          ManagedEntity(name: "Zone", attributes: [ManagedAttribute(name: "code", type: .string)]))
      }, isEditable: false),
    Case(
      name: "an entity less", told: ["Person versionOnly", "Trip.owner: - → Person?"],
      change: { model in
        model.entities.removeAll { $0.name == "Person" }
        entity("Trip") { $0.relationships.removeAll { $0.name == "owner" } }(&model)
      }),
  ]

  @Test("what was otherwise is named by the store's own model", arguments: cases)
  func oneChange(_ example: Case) throws {
    var model = Self.model
    example.change(&model)
    let found = try Self.diagnose(model, hasCache: true)
    #expect(!found.isRecognised && found.exitStatus == 1)
    #expect(found.nearest?.candidate.name == "V2")
    #expect(Self.told(found) == example.told)
    #expect(found.storeModel?.versionHashes == model.versionHashes)
    for entity in found.entities where entity.status == .differs {
      #expect(entity.basis == .model)
    }
    let revision = found.waysOut.compactMap(\.revision).first
    #expect((revision != nil) == example.isEditable)
    if let revision { try expectRecognised(model, with: revision) }
  }

  @Test(
    "without its model a store's hashes tell which entities differ, and nothing is guessed",
    arguments: cases)
  func oneChangeWithoutModel(_ example: Case) throws {
    var model = Self.model
    example.change(&model)
    let known = try Self.diagnose(model, hasCache: true)
    let found = try Self.diagnose(model, hasCache: false)
    #expect(!found.isRecognised && found.exitStatus == 1)
    func different(_ diagnosis: StoreDiagnosis) -> [String] {
      diagnosis.entities.filter { $0.status != .same }.map(\.name)
    }
    #expect(different(found) == different(known))
    // A model that has another name, and nothing else, is proven by its hash.
    let isProven = found.entities.allSatisfy { $0.status == .same || $0.basis == .hash }
    #expect(isProven == example.told.contains { $0.contains(" was ") })
    #expect((found.storeModel == nil) != isProven)
    #expect(
      found.waysOut.allSatisfy { ($0.revision != nil) == (isProven && $0.kind == .restoreVersion) })
    for entity in found.entities where entity.status == .unexplained {
      #expect(
        entity.reasons == ["its hash is another one, and the store has no model that says why"])
    }
  }

  /// Writes the lines that a diagnosis names into the manifest.
  private func expectRecognised(_ model: ManagedModel, with revision: ManifestRevision) throws {
    let texts = try Self.edited(Self.manifests, by: revision)
    let found = try Self.diagnose(model, hasCache: false, folder: Self.folder(texts))
    #expect(found.isRecognised, "\(texts)")
  }

  /// Manifests with the lines that a diagnosis names.
  private static func edited(
    _ texts: [String: String], by revision: ManifestRevision
  ) throws -> [String: String] {
    var texts = texts
    for change in revision.changes {
      #expect(
        texts[change.path].map { $0 + "\n" }
          == change.previous.map { String(decoding: $0, as: UTF8.self) })
      texts[change.path] = String(decoding: change.contents.dropLast(), as: UTF8.self)
    }
    return texts
  }

  @Test("a property or a model that was renamed in a shipped version goes on in the next one")
  func renamedAndGoneOn() throws {
    func manifest(_ number: Int, _ model: String, _ property: String, _ more: String) -> String {
      """
      version: \(number).0.0
      models:
        \(model):
          properties:
            title: String
            \(property): String?
            state: { relationship: Detail? }
        Detail:
          properties:
            code: Int\(more)
      """
    }
    let more = "\n      size: Int = 1"
    for (model, property) in [("Trip", "remark"), ("Journey", "note"), ("Journey", "remark")] {
      let texts = [
        "Schemas/V1.yaml": manifest(1, model, property, ""),
        "Schemas/V2.yaml": manifest(2, model, property, more),
      ]
      let now = Self.folder(texts)
      let shipped = Self.folder(["Schemas/V1.yaml": manifest(1, "Trip", "note", "")])
      let store = shipped.candidates[0].model.model
      // A model's other name is proven by its hash; a property's is not.
      for hasCache in property == "note" ? [true, false] : [true] {
        let found = try Self.diagnose(store, hasCache: hasCache, folder: now)
        guard let revision = found.waysOut.compactMap(\.revision).first else {
          // Of a model and a property at once the model tells too little.
          #expect(model == "Journey" && property == "remark")
          continue
        }
        #expect(revision.changes.map(\.path) == ["Schemas/V1.yaml", "Schemas/V2.yaml"])
        let mended = Self.folder(try Self.edited(texts, by: revision))
        #expect(try Self.diagnose(store, hasCache: hasCache, folder: mended).isRecognised)
        // No row loses anything on the way, as before.
        #expect(mended.evolution!.diagnostics.filter { $0.severity == .error }.isEmpty)
        #expect(
          mended.candidates.last?.model.model.versionHashes
            == now.candidates.last?.model.model.versionHashes)
        let report = found.text()
        #expect(report.contains("+++ Schemas/V2.yaml\n") && report.contains("renamedFrom: "))
      }
    }
  }

  @Test("a version's own store is compared no further")
  func recognised() throws {
    for hasCache in [true, false] {
      let found = try Self.diagnose(Self.model, hasCache: hasCache)
      #expect(found.isRecognised && found.exitStatus == 0)
      #expect(found.entities.isEmpty && found.waysOut.isEmpty)
    }
  }

  @Test(
    "a version that was edited after it shipped is told by the lock's hashes, made or proven",
    arguments: [true, false])
  func edited(_ isProven: Bool) throws {
    var model = Self.model
    Self.attribute("days") { $0.isOptional = true }(&model)
    func folder(_ hashes: VersionHashes, _ isProven: Bool) throws -> ManifestFolder {
      // By itself, for what V1 becomes in V2 is not answered.
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
      let told = [hasCache ? "Trip.days: Int? → Int" : "Trip unexplained"]
      let found = try Self.diagnose(
        model, hasCache: hasCache, folder: try folder(model.versionHashes, isProven))
      #expect(!found.isRecognised && Self.told(found) == told)
      let way = try #require(found.waysOut.first)
      #expect(way.text.contains("the store is of V2 as it shipped, and Schemas/V2.yaml was edited"))
      let difference = way.revision?.changes.first.map { LineDifference($0).text }
      #expect(
        difference?.contains("\n-      days: Int = 1\n+      days: Int? = 1\n")
          == (hasCache ? true : nil))
      // As it shipped, a version is not to be edited.
      let other = try Self.diagnose(
        model, hasCache: hasCache, folder: try folder(Self.model.versionHashes, isProven))
      #expect(Self.told(other) == told)
      #expect(other.waysOut.map(\.kind) == [.addVersion, .deleteStore])
    }
  }

  @Test("without a number that fits, the version with the most equal hashes is the nearest")
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

  /// V1 was edited after the store was written. V2, which renames, has fewer differences from it: lines for V2 would
  /// damage the wrong version.
  @Test("the version whose number the store has is the one that is changed back")
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
    // The store's Trip is V2's but for its number and one column; from V1 it has two differences.
    var model = try #require(folder.candidates.last).model.model
    model.versionIdentifier = "1.0.0"
    Self.attribute("days") { $0.isOptional = false }(&model)
    let found = try Self.diagnose(model, hasCache: true, folder: folder)
    #expect(found.nearest?.candidate.name == "V1")
    let way = try #require(found.waysOut.first)
    let revision = try #require(way.revision)
    #expect(way.kind == .restoreVersion && found.waysOut.compactMap(\.revision).count == 1)
    // V2 takes from V1 what V1 has then.
    #expect(revision.changes.map(\.path) == ["Schemas/V1.yaml", "Schemas/V2.yaml"])
    let edited = Self.folder(try Self.edited(texts, by: revision))
    #expect(edited.evolution!.diagnostics.filter { $0.severity == .error }.isEmpty)
    for hasCache in [true, false] {
      #expect(try Self.diagnose(model, hasCache: hasCache, folder: edited).isRecognised)
    }
  }

  @Test("a store that a newer build wrote is not known, and what goes without a plan is told")
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

  @Test("a sub-entity differs because its superclass does; equal but for that it has no change")
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
    var model = folder.candidates[0].model.model
    Self.attribute("days", of: "Stop") { $0.isOptional = true }(&model)
    // Without its model a store counts as of this version, for nobody has seen how an heir is hashed.
    let found = try Self.diagnose(model, hasCache: true, folder: folder)
    #expect(Self.told(found) == ["Stop.days: Int? → Int"])
    let layover = try #require(found.entities.first { $0.name == "Layover" })
    #expect(layover.status == .differs && layover.reasons == ["its superclass 'Stop' differs"])
    Self.attribute("hours", of: "Layover") { $0.isOptional = true }(&model)
    let both = try Self.diagnose(model, hasCache: true, folder: folder)
    #expect(Self.told(both) == ["Layover.hours: Double? → Double", "Stop.days: Int? → Int"])
  }
}
