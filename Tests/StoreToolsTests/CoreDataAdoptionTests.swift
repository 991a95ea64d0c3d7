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

/// Manifests adopted from Core Data models.
@Suite struct CoreDataAdoptionTests {
  typealias Source = CoreDataSource

  private func model(
    _ versions: [(name: String, elements: String)], current: String? = nil
  ) throws -> CoreDataVersions {
    let files = MemoryFiles(Source.files("App/Trips.xcdatamodeld", versions, current: current))
    let reading = CoreDataVersions.read("App/Trips.xcdatamodeld", fileSystem: files)
    return try #require(reading.versions, "\(reading.diagnostics)")
  }

  private func adopt(
    _ versions: [(name: String, elements: String)], current: String? = nil, from: String? = nil
  ) throws -> CoreDataAdoption {
    try CoreDataAdoption(
      try model(versions, current: current), from: from, folder: "Schemas")
  }

  private func folder(_ adoption: CoreDataAdoption) -> SchemaFolder {
    SchemaFolder.read("Schemas", fileSystem: MemoryFiles(adoption.files))
  }

  @Test("Each adopted manifest has the hashes of its Core Data version")
  func equal() throws {
    let first = Source.entity("Trip")
    let second = Source.entity(
      "Trip", "",
      "<attribute name=\"days\" attributeType=\"Integer 32\" defaultValueString=\"1\" usesScalarValueType=\"YES\"/>"
    )
    let versions = [(name: "Trips", elements: first), (name: "Trips 2", elements: second)]
    let adoption = try adopt(versions)
    #expect(
      adoption.versions.map(\.fate) == [.adopted(VersionNumber(1)), .adopted(VersionNumber(2))])
    let read = folder(adoption)
    #expect(!read.diagnostics.hasErrors, "\(read.diagnostics)")
    let made = try #require(read.evolution).history
    let models = try model(versions).versions
    #expect(made.count == 2)
    for (version, model) in zip(made, models) {
      #expect(VersionModel(version).model.versionHashes == model.model.versionHashes)
      #expect(version.identity == .shipped)
    }
  }

  /// Traits that SwiftData lacks, with the element and words of the help.
  static let obstacles: [(elements: String, element: String, clause: String, way: String?)] = [
    (Source.entity("A", "isAbstract=\"YES\""), "A", "is abstract", "Abstract Entity"),
    (Source.entity("A", "versionHashModifier=\"2\""), "A", "hash modifier '2'", "Hash Modifier"),
    (
      Source.entity(
        "A", "",
        "<relationship name=\"r\" optional=\"YES\" toMany=\"YES\" ordered=\"YES\" destinationEntity=\"A\"/>"
      ),
      "A.r", "is ordered", "Ordered"
    ),
    (
      Source.entity(
        "A", "",
        "<attribute name=\"d\" attributeType=\"Date\" derived=\"YES\" derivationExpression=\"now()\"/>"
      ),
      "A.d", "is derived", "Derived"
    ),
    (
      Source.entity("A", "", "<attribute name=\"u\" optional=\"YES\"/>"), "A.u", "has no type",
      "give it one"
    ),
    (
      Source.entity(
        "A", "", "<attribute name=\"description\" optional=\"YES\" attributeType=\"String\"/>"),
      "A.description", "cannot be in a manifest", nil
    ),
    (
      Source.entity(
        "A", "",
        "<relationship name=\"r\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"B\"/>")
        + Source.entity(
          "B", "",
          "<relationship name=\"s\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"A\"/>"),
      "A.r", "SwiftData joins them", nil
    ),
  ]

  @Test(
    "An entity that SwiftData cannot have is reported, and nothing is written",
    arguments: obstacles)
  func obstacle(_ elements: String, _ element: String, _ clause: String, _ way: String?) throws {
    let adoption = try adopt([(name: "Trips", elements: elements)])
    #expect(!adoption.isPossible && adoption.files.isEmpty)
    let found = try #require(adoption.current?.verdict).obstacles
    let obstacle = try #require(
      found.first { $0.element.description == element }, "\(found)")
    #expect(obstacle.clause.contains(clause))
    if let way { #expect(obstacle.way?.contains(way) == true) }
    #expect(obstacle.location?.file == "App/Trips.xcdatamodeld/Trips.xcdatamodel/contents")
    #expect(CoreDataReport(adoption).document.text().contains("\(element) \(obstacle.clause)"))
  }

  @Test("Traits outside the hash are noted and do not stop adoption")
  func notes() throws {
    let adoption = try adopt([
      (
        name: "Trips",
        elements: """
        <entity name="Trip" representedClassName="TripMO" syncable="YES">
        <attribute name="cached" optional="YES" transient="YES" attributeType="String"/>
        <attribute name="days" optional="YES" attributeType="Integer 16" minValueString="1"/>
        <attribute name="color" optional="YES" attributeType="Transformable" valueTransformerName="Hue" customClassName="UIColor"/>
        <fetchedProperty name="recent"><fetchRequest name="r" entity="Trip"/></fetchedProperty>
        </entity>
        """
      )
    ])
    let text = try #require(adoption.files.first { $0.path == "Schemas/V1.yaml" }).text
    #expect(adoption.isPossible)
    for words in [
      "'TripMO'", "transient property 'cached'", "has bounds", "fetched property 'recent'",
    ] {
      #expect(text.contains(words), "\(text)")
    }
    #expect(text.contains("transformable: Hue"))
    #expect(!folder(adoption).diagnostics.hasErrors)
  }

  @Test("Adoption notes what needs a newer system than SwiftData's first")
  func newerSystems() throws {
    let adoption = try adopt([
      (
        name: "Trips",
        elements: """
        <entity name="Trip" representedClassName="Trip" syncable="YES">
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="day" optional="YES" attributeType="String"/>
        <fetchIndex name="byDay"><fetchIndexElement property="day" type="Binary" order="ascending"/></fetchIndex>
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/><constraint value="day"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        <entity name="Cruise" representedClassName="Cruise" parentEntity="Trip"><attribute name="ship" optional="YES" attributeType="String"/></entity>
        """
      )
    ])
    for (key, system) in [("index", "iOS 18"), ("unique", "iOS 18")] {
      #expect(
        adoption.notes.contains { $0.hasPrefix("'\(key):' of Trip needs \(system), macOS 15 ") },
        "\(adoption.notes)")
    }
    #expect(adoption.notes.contains { $0.hasPrefix("'inherits:' of Cruise needs iOS 26, ") })
  }

  @Test("A subentity of a concrete entity has the same hash as a subclass")
  func subentities() throws {
    let adoption = try adopt([
      (
        name: "Trips",
        elements: Source.entity("Trip")
          + "<entity name=\"Cruise\" representedClassName=\"Cruise\" parentEntity=\"Trip\"><attribute name=\"ship\" optional=\"YES\" attributeType=\"String\"/></entity>"
      )
    ])
    #expect(adoption.isPossible)
    #expect(adoption.files.textsByPath["Schemas/V1.yaml"]?.contains("inherits: Trip") == true)
    #expect(try #require(adoption.current?.verdict).isEqual)
  }

  @Test("A composite has the same hash as a struct, reported as uncertain")
  func composites() throws {
    let adoption = try adopt([
      (
        name: "Trips",
        elements: Source.entity(
          "Trip", "",
          "<attribute name=\"area\" optional=\"YES\" attributeType=\"Composite\" composite=\"Area\"/>"
        )
          + "<composite name=\"Area\"><attribute name=\"width\" optional=\"YES\" attributeType=\"Double\"/></composite>"
      )
    ])
    #expect(adoption.isPossible)
    #expect(CoreDataReport(adoption).document.text().contains("not certain: Trip.area"))
  }

  @Test(
    "A Core Data step covers versions with certain hashes and warns about the others"
  )
  func step() throws {
    let first = (name: "Trips", elements: Source.entity("Trip", "isAbstract=\"YES\""))
    let doubtful = (
      name: "Trips 2",
      elements: Source.entity(
        "Trip", "",
        "<attribute name=\"s\" attributeType=\"Double\" derived=\"YES\" derivationExpression=\"a.@sum.b\"/>"
      )
    )
    let last = (name: "Trips 3", elements: Source.entity("Trip"))
    let adoption = try adopt([first, doubtful, last])
    let settings = SourceFile(
      path: "Schemas/schemagen.yaml",
      text: "coreData: { model: ../App/Trips.xcdatamodeld }\nextras: [migrationKit]\n")
    let files = MemoryFiles(
      Source.files("App/Trips.xcdatamodeld", [first, doubtful, last])
        + adoption.files.filter { $0.name != "schemagen.yaml" } + [settings])
    let generation = GenerationPipeline(fileSystem: files).run("Schemas")
    let file = try #require(
      generation.changes.first { $0.path.hasSuffix("CoreDataStep.swift") })
    let step = String(decoding: file.contents, as: UTF8.self)
    #expect(step.contains("\"Trips\"") && !step.contains("\"Trips 2\""))
    let warned = generation.diagnostics.filter { $0.rule == .coreDataDiffers }
    #expect(warned.map(\.severity) == [.warning])
    #expect(warned.first?.message.contains("'Trips 2'") == true)
  }

  @Test("No Core Data step is generated if the current version's hashes are uncertain")
  func doubtfulStep() throws {
    let first = (name: "Trips", elements: Source.entity("Trip", "isAbstract=\"YES\""))
    let last = (
      name: "Trips 2",
      elements: Source.entity(
        "Trip", "",
        "<attribute name=\"area\" optional=\"YES\" attributeType=\"Composite\" composite=\"Area\"/>"
      )
        + "<composite name=\"Area\"><attribute name=\"width\" optional=\"YES\" attributeType=\"Double\"/></composite>"
    )
    let settings = SourceFile(
      path: "Schemas/schemagen.yaml",
      text: "coreData: { model: ../App/Trips.xcdatamodeld }\nextras: [migrationKit]\n")
    let files = MemoryFiles(
      Source.files("App/Trips.xcdatamodeld", [first, last])
        + (try adopt([first, last])).files.filter { $0.name != "schemagen.yaml" } + [settings])
    let read = SchemaFolder.read("Schemas", fileSystem: files)
    #expect(read.coreData.step == nil)
    #expect(
      read.diagnostics.filter { $0.rule == .coreDataDiffers }.map(\.message)
        == ["at launch, stores of 'Trips 2' cannot be recognised by their hashes"])
  }

  @Test("Configurations are reported, since their stores have some entities only")
  func configurations() throws {
    let elements =
      Source.entity("Trip") + Source.entity("Draft")
      + "<configuration name=\"Cloud\"><memberEntity name=\"Trip\"/></configuration>"
    let local = "<configuration name=\"Local\"><memberEntity name=\"Draft\"/></configuration>"
    let two = try adopt([(name: "Trips", elements: elements + local)])
    #expect(CoreDataReport(two).document.text().contains("the configurations 'Cloud', 'Local'"))
    let one = try adopt([(name: "Trips", elements: elements)])
    #expect(!CoreDataReport(one).document.text().contains("configurations"))
  }

  @Test("Encrypted attributes stay encrypted, although no hash shows it")
  func encryption() throws {
    let encrypted = Source.entity(
      "Trip", "",
      "<attribute name=\"secret\" optional=\"YES\" attributeType=\"String\" allowsCloudEncryption=\"YES\"/>"
        + "<attribute name=\"open\" optional=\"YES\" attributeType=\"String\" allowsCloudEncryption=\"NO\"/>"
    )
    let adoption = try adopt([(name: "Trips", elements: encrypted)])
    let read = folder(adoption)
    let version = try #require(read.evolution?.history.first)
    let found = version.models.flatMap(\.properties).filter {
      $0.attribute?.options.contains(.allowsCloudEncryption) == true
    }
    #expect(found.map(\.name) == ["secret"])
    #expect(read.diagnostics.hasErrors == false, "\(read.diagnostics)")
  }

  @Test("Entities outside the synced configuration are adopted as local")
  func localEntities() throws {
    let cloud =
      "<configuration name=\"Cloud\" usedWithCloudKit=\"YES\"><memberEntity name=\"Trip\"/></configuration>"
    let local = "<configuration name=\"Local\"><memberEntity name=\"Draft\"/></configuration>"
    let entities = Source.entity("Trip") + Source.entity("Draft")
    let adoption = try adopt([(name: "Trips", elements: entities + cloud + local)])
    let configuration = try #require(folder(adoption).evolution).configuration
    #expect(configuration.cloudKit == .private)
    #expect(configuration.cloud.local.map(\.value) == ["Draft"])
    #expect(CoreDataReport(adoption).document.text().contains("do not sync: Draft"))
    let one = try adopt([(name: "Trips", elements: entities + cloud)])
    #expect(try #require(folder(one).evolution).configuration.cloud.local.isEmpty)
  }

  @Test("Renaming identifiers of entities and attributes become renames")
  func renames() throws {
    let adoption = try adopt([
      (name: "Trips", elements: Source.entity("Trip")),
      (
        name: "Trips 2",
        elements:
          "<entity name=\"Journey\" elementID=\"Trip\"><attribute name=\"name\" optional=\"YES\" attributeType=\"String\" elementID=\"title\"/></entity>"
      ),
      (
        name: "Trips 3",
        elements:
          "<entity name=\"Journey\" elementID=\"Trip\"><attribute name=\"name\" optional=\"YES\" attributeType=\"String\" elementID=\"title\"/><attribute name=\"x\" optional=\"YES\" attributeType=\"String\" elementID=\"gone\"/></entity>"
      ),
    ])
    let texts = adoption.files.textsByPath
    let second = try #require(texts["Schemas/V2.yaml"])
    #expect(second.contains("renamedFrom: Trip") && second.contains("renamedFrom: title"))
    let third = try #require(texts["Schemas/V3.yaml"])
    #expect(!third.contains("renamedFrom") && !third.contains("gone"), "\(third)")
    #expect(!folder(adoption).diagnostics.hasErrors, "\(folder(adoption).diagnostics)")
  }

  @Test("Mapping models become renames and comments, and custom code is named")
  func mappingModels() throws {
    func object(_ type: String, _ id: String, _ values: [String: String], _ owner: String? = nil)
      -> String
    {
      "<object type=\"XDDEV\(type)\" id=\"\(id)\">"
        + values.sorted { $0.key < $1.key }.map {
          "<attribute name=\"\($0.key)\" type=\"string\">\($0.value)</attribute>"
        }.joined()
        + (owner.map {
          "<relationship name=\"entitymapping\" type=\"1/1\" destination=\"XDDEVENTITYMAPPING\" idrefs=\"\($0)\"></relationship>"
        } ?? "") + "</object>"
    }
    let xml =
      "<?xml version=\"1.0\"?><!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\"><database>"
      + object(
        "MAPPINGMODEL", "z1",
        [
          "sourcemodelpath": "App/Trips.xcdatamodeld/Trips.xcdatamodel",
          "destinationmodelpath": "App/Trips.xcdatamodeld/Trips 2.xcdatamodel",
        ])
      + object("ENTITYMAPPING", "z2", ["sourcename": "Trip", "destinationname": "Journey"])
      + object(
        "ENTITYMAPPING", "z3",
        [
          "sourcename": "Note", "destinationname": "Note",
          "migrationpolicyclassname": "App.NotePolicy",
          "sourcefilterpredicatestring": "title != nil",
        ])
      + object("ATTRIBUTEMAPPING", "z4", ["name": "title", "valueexpressiondata": "YnBs"], "z3")
      + "</database>"
    let versions = [
      (name: "Trips", elements: Source.entity("Trip") + Source.entity("Note")),
      (name: "Trips 2", elements: Source.entity("Journey") + Source.entity("Note")),
    ]
    let files = MemoryFiles(
      Source.files("App/Trips.xcdatamodeld", versions) + [
        SourceFile(path: "App/Migrations/A.xcmappingmodel/xcmapping.xml", text: xml),
        SourceFile(path: "App/B.xcmappingmodel/xcmapping.xml", text: "<database/>"),
        SourceFile(
          path: "App/C.xcmappingmodel/xcmapping.xml",
          text: xml.replacing("Trips.xcdatamodeld", with: "Other.xcdatamodeld")),
      ])
    let found = try CoreDataMappings(beside: "App/Trips.xcdatamodeld", fileSystem: files)
    #expect(found.unread == ["App/B.xcmappingmodel"])
    #expect(found.mappings.map(\.path) == ["App/Migrations/A.xcmappingmodel"])
    let adoption = try CoreDataAdoption(
      try model(versions), mappings: found.mappings, folder: "Schemas")
    let text = try #require(adoption.files.textsByPath["Schemas/V2.yaml"])
    #expect(text.contains("renamedFrom: Trip"), "\(text)")
    for words in [
      "made by the class 'App.NotePolicy' (App/Migrations/A.xcmappingmodel)", "title != nil",
      "an expression gives title",
    ] {
      #expect(text.contains(words), "\(text)")
      #expect(
        CoreDataReport(adoption).document.text().contains(
          words.replacing(" (App/Migrations/A.xcmappingmodel)", with: "")))
    }
    #expect(!folder(adoption).diagnostics.hasErrors)
  }

  @Test("A removed entity is left unconfirmed until a person decides")
  func drops() throws {
    let adoption = try adopt([
      (name: "Trips", elements: Source.entity("Trip") + Source.entity("Note")),
      (name: "Trips 2", elements: Source.entity("Trip")),
    ])
    #expect(adoption.files.textsByPath["Schemas/V2.yaml"]?.contains("Note: unconfirmed") == true)
    #expect(adoption.questions.contains { $0.rule.id == "unconfirmed-drop" })
  }

  @Test("Versions before one that SwiftData cannot have are left to Core Data")
  func olderObstacle() throws {
    let adoption = try adopt([
      (name: "Trips", elements: Source.entity("Trip")),
      (name: "Trips 2", elements: Source.entity("Trip", "isAbstract=\"YES\"")),
      (
        name: "Trips 3",
        elements: Source.entity(
          "Trip", "", "<attribute name=\"a\" optional=\"YES\" attributeType=\"Date\"/>")
      ),
    ])
    #expect(
      adoption.versions.map(\.fate) == [.leftOut, .inCoreDataOnly, .adopted(VersionNumber(1))])
    #expect(
      adoption.files.textsByPath["Schemas/schemagen.yaml"]?
        .contains("coreData: { model: ../App/Trips.xcdatamodeld }") == true)
  }

  @Test(
    "Equal versions are merged, and a version after the current one is a draft")
  func sameAndDrafts() throws {
    let index =
      "<fetchIndex name=\"i\"><fetchIndexElement property=\"title\" type=\"Binary\" order=\"ascending\"/></fetchIndex>"
    let adoption = try adopt(
      [
        (name: "Trips", elements: Source.entity("Trip")),
        (name: "Trips 2", elements: Source.entity("Trip", "", index)),
        (name: "Trips 3", elements: Source.entity("Other")),
      ], current: "Trips 2")
    #expect(
      adoption.versions.map(\.fate) == [.same(as: "Trips 2"), .adopted(VersionNumber(1)), .draft])
    #expect(adoption.files.textsByPath["Schemas/schemagen.yaml"]?.contains("coreData") == false)
    let later = try adopt(
      [
        (name: "Trips", elements: Source.entity("Trip")),
        (name: "Trips 2", elements: Source.entity("Other")),
      ], from: "Trips 2")
    #expect(later.versions.map(\.fate) == [.leftOut, .adopted(VersionNumber(1))])
    #expect(throws: CoreDataTrouble.self) {
      try adopt([(name: "Trips", elements: Source.entity("Trip"))], from: "Trip")
    }
  }

  @Test("Versions are ordered by the numbers in their names or by the user")
  func order() throws {
    let trip = Source.entity("Trip")
    let names = ["Trips 10", "Trips", "Trips 2"]
    #expect(
      try model(names.map { (name: $0, elements: trip) }, current: "Trips 10").versions.map(\.name)
        == ["Trips", "Trips 2", "Trips 10"])
    let files = MemoryFiles(
      Source.files(
        "App/T.xcdatamodeld", [(name: "Photos", elements: trip), (name: "First", elements: trip)],
        current: "Photos"))
    let reading = CoreDataVersions.read("App/T.xcdatamodeld", fileSystem: files)
    #expect(reading.versions == nil)
    #expect(reading.diagnostics.first?.help.first?.contains("--order 'First,Photos'") == true)
    let told = CoreDataVersions.read(
      "App/T.xcdatamodeld", order: ["First", "Photos"], fileSystem: files)
    #expect(told.versions?.versions.map(\.name) == ["First", "Photos"])
    #expect(
      CoreDataVersions.read("App/T.xcdatamodeld", order: ["First"], fileSystem: files).versions
        == nil)
  }

  @Test("A compiled model equals its source, and its store is recognised")
  func compiled() throws {
    let source = try model([
      (
        name: "Trips",
        elements: Source.entity(
          "Trip", "", "<attribute name=\"days\" attributeType=\"Integer 32\"/>")
      )
    ])
    let bytes = try Inflate.expand(
      Array(ModelArchive.content(of: source.versions[0].model)), limit: 1 << 20)
    let info = try PropertyListSerialization.data(
      fromPropertyList: ["NSManagedObjectModel_CurrentVersionName": "Trips"], format: .binary,
      options: 0)
    let files = MemoryFiles([
      SourceFile(path: "Trips.momd/Trips.mom", bytes: bytes),
      SourceFile(path: "Trips.momd/VersionInfo.plist", bytes: Array(info)),
      SourceFile(path: "Trips.momd/Trips.omo", bytes: [1, 2, 3]),
    ])
    let reading = CoreDataVersions.read(model: "Trips.momd", fileSystem: files)
    let versions = try #require(reading.versions, "\(reading.diagnostics)")
    #expect(
      versions.versions[0].model.versionHashes == source.versions[0].model.versionHashes)
    #expect(CoreDataVersions.read(model: "Trips.momd/Trips.mom", fileSystem: files).versions != nil)
    for path in ["Trips.momd/Trips.omo", "None.momd", "None.mom", "Trips.txt", "N.xcdatamodeld"] {
      let reading = CoreDataVersions.read(model: path, fileSystem: files)
      #expect(reading.versions == nil && reading.diagnostics.count == 1, "\(path)")
    }
    try withTemporaryFolder { place in
      let path = place + "/one.store"
      do {
        let store = try StoreFile(at: .file(URL(filePath: path)))
        try store.create(source.versions[0].model)
        try Stores.disguise(store, source.versions[0].model)
      }
      let folder = ManifestFolder(versions)
      let match = StoreMatch(try Stores.facts(path), candidates: folder.candidates)
      #expect(match.matches.map(\.candidate.name) == ["Trips"])
      let diagnosis = StoreDiagnosis(
        path: path, facts: try Stores.facts(path), folders: [folder])
      #expect(diagnosis.isRecognised && diagnosis.exitStatus == 0)
      #expect(diagnosis.document.text().contains("Trips is the newest version"))
      // The help for a store of another version differs from that for manifests.
      let other = ManifestFolder(
        try model([(name: "Trips", elements: Source.entity("Trip"))]))
      let lost = StoreDiagnosis(path: path, facts: try Stores.facts(path), folders: [other])
      #expect(!lost.isRecognised && lost.outcome == nil)
      #expect(
        lost.waysOut.map(\.commands) == [["git log --oneline --all -- App/Trips.xcdatamodeld"]])
    }
  }

  // MARK: Beside manifests

  private func findings(
    _ versions: [(name: String, elements: String)], _ manifests: [SourceFile], shares: Bool
  ) -> [Diagnostic] {
    let settings = SourceFile(
      path: "Schemas/schemagen.yaml",
      text:
        "coreData: { model: ../App/Trips.xcdatamodeld\(shares ? ", sharesStore: true" : "") }\n")
    let files = MemoryFiles(
      Source.files("App/Trips.xcdatamodeld", versions)
        + manifests.filter { $0.name != "schemagen.yaml" } + [settings])
    return SchemaFolder.read("Schemas", fileSystem: files).diagnostics
      .filter { $0.rule == .coreDataDiffers || $0.rule == .coreDataModel }
  }

  @Test("A Core Data step that no launch runs is reported, unless Core Data opens the store")
  func missingStep() throws {
    let first = (name: "Trips", elements: Source.entity("Trip", "isAbstract=\"YES\""))
    let last = (name: "Trips 2", elements: Source.entity("Trip"))
    let files = try adopt([first, last]).files
    let found = findings([first, last], files, shares: false)
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.message.contains("stores of 'Trips' match no version") == true)
    #expect(found.first?.help.first?.contains("extras: [migrationKit]") == true)
    #expect(findings([first, last], files, shares: true).isEmpty)
  }

  @Test("The finding for an edited shipped Core Data version says that the order of rows is lost")
  func editedVersion() throws {
    func versions(_ ordered: String) -> [(name: String, elements: String)] {
      let one =
        "<relationship name=\"stops\" optional=\"YES\" toMany=\"YES\"\(ordered) deletionRule=\"Nullify\" "
        + "destinationEntity=\"Stop\" inverseName=\"trip\" inverseEntity=\"Stop\"/>"
      func stop(_ more: String) -> String {
        Source.entity(
          "Stop", "",
          "<relationship name=\"trip\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" "
            + "destinationEntity=\"Trip\" inverseName=\"stops\" inverseEntity=\"Trip\"/>" + more)
      }
      let more = "<attribute name=\"a\" optional=\"YES\" attributeType=\"Date\"/>"
      return [
        (name: "Trips", elements: Source.entity("Trip", "", one) + stop("")),
        (
          name: "Trips 2",
          elements: Source.entity("Trip", "", one.replacing(ordered, with: "")) + stop(more)
        ),
      ]
    }
    let (before, after) = (versions(" ordered=\"YES\""), versions(""))
    let manifests = try adopt(before).files.filter { $0.name != "schemagen.yaml" }
    func folder(_ versions: [(name: String, elements: String)]) -> MemoryFiles {
      let settings = SourceFile(
        path: "Schemas/schemagen.yaml", text: "coreData: { model: ../App/Trips.xcdatamodeld }\n")
      return MemoryFiles(Source.files("App/Trips.xcdatamodeld", versions) + manifests + [settings])
    }
    func found(_ now: [(name: String, elements: String)]) throws -> [Diagnostic] {
      let base = try ComparisonBase(
        name: "main", path: "Schemas", isRelease: false, fileSystem: folder(before))
      let current = SchemaFolder.read("Schemas", fileSystem: folder(now))
      return BaseComparison(current: current, currentLock: SchemaLock(), base: base).diagnostics()
        .filter { $0.rule == .coreDataDiffers }
    }
    #expect(try found(before).isEmpty)
    let edited = try found(after)
    #expect(edited.map(\.severity) == [.error])
    #expect(
      edited.first?.message.contains("'Trips' of the Core Data model differs from main")
        == true)
    #expect(edited.first?.message.contains("the order of the rows is lost") == true)
  }

  @Test("A Core Data model and manifests that drift apart are reported")
  func beside() throws {
    let first = (name: "Trips", elements: Source.entity("Trip"))
    let second = (
      name: "Trips 2",
      elements: Source.entity(
        "Trip", "", "<attribute name=\"a\" optional=\"YES\" attributeType=\"Date\"/>")
    )
    let one = try adopt([first]).files
    let both = try adopt([first, second]).files
    for shares in [false, true] {
      #expect(findings([first], one, shares: shares).isEmpty)
      #expect(findings([first, second], both, shares: shares).isEmpty)
    }
    // The Core Data model has changed.
    let moved = findings([first, second], one, shares: true)
    #expect(moved.map(\.rule) == [.coreDataDiffers])
    #expect(moved.first?.help.first?.contains("'Trip.a'") == true)
    #expect(moved.first?.related.first?.location.file.contains("Trips 2") == true)
    #expect(findings([first, second], one, shares: false).map(\.rule) == [.coreDataDiffers])
    // The manifests have changed: an error for a store that both open, but not for one that Core Data no longer opens.
    #expect(findings([first], both, shares: true).map(\.rule) == [.coreDataDiffers])
    #expect(findings([first], both, shares: false).isEmpty)
    // A missing model is reported where it is named.
    let settings = SourceFile(
      path: "Schemas/schemagen.yaml", text: "coreData: { model: ../App/Other.xcdatamodeld }\n")
    let lost = SchemaFolder.read(
      "Schemas", fileSystem: MemoryFiles(one.filter { $0.name != "schemagen.yaml" } + [settings]))
    #expect(
      lost.diagnostics.first { $0.rule == .coreDataModel }?.location?.file
        == "Schemas/schemagen.yaml")
    #expect(
      findings([(name: "Trips", elements: "<wing/>")], one, shares: false).map(\.rule).contains(
        .coreDataModel))
  }

  @Test("The Core Data example's store matches its first version and has its rows")
  func example() throws {
    let files = Disk()
    let path = Checkout.root + "/Examples/FromCoreData"
    let versions = try #require(
      CoreDataVersions.read(path + "/Trips.xcdatamodeld", fileSystem: files).versions)
    let store = path + "/Trips.sqlite"
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try? FileManager.default.removeItem(atPath: store)
      try ExampleStore.write(store, versions.versions[0].model)
    }
    let facts = try Stores.facts(store)
    #expect(facts.hashes == versions.versions[0].model.versionHashes.entities)
    #expect(facts.writer == .coreData)
  }
}

