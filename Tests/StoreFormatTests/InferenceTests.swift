import Foundation
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// What lightweight migration infers: docs/facts/migration.md#inference, row by row.
@Suite struct InferenceTests {
  // MARK: Saying it briefly

  typealias Values = [String: StoredValue]

  /// The rows of `A` after a migration from one form to another.
  private func migrated(
    _ old: ManagedEntity, _ new: ManagedEntity, rows: [Values]
  ) throws -> [Values] {
    let store = try StoreFile(Fixture.model(old))
    for row in rows { try store.insert("A", row) }
    try store.migrate(to: Fixture.model(new, version: "2.0.0"))
    #expect(try store.structure() == StoreFile(Fixture.model(new)).structure())
    return try store.rows(of: "A").map { try store.values($0.id) }
  }

  private func failure(
    _ old: ManagedEntity, _ new: ManagedEntity, rows: [Values],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> StoreError? {
    let store = try StoreFile(Fixture.model(old))
    for row in rows { try store.insert("A", row) }
    let structure = try store.structure()
    let error = storeError(
      { try store.migrate(to: Fixture.model(new)) }, sourceLocation: sourceLocation)
    #expect(try store.structure() == structure, "nothing has changed")
    #expect(store.model == Fixture.model(old))
    #expect(try store.rows(of: "A").map { try store.values($0.id) } == rows)
    return error
  }

  private func entity(
    _ attributes: ManagedAttribute..., unique: [[String]] = [], indexes: [ManagedIndex] = []
  ) -> ManagedEntity {
    ManagedEntity(name: "A", attributes: attributes, uniqueness: unique, indexes: indexes)
  }

  private let name = ManagedAttribute(name: "name", type: .string)
  private let twoRows: [Values] = [["name": .text("x")], ["name": .text("y")]]

  // MARK: Attributes

  /// docs/facts/migration.md#add-optional-attribute
  @Test("add optional attribute: inferred, nil")
  func addOptional() throws {
    let rows = try migrated(
      entity(name), entity(name, ManagedAttribute(name: "b", type: .date, isOptional: true)),
      rows: twoRows)
    #expect(rows.map { $0["b"] } == [.null, .null])
    #expect(rows.map { $0["name"] } == [.text("x"), .text("y")])
  }

  @Test(
    "add primitive with a property-level default: ONE constant for all old rows (C/L)",
    arguments: [false, true])
  func addDefaulted(_ isOptional: Bool) throws {
    let constant = StoredValue.blob(Data((0..<16).map { UInt8($0) }))
    let id = ManagedAttribute(
      name: "id", type: .uuid, isOptional: isOptional, defaultValue: constant)
    #expect(
      try migrated(entity(name), entity(name, id), rows: twoRows).map { $0["id"] }
        == [constant, constant])
  }

  @Test("add non-optional without default: fails when rows exist, 134110")
  func addRequired() throws {
    let new = entity(name, ManagedAttribute(name: "age", type: .integer64))
    let error = try failure(entity(name), new, rows: twoRows)
    #expect(error?.kind == .migrationFailed)
    #expect(error?.kind.rawValue == 134110)
    #expect(error?.reason == "'A.age' is required and the row 1 would have none")
    #expect(try migrated(entity(name), new, rows: []).isEmpty, "without rows it works")
  }

  @Test(
    "add non-optional Codable enum or struct, even with a default: opens, rows NULL (L, 7 projects)"
  )
  func addComposite() throws {
    let kind = ManagedAttribute(
      name: "kind", type: .composite, defaultValue: .text("novel"),
      elements: [ManagedAttribute(name: "kind", type: .string, defaultValue: .text("x"))])
    let address = ManagedAttribute(
      name: "address", type: .composite,
      elements: [
        ManagedAttribute(name: "street", type: .string),
        ManagedAttribute(name: "number", type: .integer64, isOptional: true),
      ])
    let rows = try migrated(entity(name), entity(name, kind, address), rows: twoRows)
    for path in ["kind.rawValue", "address.street", "address.number"] {
      #expect(rows.map { $0[path] } == [.null, .null])
    }
  }

  /// docs/facts/migration.md#remove-attribute
  /// docs/facts/migration.md#stored-to-transient
  @Test("remove attribute: inferred, dropped; stored → transient: dropped")
  func remove() throws {
    let old = entity(name, ManagedAttribute(name: "b", type: .string))
    let rows = try migrated(old, entity(name), rows: [["name": .text("x"), "b": .text("y")]])
    #expect(rows == [["name": .text("x")]])
  }

