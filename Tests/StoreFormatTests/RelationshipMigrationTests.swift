import Foundation
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// Links after a migration: docs/facts/migration.md#relationships.
@Suite struct RelationshipMigrationTests {
  private func toOne(
    _ name: String, _ destination: String = "B", inverse: String? = nil, original: String? = nil,
    optional: Bool = true
  ) -> ManagedRelationship {
    ManagedRelationship(
      name: name, originalName: original, destination: destination, inverse: inverse,
      isToMany: false, isOptional: optional)
  }

  private func toMany(
    _ name: String, _ destination: String = "B", inverse: String? = nil, original: String? = nil
  ) -> ManagedRelationship {
    ManagedRelationship(
      name: name, originalName: original, destination: destination, inverse: inverse,
      isToMany: true)
  }

  /// Two entities, each with relationships to the other.
  private func model(_ a: [ManagedRelationship], _ b: [ManagedRelationship] = []) -> ManagedModel {
    Fixture.model(
      ManagedEntity(name: "A", relationships: a), ManagedEntity(name: "B", relationships: b))
  }

  /// A store with the rows A 1…3 and B 1…3.
  private func store(_ model: ManagedModel) throws -> StoreFile {
    let store = try StoreFile(model)
    for _ in 1...3 {
      try store.insert("A")
      try store.insert("B")
    }
    return store
  }

  private func set(_ store: StoreFile, _ entity: String, _ property: String, _ keys: [Int64?])
    throws
  {
    for (index, key) in keys.enumerated() {
      var changes = StoreChanges()
      let id = ObjectID(entity: entity, key: Int64(index + 1))
      changes.updated = [
        StoreRow(
          id: id,
          values: store.layout(of: entity).slots.map { slot in
            slot.path == property ? key.map { .integer($0) } ?? .null : .null
          })
      ]
      try store.apply(changes)
    }
  }

  private func migrate(_ store: StoreFile, to model: ManagedModel) throws {
    try store.migrate(to: model)
    #expect(try store.structure() == StoreFile(model).structure())
  }

  private func links(_ store: StoreFile, _ entity: String, _ property: String) throws -> [[Int64]] {
    try (Int64(1)...3).map {
      try store.related(ObjectID(entity: entity, key: $0), by: property).map(\.key)
    }
  }

  private func keys(_ store: StoreFile, _ entity: String, _ property: String) throws -> [Int64?] {
    try (Int64(1)...3).map { key in
      let value = try store.value(ObjectID(entity: entity, key: key), property)
      if case .integer(let key) = value { return key }
      return nil
    }
  }

  private func a(_ key: Int64) -> ObjectID { ObjectID(entity: "A", key: key) }
  private func b(_ key: Int64) -> ObjectID { ObjectID(entity: "B", key: key) }

  /// docs/facts/migration.md#add-relationship
  @Test("A new optional or to-many relationship is inferred and empty")
  func added() throws {
    let store = try store(model([]))
    try migrate(
      store,
      to: model(
        [toOne("one"), toMany("many"), toMany("pairs", inverse: "back")],
        [toMany("back", "A", inverse: "pairs")]))
    #expect(try keys(store, "A", "one") == [nil, nil, nil])
    #expect(try links(store, "A", "many") == [[], [], []])
    #expect(try links(store, "A", "pairs") == [[], [], []])
  }

  @Test("A new mandatory to-one relationship fails if rows exist")
  func addedMandatory() throws {
    let target = model([toOne("one", optional: false)])
    let store = try store(model([]))
    let error = storeError { try store.migrate(to: target) }
    #expect(error?.kind == .migrationFailed)
    #expect(error?.reason.contains("'A.one'") == true)
    try migrate(StoreFile(model([])), to: target)
  }

  @Test func optionalToOneMadeMandatoryFailsIfAnyIsNil() throws {
    let target = model([toOne("one", optional: false)])
    let store = try store(model([toOne("one")]))
    try set(store, "A", "one", [1, 1, nil])
    #expect(storeError { try store.migrate(to: target) }?.kind == .migrationFailed)
    try set(store, "A", "one", [1, 1, 2])
    try migrate(store, to: target)
    #expect(try keys(store, "A", "one") == [1, 1, 2])
  }