/// A store as the example's app has left it: three trips, one of them with a photo, and five stops.
private enum ExampleStore {
  static func write(_ path: String, _ model: ManagedModel) throws {
    let store = try StoreFile(at: .file(URL(filePath: path)))
    try store.create(model)
    var changes = StoreChanges()
    let trips = Array(try store.allocateKeys(of: "Trip", count: 3))
    let stops = Array(try store.allocateKeys(of: "Stop", count: 5))
    for (key, title) in zip(trips, ["Alps", "Lisbon", "Faroe Islands"]) {
      changes.inserted.append(
        row("Trip", key, store) { slot in
          switch slot {
          case "title": .text(title)
          case "isArchived": .integer(key == trips[0] ? 1 : 0)
          case "photo": key == trips[1] ? .blob(Data([1, 0x89, 0x50, 0x4E, 0x47])) : .null
          default: .null
          }
        })
    }
    for (place, key) in stops.enumerated() {
      changes.inserted.append(
        row("Stop", key, store) { slot in
          switch slot {
          case "place": .text(["Zermatt", "Chur", "Belém", "Tórshavn", "Gjógv"][place])
          case "arrival": place == 4 ? .null : .real(Double(700_000_000 + place * 86_400))
          case "trip": .integer(trips[place / 2])
          default: .null
          }
        })
    }
    try store.apply(changes)
    try Stores.disguise(store, model)
    try store.database.run("PRAGMA journal_mode = DELETE")
  }

  private static func row(
    _ entity: String, _ key: Int64, _ store: StoreFile, _ value: (String) -> StoredValue
  ) -> StoreRow {
    StoreRow(
      id: ObjectID(entity: entity, key: key),
      values: store.layout(of: entity).slots.map { value($0.path) })
  }
}