  /// docs/facts/migration.md#rename-with-original-name
  @Test("rename with originalName: inferred, kept")
  func rename() throws {
    let new = entity(ManagedAttribute(name: "title", originalName: "name", type: .string))
    #expect(
      try migrated(entity(name), new, rows: twoRows).map { $0["title"] }
        == [.text("x"), .text("y")])
  }

  /// docs/facts/migration.md#rename-without-original-name
  @Test("rename without it: drop and add, lost")
  func renameWithout() throws {
    let optional = entity(ManagedAttribute(name: "title", type: .string, isOptional: true))
    #expect(
      try migrated(entity(name), optional, rows: twoRows).map { $0["title"] } == [.null, .null])
    let required = entity(ManagedAttribute(name: "title", type: .string))
    #expect(try failure(entity(name), required, rows: twoRows)?.kind == .migrationFailed)
  }

  /// docs/facts/migration.md#omitted-original-name
  /// docs/facts/migration.md#omitted-original-name-everywhere
  @Test("later version omits originalName again: no match for older stores, lost or 134110")
  func originalNameOmitted() throws {
    let first = entity(name)
    let second = entity(ManagedAttribute(name: "title", originalName: "name", type: .string))
    let third = entity(
      ManagedAttribute(name: "title", type: .string),
      ManagedAttribute(name: "b", type: .string, isOptional: true))
    #expect(
      try migrated(second, third, rows: [["title": .text("x")]]).map { $0["title"] }
        == [.text("x")], "from the version before it works here, by the equal name")
    #expect(try failure(first, third, rows: twoRows)?.kind == .migrationFailed)
  }

  @Test("two renames that both go back to the first name are one property (C: renamingIdentifier)")
  func renamedTwice() throws {
    let second = entity(ManagedAttribute(name: "title", originalName: "name", type: .string))
    let third = entity(ManagedAttribute(name: "label", originalName: "name", type: .string))
    #expect(
      try migrated(second, third, rows: [["title": .text("x")]]).map { $0["label"] }
        == [.text("x")])
    let follower = entity(ManagedAttribute(name: "label", originalName: "title", type: .string))
    #expect(
      try migrated(second, follower, rows: [["title": .text("x")]]).map { $0["label"] }
        == [.text("x")])
  }

  @Test("two attributes that swap their names keep their values")
  func swapped() throws {
    let old = entity(name, ManagedAttribute(name: "b", type: .string))
    let new = entity(
      ManagedAttribute(name: "name", originalName: "b", type: .string),
      ManagedAttribute(name: "b", originalName: "name", type: .string, hashModifier: "swapped"))
    let rows = try migrated(old, new, rows: [["name": .text("1"), "b": .text("2")]])
    #expect(rows == [["name": .text("2"), "b": .text("1")]])
  }

  /// docs/facts/migration.md#reused-name-gets-both
  @Test("reuse a retired name in the version that renames it: ambiguous, a risk")
  func reusedName() throws {
    let new = entity(
      ManagedAttribute(name: "title", originalName: "name", type: .string),
      ManagedAttribute(name: "name", type: .string, isOptional: true))
    #expect(
      try migrated(entity(name), new, rows: [["name": .text("x")]])
        == [["title": .text("x"), "name": .text("x")]], "the old value comes back")
  }

  /// docs/facts/migration.md#required-to-optional
  @Test("required → optional: inferred, kept")
  func loosened() throws {
    let new = entity(ManagedAttribute(name: "name", type: .string, isOptional: true))
    #expect(
      try migrated(entity(name), new, rows: twoRows).map { $0["name"] }
        == [.text("x"), .text("y")])
  }

  /// docs/facts/migration.md#optional-to-required-with-default
  @Test("optional → required with default: inferred, nils take the default")
  func tightenedWithDefault() throws {
    let old = entity(ManagedAttribute(name: "a", type: .string, isOptional: true))
    let new = entity(ManagedAttribute(name: "a", type: .string, defaultValue: .text("d")))
    #expect(
      try migrated(old, new, rows: [["a": .text("x")], ["a": .null]]).map { $0["a"] }
        == [.text("x"), .text("d")])
  }

  @Test("optional → required, no default: fails if any nil (C/L)")
  func tightened() throws {
    let old = entity(ManagedAttribute(name: "a", type: .string, isOptional: true))
    let new = entity(ManagedAttribute(name: "a", type: .string))
    #expect(
      try migrated(old, new, rows: [["a": .text("x")]]).map { $0["a"] } == [.text("x")])
    let error = try failure(old, new, rows: [["a": .text("x")], ["a": .null]])
    #expect(error?.kind == .migrationFailed)
    #expect(error?.reason.contains("the row 2") == true)
  }

  // MARK: Types

  static let conversions:
    [(from: AttributeType, value: StoredValue, to: AttributeType, result: StoredValue)] = [
      (.integer64, .integer(70_000), .integer16, .integer(70_000)),
      (.integer16, .integer(-5), .integer64, .integer(-5)),
      (.integer64, .integer(.max), .double, .real(9_223_372_036_854_775_808)),
      (.double, .real(2.9), .integer64, .integer(2)),
      (.double, .real(-2.9), .integer64, .integer(-2)),
      (.double, .real(1e300), .integer64, .integer(.max)),
      (.double, .real(.infinity), .integer32, .integer(.max)),
      (.double, .real(0.5), .float, .real(0.5)),
      (.double, .real(0.5), .decimal, .real(0.5)),
      (.decimal, .real(12.75), .integer32, .integer(12)),
      (.decimal, .real(12.75), .double, .real(12.75)),
      (.integer64, .integer(7), .decimal, .integer(7)),
      (.boolean, .integer(1), .integer64, .integer(1)),
      (.boolean, .integer(1), .double, .real(1)),
      (.integer64, .integer(0), .boolean, .integer(0)),
      (.integer64, .integer(-3), .boolean, .integer(1)),
      (.double, .real(0.1), .boolean, .integer(1)),
      (.decimal, .real(0), .boolean, .integer(0)),
      (.integer64, .null, .boolean, .null),
      (.double, .null, .integer64, .null),
    ]

  /// docs/facts/migration.md#number-types
  @Test(
    "Int, Int16/32/64, Decimal, Double, Float, Bool among themselves: converted",
    arguments: conversions.indices)
  func convertedNumbers(_ index: Int) throws {
    let (from, value, to, result) = Self.conversions[index]
    let old = entity(ManagedAttribute(name: "a", type: from, isOptional: true))
    let new = entity(ManagedAttribute(name: "a", type: to, isOptional: true))
    #expect(try migrated(old, new, rows: [["a": value]]).map { $0["a"] } == [result])
  }

  static let allTypes: [AttributeType] = AttributeType.allCases

  @Test("any other type change: 134190 (C/L)", arguments: allTypes, allTypes)
  func typeChanges(_ from: AttributeType, _ to: AttributeType) throws {
    func attribute(_ type: AttributeType) -> ManagedAttribute {
      ManagedAttribute(
        name: "a", type: type, isOptional: true,
        elements: type == .composite ? [ManagedAttribute(name: "a", type: .string)] : [])
    }
    guard from != to else { return }
    let models = try [from, to].map { try ModelGraph(Fixture.model(entity(attribute($0)))) }
    let numbers: Set<AttributeType> = [
      .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean,
    ]
    if numbers.isSuperset(of: [from, to]) {
      _ = try InferredMapping(from: models[0], to: models[1])
    } else {
      let error = storeError { _ = try InferredMapping(from: models[0], to: models[1]) }
      #expect(error?.kind == .cannotInfer)
      #expect(error?.kind.rawValue == 134190)
      #expect(error?.reason == "'A.a': \(from) cannot become \(to)")
    }
  }

  /// docs/facts/migration.md#add-external-storage
  @Test("add externalStorage: inferred, kept")
  func addExternalStorage() throws {
    let old = entity(ManagedAttribute(name: "a", type: .binary))
    let new = entity(ManagedAttribute(name: "a", type: .binary, isExternal: true))
    let bytes = StoredValue.blob(Data([1, 2]))
    #expect(try migrated(old, new, rows: [["a": bytes]]).map { $0["a"] } == [bytes])
  }

  /// docs/facts/migration.md#remove-external-storage
  @Test("remove externalStorage: 134190")
  func removeExternalStorage() throws {
    let old = entity(ManagedAttribute(name: "a", type: .binary, isExternal: true))
    let new = entity(ManagedAttribute(name: "a", type: .binary))
    #expect(try failure(old, new, rows: [["a": .blob(Data())]])?.kind == .cannotInfer)
  }

  /// docs/facts/migration.md#preserve-value
  @Test("preserveValueOnDeletion: new hash, kept")
  func preserveValueOnDeletion() throws {
    let new = entity(
      ManagedAttribute(name: "name", type: .string, isPreservedOnDeletion: true))
    #expect(Fixture.model(new).identity != Fixture.model(entity(name)).identity)
    #expect(
      try migrated(entity(name), new, rows: twoRows).map { $0["name"] }
        == [.text("x"), .text("y")])
  }

  /// docs/facts/migration.md#element-matching
  @Test("Codable struct's fields change: elements matched by path")
  func compositeElements() throws {
    func place(_ name: String, _ originalName: String?, _ elements: [ManagedAttribute])
      -> ManagedEntity
    {
      entity(
        ManagedAttribute(
          name: name, originalName: originalName, type: .composite, elements: elements))
    }
    let x = ManagedAttribute(name: "x", type: .integer64, isOptional: true)
    let y = ManagedAttribute(name: "y", type: .string, isOptional: true)
    let z = ManagedAttribute(name: "z", type: .string)
    let row: Values = ["p.x": .integer(1), "p.y": .text("2")]
    var wide = x
    wide.type = .double
    #expect(
      try migrated(place("p", nil, [x, y]), place("q", "p", [wide, z]), rows: [row])
        == [["q.x": .real(1), "q.z": .null]])
    var text = x
    text.type = .string
    let error = try failure(place("p", nil, [x, y]), place("p", nil, [text, y]), rows: [row])
    #expect(error == StoreError(.cannotInfer, "'A.p.x': integer64 cannot become string"))
  }

  // MARK: Constraints and indexes

  /// docs/facts/migration.md#add-unique
  @Test("add unique: only without duplicates, else 134111")
  func addUnique() throws {
    let new = entity(name, unique: [["name"]])
    #expect(try migrated(entity(name), new, rows: twoRows).count == 2)
    let error = try failure(entity(name), new, rows: twoRows + [["name": .text("y")]])
    #expect(error?.kind == .migrationNotUnique)
    #expect(error?.kind.rawValue == 134111)
    #expect(error?.reason == "'A.name' is unique now, but 2 rows have 'y'")
  }

  @Test func aNewUniqueAttributeGetsOneConstantAndFails() throws {
    let new = entity(
      name, ManagedAttribute(name: "id", type: .uuid, defaultValue: .blob(Data([1, 255]))),
      unique: [["id"]])
    #expect(
      try failure(entity(name), new, rows: twoRows)?.reason
        == "'A.id' is unique now, but 2 rows have 01ff")
    #expect(try migrated(entity(name), new, rows: [twoRows[0]]).count == 1)
  }

  @Test func uniqueOverSeveralAllowsNulls() throws {
    let b = ManagedAttribute(name: "b", type: .integer64, isOptional: true)
    let new = entity(name, b, unique: [["name", "b"]])
    let row: Values = ["name": .text("x"), "b": .null]
    #expect(try migrated(entity(name, b), new, rows: [row, row]).count == 2)
    let full: Values = ["name": .text("x"), "b": .integer(1)]
    #expect(
      try failure(entity(name, b), new, rows: [row, full, full])?.reason
        == "'A.name', 'A.b' is unique now, but 2 rows have 'x', 1")
  }

  /// docs/facts/migration.md#remove-unique
  @Test("remove unique: inferred, kept")
  func removeUnique() throws {
    #expect(
      try migrated(entity(name, unique: [["name"]]), entity(name), rows: twoRows).count == 2)
  }

  @Test("add or remove index: hash-neutral; not built on old stores without hashModifier (C/L)")
  func addIndex() throws {
    let index = ManagedIndex(properties: ["name"])
    let store = try StoreFile(Fixture.model(entity(name)))
    let before = try store.structure()
    let new = Fixture.model(entity(name, indexes: [index]))
    #expect(store.matches(new))
    try store.migrate(to: new)
    #expect(try store.structure() == before)
    #expect(store.model == new)
    let indexed = try StoreFile(new)
    try indexed.migrate(to: Fixture.model(entity(name)))
    #expect(try indexed.structure() == StoreFile(new).structure(), "nor taken away")
    let modified = entity(
      ManagedAttribute(name: "name", type: .string, hashModifier: "indexed"), indexes: [index])
    #expect(try migrated(entity(name), modified, rows: twoRows).count == 2)
  }

  /// docs/facts/identity.md#not-hashed
  @Test("delete rule only, default only: hash-neutral, kept")
  func neutral() throws {
    var new = Fixture.library
    new.entities[0].relationships[0].deleteRule = .deny
    new.entities[0].attributes[0].defaultValue = .text("?")
    new.entities[0].attributes[0].originalName = "nom"
    #expect(new.identity == Fixture.library.identity)
    let store = try StoreFile(Fixture.library)
    let id = try store.insert("Author", ["name": .text("A")])
    try store.migrate(to: new)
    #expect(try store.value(id, "name") == .text("A"))
  }

  // MARK: Models

  /// docs/facts/migration.md#add-model
  /// docs/facts/migration.md#remove-model
  /// docs/facts/migration.md#rename-model
  @Test("add model: inferred; remove model: dropped; rename model: lost")
  func models() throws {
    let store = try StoreFile(Fixture.model(entity(name), ManagedEntity(name: "B")))
    try store.insert("A", ["name": .text("x")])
    try store.insert("B")
    try store.migrate(to: Fixture.model(ManagedEntity(name: "Aa"), ManagedEntity(name: "B")))
    #expect(try store.count(of: "Aa") == 0)
    #expect(try store.rows(of: "B").map(\.id.key) == [1])
    try store.migrate(to: Fixture.model(entity(name), ManagedEntity(name: "B")))
    #expect(try store.count(of: "A") == 0)
  }

  /// docs/facts/migration.md#add-subclass
  @Test("add subclass (26+): inferred, kept")
  func addSubclass() throws {
    let store = try StoreFile(Fixture.model(entity(name)))
    let id = try store.insert("A", ["name": .text("x")])
    try store.migrate(
      to: Fixture.model(
        entity(name),
        ManagedEntity(
          name: "Sub", superentity: "A",
          attributes: [ManagedAttribute(name: "b", type: .string)])))
    #expect(try store.value(id, "name") == .text("x"))
    let sub = try store.insert("Sub", ["name": .text("y"), "b": .text("z")])
    #expect(sub.key == 2)
    #expect(try store.count(of: "A") == 2)
  }

  @Test("trees cannot be merged (C: Apple's documentation of lightweight migration)")
  func mergedTrees() throws {
    let store = try StoreFile(Fixture.model(entity(name), ManagedEntity(name: "B")))
    let error = storeError {
      try store.migrate(
        to: Fixture.model(entity(name), ManagedEntity(name: "B", superentity: "A")))
    }
    #expect(error?.kind == .cannotInfer)
  }

  @Test func aPropertyMovesUpItsTree() throws {
    func film(_ attributes: ManagedAttribute...) -> ManagedEntity {
      ManagedEntity(name: "Film", superentity: "A", attributes: attributes)
    }
    let b = ManagedAttribute(name: "b", type: .string, isOptional: true)
    let store = try StoreFile(Fixture.model(entity(name), film(b)))
    let plain = try store.insert("A", ["name": .text("x")])
    let id = try store.insert("Film", ["name": .text("y"), "b": .text("z")])
    let target = Fixture.model(entity(name, b), film(), ManagedEntity(name: "Aaa"))
    try store.migrate(to: target)
    #expect(try store.structure() == StoreFile(target).structure())
    #expect(try store.values(plain) == ["name": .text("x"), "b": .null])
    #expect(try store.values(id) == ["name": .text("y"), "b": .text("z")])
    #expect(try store.row(ObjectID(entity: "A", key: id.key))?.id.entity == "Film")
  }

  @Test func aRemovedSubclassTakesItsRowsAlong() throws {
    let store = try StoreFile(Fixture.media)
    try store.insert("Film", ["title": .text("F"), "length": .real(1)])
    let song = try store.insert("Song", ["title": .text("S"), "length": .integer(2)])
    var target = Fixture.media
    target.entities.removeAll { $0.name == "Film" }
    try store.migrate(to: target)
    #expect(try store.structure() == StoreFile(target).structure())
    #expect(try store.rows(of: "Medium").map(\.id) == [song])
    #expect(try store.allocateKeys(of: "Medium", count: 1) == 3...3)
  }

  @Test func keysAreNotGivenAgainAfterAMigration() throws {
    let store = try StoreFile(Fixture.model(entity(name)))
    for row in twoRows { try store.insert("A", row) }
    var changes = StoreChanges()
    changes.deleted = [ObjectID(entity: "A", key: 2)]
    try store.apply(changes)
    let identifier = store.identifier
    try store.migrate(
      to: Fixture.model(
        entity(name, ManagedAttribute(name: "b", type: .string, isOptional: true)),
        ManagedEntity(name: "A0"), version: "2.0.0"))
    #expect(try store.allocateKeys(of: "A", count: 1) == 3...3)
    #expect(store.identifier == identifier)
    guard case .portable(let model) = store.contents else {
      Issue.record("not portable")
      return
    }
    #expect(model.versionIdentifier == "2.0.0")
  }
}