  /// docs/facts/migration.md#to-one-to-to-many
  @Test(
    "Widening to-one to to-many keeps links if its to-one inverse stays"
  )
  func widened() throws {
    let store = try store(
      model([toOne("x", inverse: "a")], [toOne("a", "A", inverse: "x")]))
    try set(store, "A", "x", [2, 1, nil])
    try set(store, "B", "a", [2, 1, nil])
    try migrate(
      store, to: model([toMany("x", inverse: "a")], [toOne("a", "A", inverse: "x")]))
    #expect(try links(store, "A", "x") == [[2], [1], []])
  }

  /// docs/facts/migration.md#to-one-to-to-many-new-inverse
  @Test("Widening to-one to to-many with a new inverse loses links silently")
  func widenedWithNewInverse() throws {
    for target in [
      model([toMany("x", inverse: "a")], [toOne("a", "A", inverse: "x")]),
      model([toMany("y", inverse: "as", original: "x")], [toMany("as", "A", inverse: "y")]),
    ] {
      let store = try store(model([toOne("x")]))
      try set(store, "A", "x", [2, 1, 2])
      try migrate(store, to: target)
      #expect(
        try links(store, "A", target.entities[0].relationships[0].name) == [[], [], []])
    }
  }

  /// docs/facts/migration.md#to-one-to-to-many-no-inverse
  @Test("Widening to-one to to-many without an inverse fails")
  func widenedWithoutInverse() throws {
    let store = try store(model([toOne("x")]))
    try set(store, "A", "x", [2, 1, 2])
    let error = storeError { try store.migrate(to: model([toMany("x")])) }
    #expect(error?.reason.hasPrefix("Unsupported relationship migration: 'A.x'") == true)
    #expect(try keys(store, "A", "x") == [2, 1, 2])
  }

  /// docs/facts/migration.md#to-one-to-to-many
  @Test("Widening to-one with a to-many inverse to many-to-many keeps links")
  func widenedWithInverse() throws {
    let store = try store(
      model([toOne("b", inverse: "as")], [toMany("as", "A", inverse: "b")]))
    try set(store, "A", "b", [2, 2, nil])
    try migrate(
      store,
      to: model(
        [toMany("bs", inverse: "as", original: "b")], [toMany("as", "A", inverse: "bs")]))
    #expect(try links(store, "A", "bs") == [[2], [2], []])
    #expect(try links(store, "B", "as") == [[], [1, 2], []])
  }

  /// docs/facts/migration.md#to-many-to-to-one
  @Test("Narrowing to-many to to-one fails with 134190")
  func narrowed() throws {
    let store = try store(model([toMany("x")]))
    let error = storeError { try store.migrate(to: model([toOne("x")])) }
    #expect(error?.kind == .noMapping)
    #expect(error?.reason.contains("'A.x'") == true)
  }

  /// docs/facts/migration.md#attribute-to-relationship
  @Test("Changing an attribute to a relationship or back loses its values")
  func attributeToRelationship() throws {
    let text = Fixture.model(
      ManagedEntity(
        name: "A",
        attributes: [ManagedAttribute(name: "x", type: .integer64, isOptional: true)]),
      ManagedEntity(name: "B"))
    let store = try store(text)
    try set(store, "A", "x", [1, 2, 3])
    try migrate(store, to: model([toOne("x")]))
    #expect(try keys(store, "A", "x") == [nil, nil, nil])
    try set(store, "A", "x", [1, 2, 3])
    try migrate(store, to: text)
    #expect(try keys(store, "A", "x") == [nil, nil, nil])
  }

  /// docs/facts/store-format.md#entity-numbers
  @Test("Renumbering entities renames hidden columns and join tables")
  func renumbered() throws {
    let relationships = (
      [toMany("hidden"), toMany("pairs", inverse: "back"), toMany("self", "A", inverse: "self")],
      [toMany("back", "A", inverse: "pairs")]
    )
    let store = try store(model(relationships.0, relationships.1))
    try store.link(a(1), "hidden", b(1), b(3))
    try store.link(a(2), "pairs", b(2), b(3))
    try store.link(a(1), "self", a(3))
    var target = model(relationships.0, relationships.1)
    target.entities.append(ManagedEntity(name: "A0"))
    target.entities.append(ManagedEntity(name: "_"))
    try migrate(store, to: target)
    #expect(try links(store, "A", "hidden") == [[1, 3], [], []])
    #expect(try links(store, "A", "pairs") == [[], [2, 3], []])
    #expect(try links(store, "B", "back") == [[], [2], [2]])
    #expect(try links(store, "A", "self") == [[3], [], [1]])
    #expect(try store.rows(of: "B").map(\.id) == [b(1), b(2), b(3)])
  }

  /// docs/facts/migration.md#rename-with-original-name
  @Test("Renaming both sides of a many-to-many relationship keeps links")
  func renamed() throws {
    let store = try store(
      model([toMany("pairs", inverse: "back")], [toMany("back", "A", inverse: "pairs")]))
    try store.link(a(2), "pairs", b(2), b(3))
    try migrate(
      store,
      to: model(
        [toMany("many", inverse: "others", original: "pairs")],
        [toMany("others", "A", inverse: "many", original: "back")]))
    #expect(try links(store, "A", "many") == [[], [2, 3], []])
    #expect(try links(store, "B", "others") == [[], [2], [2]])
  }

  /// docs/facts/migration.md#link-kept-by-either-side
  @Test("An inverse added later uses the existing links")
  func pairedLater() throws {
    let store = try store(model([toMany("x")]))
    try store.link(a(1), "x", b(2), b(3))
    try migrate(
      store, to: model([toMany("x", inverse: "a")], [toOne("a", "A", inverse: "x")]))
    #expect(try links(store, "A", "x") == [[2, 3], [], []])
    #expect(try keys(store, "B", "a") == [nil, 1, 1])
    try migrate(store, to: model([toMany("x")]))
    #expect(try links(store, "A", "x") == [[2, 3], [], []])
    try migrate(
      store, to: model([toMany("x", inverse: "as")], [toMany("as", "A", inverse: "x")]))
    #expect(try links(store, "B", "as") == [[], [1], [1]])
  }

  @Test func oneToOneFindsItsOtherSide() throws {
    let store = try store(model([toOne("b")]))
    try set(store, "A", "b", [3, nil, 1])
    try migrate(
      store, to: model([toOne("b", inverse: "a")], [toOne("a", "A", inverse: "b")]))
    #expect(try keys(store, "B", "a") == [3, nil, 1])
  }

  /// docs/facts/migration.md#destination-change
  @Test(
    "A relationship with a new destination keeps its keys, which then lead to other rows"
  )
  func destinationChanged() throws {
    var source = model(
      [toOne("x"), toOne("y", inverse: "as"), toMany("hidden")], [toMany("as", "A", inverse: "y")])
    source.entities.append(ManagedEntity(name: "C"))
    var target = source
    for index in 0...2 { target.entities[0].relationships[index].destination = "C" }
    target.entities[2].relationships = target.entities[1].relationships
    target.entities[1].relationships = []
    let store = try store(source)
    for _ in 1...3 { try store.insert("C") }
    try set(store, "A", "x", [3, nil, 1])
    try migrate(store, to: target)
    #expect(try keys(store, "A", "x") == [3, nil, 1])
    #expect(try store.related(ObjectID(entity: "C", key: 1), by: "as").isEmpty)
    // The new version has no place for the other rows' links.
    #expect(try links(store, "A", "hidden") == [[], [], []])
  }

  @Test func aDestinationWidensInItsTree() throws {
    func model(_ destination: String) -> ManagedModel {
      Fixture.model(
        ManagedEntity(name: "A", relationships: [toOne("x", destination)]),
        ManagedEntity(name: "B"), ManagedEntity(name: "Sub", superentity: "B"))
    }
    let store = try StoreFile(model("Sub"))
    let sub = try store.insert("Sub")
    let id = try store.insert("A", ["x": .integer(sub.key)])
    try migrate(store, to: model("B"))
    #expect(try store.value(id, "x") == .integer(sub.key))
  }
}
