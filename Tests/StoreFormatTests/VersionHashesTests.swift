import Foundation
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// The hashes that Core Data computes, byte for byte.
struct VersionHashesTests {
  // MARK: Stores

  /// Every store that Apple's frameworks wrote, with its number of entities.
  static let files: [(file: String, entities: Int)] = [
    ("cartkit-coredata-v1.sqlite", 3), ("cartkit-swiftdata-v1.store", 3),
    ("coredataplus-model1-v2.sqlite", 4), ("coredataplus-model2-v2.sqlite", 6),
    ("coredataplus-model3-v1.sqlite", 1), ("freezeray-1.store", 1), ("freezeray-2.store", 1),
    ("openaso-v1.store", 17), ("openaso-v4.store", 21), ("scout-coredata-v1.sqlite", 16),
    ("scout-coredata-v4.sqlite", 17),
  ]

  @Test(
    "Hashes, checksum and digest equal those that Apple's frameworks wrote",
    .enabled(if: AppleStores.folder != nil, Comment(rawValue: AppleStores.missing)),
    arguments: files.indices)
  func stores(_ index: Int) throws {
    let (file, count) = Self.files[index]
    let url = try #require(AppleStores.folder).appending(path: file)
    let facts = try StoreFacts(ofStoreAt: url)
    let model = try #require(facts.model)
    let made = model.versionHashes
    #expect(facts.hashes.count == count)
    for (name, hash) in facts.hashes { #expect(made.entities[name] == hash, "\(name)") }
    #expect(made.checksum == facts.checksum ?? made.checksum)
    #expect(made.digest == facts.digest ?? made.digest)
    #expect(Set(made.entities.keys) == Set(facts.hashes.keys))
  }

  // MARK: Known answers

  /// FreezeRay's two versions: the hashes that Apple's SwiftData wrote into their stores.
  @Test func knownVersions() {
    let first = AppleStores.freezeRay1.versionHashes
    #expect(
      first.entities["User"]?.base64EncodedString()
        == "u/VOS6KCOojJ17OcBJRQf1kypPHC43idMJ9BdeWvZtI=")
    #expect(first.checksum == "hVf/dkygPyXWgY+Jcgvx9sMUcaiS0yfaIlBvgiRFqr4=")
    #expect(
      first.digest
        == "DhycjuqoLFueVWZEBQK9U9T1RnCJxhCfLNVcnUAU2Qiqxd/xIvKgHnkAzYLHKXp7CkW23n8UCOGX4JbrY2vEFg=="
    )
    let second = AppleStores.freezeRay2.versionHashes
    #expect(
      second.entities["User"]?.base64EncodedString()
        == "nYUG8Xl12f7sb7meJ1ulcPwA3LwYkAektSDtzNJQ8pw=")
    #expect(second.checksum == "vYclKAIUuGnEdsZfWYGeTfATZeMMc3+o0OnpOa5KyZM=")
  }

  /// Every part of the recipe once.
  static let vehicles = Fixture.model(
    {
      var vehicle = ManagedEntity(
        name: "Vehicle",
        attributes: [
          ManagedAttribute(name: "name", type: .string),
          ManagedAttribute(name: "built", type: .date, isOptional: true),
          ManagedAttribute(name: "URLString", type: .string, hashModifier: "m1"),
          ManagedAttribute(name: "photo", type: .binary, isOptional: true, isExternal: true),
          ManagedAttribute(name: "serial", type: .integer64, isPreservedOnDeletion: true),
          ManagedAttribute(
            name: "kind", type: .composite,
            elements: [ManagedAttribute(name: "kind", type: .string, isOptional: true)]),
          ManagedAttribute(
            name: "place", type: .composite,
            elements: [
              ManagedAttribute(name: "zone", type: .string, isOptional: true),
              ManagedAttribute(name: "latitude", type: .double),
            ]),
          ManagedAttribute(name: "count", type: .integer64, isOptional: true),
        ],
        relationships: [
          ManagedRelationship(
            name: "parts", destination: "Part", inverse: "vehicle", isToMany: true,
            isOptional: false),
          ManagedRelationship(
            name: "pair", destination: "Vehicle", inverse: "pair", isToMany: false),
        ],
        uniqueness: [["name"], ["built", "name"]])
      vehicle.isAbstract = true
      vehicle.hashModifier = "m2"
      vehicle.attributes[7].derivation = "count:(parts)"
      return vehicle
    }(),
    ManagedEntity(
      name: "Car", superentity: "Vehicle",
      attributes: [ManagedAttribute(name: "doors", type: .integer32)],
      relationships: [
        ManagedRelationship(name: "twin", destination: "Car", inverse: "twin", isToMany: false)
      ]),
    {
      var part = ManagedEntity(
        name: "Part",
        relationships: [
          ManagedRelationship(
            name: "vehicle", destination: "Vehicle", inverse: "parts", isToMany: false),
          ManagedRelationship(
            name: "spares", destination: "Part", isToMany: true, minimumCount: 2, maximumCount: 7,
            hashModifier: "m3"),
        ])
      part.relationships[1].isOrdered = true
      return part
    }())

  /// Computed by another implementation of the recipe: twenty lines of Python that also give every hash in the stores.
  @Test func everyPiece() {
    let made = Self.vehicles.versionHashes
    #expect(
      made.entities.mapValues { $0.base64EncodedString() } == [
        "Car": "6RlHGDEfdhoE/ZmtJT1v3K9XsYRq1aoh0FZLiaObzaM=",
        "Part": "Ee8Rg4ZNtk8qVHXqVOZ4NCo8M/qdQyAXl9lDHkrVN58=",
        "Vehicle": "O2ejEMGfuScapSmfTFTd0AY8HUDouMBlLKSgtaGFnSA=",
      ])
    #expect(made.checksum == "OdIL/zdSwjodG9HDaFfUDdjmg9NCgEz4IfX0D590xWk=")
    #expect(
      made.digest
        == "dVuGLIt9Ehfzy621P0RqeIgxr/ryURAk4zHyCTicfsmHUe+QwSdRmVWnXFR4Fyce3r3ssheNwn9T+lQ8xYq6Bw=="
    )
  }

  // MARK: What is hashed

  typealias Change = @Sendable (inout ManagedModel) -> Void

  static let hashed: [(String, Change)] = [
    ("entity name", { $0.entities[2].name = "Award" }),
    ("superentity", { $0.entities[2].superentity = "Author" }),
    ("uniqueness constraints", { $0.entities[0].uniqueness = [] }),
    ("order in a constraint", { $0.entities[1].uniqueness[0].reverse() }),
    ("property name", { $0.entities[0].attributes[0].name = "nom" }),
    ("optional", { $0.entities[0].attributes[0].isOptional = true }),
    ("attribute's hashModifier", { $0.entities[0].attributes[0].hashModifier = "1" }),
    ("relationship's hashModifier", { $0.entities[0].relationships[0].hashModifier = "1" }),
    ("attribute type", { $0.entities[0].attributes[0].type = .uri }),
    ("externalStorage", { $0.entities[1].attributes[4].isExternal = true }),
    ("preserveValueOnDeletion", { $0.entities[0].attributes[0].isPreservedOnDeletion = true }),
    ("a composite's preservation", { $0.entities[0].attributes[2].isPreservedOnDeletion = true }),
    ("destination", { $0.entities[0].relationships[1].destination = "Reader" }),
    ("inverse name", { $0.entities[0].relationships[0].inverse = nil }),
    ("min count", { $0.entities[0].relationships[0].minimumCount = 1 }),
    ("max count", { $0.entities[0].relationships[0].maximumCount = 7 }),
    ("optional list", { $0.entities[0].relationships[0].isOptional.toggle() }),
    ("ordered", { $0.entities[0].relationships[0].isOrdered = true }),
    ("abstract", { $0.entities[0].isAbstract = true }),
    ("entity's hashModifier", { $0.entities[0].hashModifier = "1" }),
    ("composite elements", { $0.entities[0].attributes[2].elements.removeLast() }),
    ("an element's name", { $0.entities[0].attributes[2].elements[0].name = "road" }),
    ("an element's optionality", { $0.entities[0].attributes[2].elements[0].isOptional = false }),
    ("another entity", { $0.entities.append(ManagedEntity(name: "More")) }),
    ("another attribute", { $0.entities[2].attributes = [] }),
  ]

  static let ignored: [(String, Change)] = [
    ("default value", { $0.entities[0].attributes[0].defaultValue = .text("?") }),
    ("originalName", { $0.entities[0].attributes[0].originalName = "nom" }),
    ("relationship's originalName", { $0.entities[0].relationships[0].originalName = "x" }),
    ("delete rule", { $0.entities[0].relationships[0].deleteRule = .deny }),
    ("indexes", { $0.entities[1].indexes = [] }),
    ("version identifier", { $0.versionIdentifier = "9.9.9" }),
    ("order of entities", { $0.entities.reverse() }),
    ("order of attributes", { $0.entities[1].attributes.reverse() }),
    ("order of relationships", { $0.entities[0].relationships.reverse() }),
    ("order of elements", { $0.entities[0].attributes[2].elements.reverse() }),
    (
      "default of an element",
      { $0.entities[0].attributes[2].elements[0].defaultValue = .text("") }
    ),
    ("an enum's optionality", { $0.entities[1].attributes[3].isOptional.toggle() }),
    ("an enum's hashModifier", { $0.entities[1].attributes[3].hashModifier = "1" }),
    ("optionality of optional elements", { $0.entities[0].attributes[2].isOptional.toggle() }),
    ("a struct's hashModifier", { $0.entities[0].attributes[2].hashModifier = "1" }),
    ("a to-one's maximum, which is 1", { $0.entities[1].relationships[0].maximumCount = 1 }),
  ]

  @Test("Changing a hashed trait changes the checksum", arguments: hashed.indices)
  func enters(_ index: Int) {
    let (name, change) = Self.hashed[index]
    var model = Fixture.library
    change(&model)
    #expect(model.versionHashes != Fixture.library.versionHashes, "\(name)")
  }

  @Test("Changing a trait that is not hashed keeps the checksum", arguments: ignored.indices)
  func doesNotEnter(_ index: Int) throws {
    let (name, change) = Self.ignored[index]
    var model = Fixture.library
    change(&model)
    #expect(model != Fixture.library)
    #expect(model.versionHashes == Fixture.library.versionHashes, "\(name)")
    // Each can read a store of the other, since the columns are in the same places.
    let store = try StoreFile(Fixture.library)
    let id = try store.insert(
      "Author", ["name": .text("A"), "address.street": .text("S"), "address.id": .integer(1)])
    let values = try store.values(id)
    try store.adopt(model)
    #expect(try store.values(id) == values)
  }

  /// A struct in an optional property has only optional fields.
  @Test func anOptionalStructHasOptionalLeaves() {
    var model = Fixture.library
    model.entities[0].attributes[2].elements[0].isOptional = false
    #expect(model.versionHashes != Fixture.library.versionHashes)
    model.entities[0].attributes[2].isOptional = true
    #expect(model.versionHashes == Fixture.library.versionHashes)
  }

  /// Only a relationship to its own entity can be its own inverse.
  @Test func anInverseOfTheSameNameIsHashed() {
    func model(_ inverse: String?) -> ManagedModel {
      Fixture.model(
        ManagedEntity(
          name: "A",
          relationships: [
            ManagedRelationship(name: "pair", destination: "B", inverse: inverse, isToMany: false)
          ]),
        ManagedEntity(
          name: "B",
          relationships: [
            ManagedRelationship(name: "pair", destination: "A", inverse: inverse, isToMany: false)
          ]))
    }
    #expect(model("pair").versionHashes != model(nil).versionHashes)
  }

  /// A struct's property may be renamed, since its columns are named after the fields. But its hash has the place of
  /// its name among the other properties' names.
  @Test func aStructsNameIsNotHashed() {
    var model = Fixture.library
    model.entities[0].attributes[2].name = "abode"
    #expect(model.versionHashes == Fixture.library.versionHashes)
    model.entities[0].attributes[2].name = "home"
    #expect(model.versionHashes != Fixture.library.versionHashes)
  }

  @Test func anEntitysHashIsItsOwn() {
    var model = Fixture.library
    model.entities[2].attributes = []
    let (was, now) = (Fixture.library.versionHashes.entities, model.versionHashes.entities)
    #expect(was["Author"] == now["Author"])
    #expect(was["Prize"] != now["Prize"])
  }

  // MARK: Doubts

  @Test func doubts() {
    #expect(Fixture.library.hashDoubts.isEmpty)
    let several = HashDoubt(
      element: "Vehicle", reason: "how several uniqueness constraints are hashed is not certain",
      evidence: "a store with two constraints in one model")
    // An ancestor's uncertainty applies to its subentities.
    #expect(Self.vehicles.hashDoubts == ["Vehicle": [several], "Car": [several]])
    var model = Fixture.library
    model.entities[0].attributes[0].name = "größe"
    model.entities[2].attributes[0].derivation = ""
    let unknown = HashDoubt(element: "Reader", reason: "nobody knows it", evidence: "a store")
    model.entities[3].unknowns = [unknown]
    model.entities[1].attributes.append(
      ManagedAttribute(
        name: "both", type: .composite,
        elements: [
          ManagedAttribute(name: "id", type: .uuid),
          ManagedAttribute(
            name: "deep", type: .composite, elements: [ManagedAttribute(name: "id", type: .uuid)]),
        ]))
    #expect(model.hashDoubts["Book"] == nil, "of equal leaves no order counts")
    let last = model.entities[1].attributes.count - 1
    model.entities[1].attributes[last].elements[1].elements[0].type = .string
    #expect(
      model.hashDoubts.mapValues { $0.map { "\($0.element): \($0.reason)" } } == [
        "Author": ["Author.größe: its position in the sorted names is unknown"],
        "Book": ["Book.both: the order in which its equal names are hashed is unknown"],
        "Prize": ["Prize.year: how its expression is written is not known"],
        "Reader": ["Reader: nobody knows it"],
      ])
    #expect(unknown.text == "Reader: nobody knows it; a store would settle it")
  }

  @Test("A store of ours has its version's hashes, or none if any of them is uncertain")
  func storesOfOurs() throws {
    let store = try StoreFile(Fixture.library)
    #expect(store.metadata.hashes == Fixture.library.versionHashes.entities)
    #expect(store.metadata.checksum == Fixture.library.versionHashes.checksum)
    #expect(store.metadata.digest == Fixture.library.versionHashes.digest)
    var doubtful = Fixture.library
    doubtful.entities[0].unknowns = [
      HashDoubt(element: "Author", reason: "nobody knows it", evidence: "a store")
    ]
    doubtful.entities[0].attributes[0].isOptional = true
    try store.migrate(to: doubtful)
    #expect(store.metadata.hashes.isEmpty && store.metadata.checksum == nil)
    #expect(store.metadata.digest == nil)
  }
}
