import Foundation
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// What makes two models one version, and what does not: docs/facts/identity.md.
@Suite struct IdentityTests {
  typealias Change = @Sendable (inout ManagedModel) -> Void

  static let hashed: [(String, Change)] = [
    ("entity name", { $0.entities[2].name = "Award" }),
    ("superentity", { $0.entities[2].superentity = "Author" }),
    ("uniqueness constraints", { $0.entities[0].uniqueness = [] }),
    ("property name", { $0.entities[0].attributes[0].name = "nom" }),
    ("optional", { $0.entities[0].attributes[0].isOptional = true }),
    ("attribute's hashModifier", { $0.entities[0].attributes[0].hashModifier = "1" }),
    ("relationship's hashModifier", { $0.entities[0].relationships[0].hashModifier = "1" }),
    ("attribute type", { $0.entities[0].attributes[0].type = .uri }),
    ("externalStorage", { $0.entities[1].attributes[4].isExternal = true }),
    (
      "preserveValueOnDeletion",
      { $0.entities[0].attributes[0].isPreservedOnDeletion = true }
    ),
    ("destination", { $0.entities[0].relationships[1].destination = "Reader" }),
    ("inverse name", { $0.entities[0].relationships[0].inverse = nil }),
    ("min count", { $0.entities[0].relationships[0].minimumCount = 1 }),
    ("max count", { $0.entities[0].relationships[0].maximumCount = 7 }),
    ("composite elements", { $0.entities[0].attributes[2].elements.removeLast() }),
    ("another entity", { $0.entities.append(ManagedEntity(name: "More")) }),
    ("another attribute", { $0.entities[2].attributes = [] }),
  ]

  static let ignored: [(String, Change)] = [
    ("default value", { $0.entities[0].attributes[0].defaultValue = .text("?") }),
    ("originalName", { $0.entities[0].attributes[0].originalName = "nom" }),
    (
      "relationship's originalName", { $0.entities[0].relationships[0].originalName = "x" }
    ),
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
    ("a to-one's maximum, which is 1", { $0.entities[1].relationships[0].maximumCount = 1 }),
  ]

  @Test("enters the checksum", arguments: hashed.indices)
  func enters(_ index: Int) {
    let (name, change) = Self.hashed[index]
    var model = Fixture.library
    change(&model)
    #expect(model.identity != Fixture.library.identity, "\(name)")
  }

  @Test("does not enter the checksum", arguments: ignored.indices)
  func doesNotEnter(_ index: Int) throws {
    let (name, change) = Self.ignored[index]
    var model = Fixture.library
    change(&model)
    #expect(model != Fixture.library)
    #expect(model.identity == Fixture.library.identity, "\(name)")
    // A store of either can be read by the other: columns are where they were.
    let store = try StoreFile(Fixture.library)
    let id = try store.insert(
      "Author", ["name": .text("A"), "address.street": .text("S"), "address.id": .integer(1)])
    let values = try store.values(id)
    try store.adopt(model)
    #expect(try store.values(id) == values)
  }

  @Test func anEntitysIdentityIsItsOwn() {
    var model = Fixture.library
    model.entities[2].attributes = []
    let identities = (Fixture.library.identity.entities, model.identity.entities)
    #expect(identities.0["Author"] == identities.1["Author"])
    #expect(identities.0["Prize"] != identities.1["Prize"])
    #expect(Fixture.library.entities[0].identity == identities.0["Author"])
  }
}
