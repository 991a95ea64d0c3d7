import Foundation
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// What lightweight migration infers: docs/facts/migration.md#inference, row by row.
@Suite struct InferenceTests {
  // MARK: Saying it briefly

  typealias Values = [String: StoredValue]

  /// The rows of `A` after a migration from one model to another.
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
  @Test("Adding an optional attribute is inferred, and old rows have nil")
  func addOptional() throws {
    let rows = try migrated(
      entity(name), entity(name, ManagedAttribute(name: "b", type: .date, isOptional: true)),
      rows: twoRows)
    #expect(rows.map { $0["b"] } == [.null, .null])
    #expect(rows.map { $0["name"] } == [.text("x"), .text("y")])
  }

  @Test(
    "Adding an attribute with a default gives all old rows one constant",
    arguments: [false, true])
  func addDefaulted(_ isOptional: Bool) throws {
    let constant = StoredValue.blob(Data((0..<16).map { UInt8($0) }))
    let id = ManagedAttribute(
      name: "id", type: .uuid, isOptional: isOptional, defaultValue: constant)
    #expect(
      try migrated(entity(name), entity(name, id), rows: twoRows).map { $0["id"] }
        == [constant, constant])
  }

  @Test("Adding a required attribute without a default fails with 134110 if rows exist")
  func addRequired() throws {
    let new = entity(name, ManagedAttribute(name: "age", type: .integer64))
    let error = try failure(entity(name), new, rows: twoRows)
    #expect(error?.kind == .migrationFailed)
    #expect(error?.kind.rawValue == 134110)
    #expect(error?.reason == "'A.age' is required, and row 1 would have no value")
    #expect(try migrated(entity(name), new, rows: []).isEmpty, "without rows it works")
  }

  /// The element of an enum is optional, whether or not the enum is.
  private func kind(isOptional: Bool = false, defaultValue: StoredValue? = nil) -> ManagedAttribute
  {
    ManagedAttribute(
      name: "kind", type: .composite, isOptional: isOptional, defaultValue: defaultValue,
      elements: [ManagedAttribute(name: "kind", type: .string, isOptional: true)])
  }

  private func address(
    isOptional: Bool = false,
    _ street: ManagedAttribute = ManagedAttribute(name: "street", type: .string)
  ) -> ManagedAttribute {
    ManagedAttribute(
      name: "address", type: .composite, isOptional: isOptional,
      elements: [street, ManagedAttribute(name: "number", type: .integer64, isOptional: true)])
  }

  /// docs/facts/migration.md#add-required-enum
  @Test("Adding a required enum is inferred and leaves NULL in old rows, even with a default")
  func addEnum() throws {
    let new = entity(name, kind(defaultValue: .text("novel")))
    #expect(
      try migrated(entity(name), new, rows: twoRows).map { $0["kind.rawValue"] } == [.null, .null])
  }

  /// docs/facts/migration.md#add-required-struct
  @Test("Adding a required struct with a required field fails with 134110 if rows exist")
  func addStruct() throws {
    var whole = address()
    whole.defaultValue = .text("the composite's")
    let error = try failure(entity(name), entity(name, whole), rows: twoRows)
    #expect(error?.kind == .migrationFailed)
    #expect(error?.reason == "'A.address.street' is required, and row 1 would have no value")
    #expect(try migrated(entity(name), entity(name, whole), rows: []).isEmpty)
  }

  /// docs/facts/migration.md#add-required-struct-of-optionals
  @Test(
    "Adding an optional struct, or one with optional fields only, leaves NULL in old rows")
  func addStructOfOptionals() throws {
    let optional = ManagedAttribute(name: "street", type: .string, isOptional: true)
    for attribute in [address(isOptional: true), address(optional)] {
      let rows = try migrated(entity(name), entity(name, attribute), rows: twoRows)
      for path in ["address.street", "address.number"] {
        #expect(rows.map { $0[path] } == [.null, .null])
      }
    }
    let street = ManagedAttribute(name: "street", type: .string, defaultValue: .text("Main"))
    #expect(
      try migrated(entity(name), entity(name, address(street)), rows: twoRows)
        .map { $0["address.street"] } == [.text("Main"), .text("Main")])
  }

  /// docs/facts/migration.md#add-required-field
  /// docs/facts/migration.md#add-required-field-in-optional
  @Test("Adding a required field fails with 134110 if rows exist, unless the struct is optional")
  func addField() throws {
    func structure(_ isOptional: Bool, _ fields: String...) -> ManagedEntity {
      entity(
        ManagedAttribute(
          name: "p", type: .composite, isOptional: isOptional,
          elements: fields.map { ManagedAttribute(name: $0, type: .string) }))
    }
    let row: Values = ["p.x": .text("1")]
    let error = try failure(structure(false, "x"), structure(false, "x", "y"), rows: [row])
    #expect(error?.kind == .migrationFailed)
    #expect(error?.reason.contains("'A.p.y'") == true)
    #expect(
      try migrated(structure(true, "x"), structure(true, "x", "y"), rows: [row])
        == [["p.x": .text("1"), "p.y": .null]])
    // If the struct becomes mandatory, each of its required fields needs a value.
    #expect(try migrated(structure(true, "x"), structure(false, "x"), rows: [row]) == [row])
    #expect(
      try failure(structure(true, "x"), structure(false, "x"), rows: [["p.x": .null]])?.kind
        == .migrationFailed)
  }

  /// docs/facts/migration.md#plain-to-composite
  @Test("Changing an attribute between a plain type and an enum or struct loses values silently")
  func plainToComposite() throws {
    let plain = entity(ManagedAttribute(name: "kind", type: .string, isOptional: true))
    #expect(
      try migrated(plain, entity(kind()), rows: [["kind": .text("a")]])
        == [["kind.rawValue": .null]])
    #expect(
      try migrated(entity(kind()), plain, rows: [["kind.rawValue": .text("a")]])
        == [["kind": .null]])
    let required = entity(ManagedAttribute(name: "kind", type: .string))
    #expect(
      try failure(entity(kind()), required, rows: [["kind.rawValue": .text("a")]])?.kind
        == .migrationFailed)
  }

  /// docs/facts/migration.md#remove-attribute
  /// docs/facts/migration.md#stored-to-transient
  @Test("Removing an attribute or making it transient is inferred and drops its values")
  func remove() throws {
    let old = entity(name, ManagedAttribute(name: "b", type: .string))
    let rows = try migrated(old, entity(name), rows: [["name": .text("x"), "b": .text("y")]])
    #expect(rows == [["name": .text("x")]])
  }

  /// docs/facts/migration.md#rename-with-original-name
  @Test("A rename with originalName is inferred and keeps values")
  func rename() throws {
    let new = entity(ManagedAttribute(name: "title", originalName: "name", type: .string))
    #expect(
      try migrated(entity(name), new, rows: twoRows).map { $0["title"] }
        == [.text("x"), .text("y")])
  }

  /// docs/facts/migration.md#rename-without-original-name
  @Test("A rename without originalName loses the values, or fails if the attribute is required")
  func renameWithout() throws {
    let optional = entity(ManagedAttribute(name: "title", type: .string, isOptional: true))
    #expect(
      try migrated(entity(name), optional, rows: twoRows).map { $0["title"] } == [.null, .null])
    let required = entity(ManagedAttribute(name: "title", type: .string))
    #expect(try failure(entity(name), required, rows: twoRows)?.kind == .migrationFailed)
  }

  /// docs/facts/migration.md#omitted-original-name
  /// docs/facts/migration.md#omitted-original-name-everywhere
  @Test("Omitting originalName in a later version loses values of older stores or fails")
  func originalNameOmitted() throws {
    let first = entity(name)
    let second = entity(ManagedAttribute(name: "title", originalName: "name", type: .string))
    let third = entity(
      ManagedAttribute(name: "title", type: .string),
      ManagedAttribute(name: "b", type: .string, isOptional: true))
    #expect(
      try failure(second, third, rows: [["title": .text("x")]])?.kind == .migrationFailed,
      "from the version that had it as well")
    var optional = third
    optional.attributes[0].isOptional = true
    #expect(
      try migrated(second, optional, rows: [["title": .text("x")]]).map { $0["title"] } == [.null])
    #expect(try failure(first, third, rows: twoRows)?.kind == .migrationFailed)
  }

  /// docs/facts/migration.md#first-name-only
  @Test("After two renames originalName must be the first name")
  func renamedTwice() throws {
    let second = entity(ManagedAttribute(name: "title", originalName: "name", type: .string))
    let third = entity(ManagedAttribute(name: "label", originalName: "name", type: .string))
    #expect(
      try migrated(second, third, rows: [["title": .text("x")]]).map { $0["label"] }
        == [.text("x")])
    let follower = entity(ManagedAttribute(name: "label", originalName: "title", type: .string))
    for (old, row) in [(second, ["title": StoredValue.text("x")]), (entity(name), twoRows[0])] {
      #expect(try failure(old, follower, rows: [row])?.kind == .migrationFailed)
    }
  }

  @Test("Two attributes that swap names keep their values")
  func swapped() throws {
    let old = entity(name, ManagedAttribute(name: "b", type: .string))
    let new = entity(
      ManagedAttribute(name: "name", originalName: "b", type: .string),
      ManagedAttribute(name: "b", originalName: "name", type: .string, hashModifier: "swapped"))
    let rows = try migrated(old, new, rows: [["name": .text("1"), "b": .text("2")]])
    #expect(rows == [["name": .text("2"), "b": .text("1")]])
  }

  /// docs/facts/migration.md#reused-name-gets-both
  /// docs/facts/migration.md#two-identifiers
  @Test(
    "Reusing a renamed attribute's old name copies values to both attributes; the next migration fails"
  )
  func reusedName() throws {
    let new = entity(
      ManagedAttribute(name: "title", originalName: "name", type: .string),
      ManagedAttribute(name: "name", type: .string, isOptional: true))
    let row: Values = ["title": .text("x"), "name": .text("x")]
    #expect(try migrated(entity(name), new, rows: [["name": .text("x")]]) == [row])
    var next = new
    next.attributes.append(ManagedAttribute(name: "b", type: .date, isOptional: true))
    let error = try failure(new, next, rows: [row])
    #expect(error?.kind == .noMapping)
    #expect(error?.reason.contains("'name'") == true)
    #expect(error?.reason.contains("(134190)") == true)
  }

  /// docs/facts/migration.md#required-to-optional
  @Test("Making an attribute optional is inferred and keeps values")
  func loosened() throws {
    let new = entity(ManagedAttribute(name: "name", type: .string, isOptional: true))
    #expect(
      try migrated(entity(name), new, rows: twoRows).map { $0["name"] }
        == [.text("x"), .text("y")])
  }

  /// docs/facts/migration.md#optional-to-required-with-default
  @Test("Making an attribute required with a default gives nil values the default")
  func tightenedWithDefault() throws {
    let old = entity(ManagedAttribute(name: "a", type: .string, isOptional: true))
    let new = entity(ManagedAttribute(name: "a", type: .string, defaultValue: .text("d")))
    #expect(
      try migrated(old, new, rows: [["a": .text("x")], ["a": .null]]).map { $0["a"] }
        == [.text("x"), .text("d")])
  }

  @Test("Making an attribute required without a default fails if a value is nil")
  func tightened() throws {
    let old = entity(ManagedAttribute(name: "a", type: .string, isOptional: true))
    let new = entity(ManagedAttribute(name: "a", type: .string))
    #expect(
      try migrated(old, new, rows: [["a": .text("x")]]).map { $0["a"] } == [.text("x")])
    let error = try failure(old, new, rows: [["a": .text("x")], ["a": .null]])
    #expect(error?.kind == .migrationFailed)
    #expect(error?.reason.contains("row 2 ") == true)
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
    "Number types are converted into each other",
    arguments: conversions.indices)
  func convertedNumbers(_ index: Int) throws {
    let (from, value, to, result) = Self.conversions[index]
    let old = entity(ManagedAttribute(name: "a", type: from, isOptional: true))
    let new = entity(ManagedAttribute(name: "a", type: to, isOptional: true))
    #expect(try migrated(old, new, rows: [["a": value]]).map { $0["a"] } == [result])
  }

  static let allTypes: [AttributeType] = AttributeType.allCases

  @Test(
    "A change of type fails with 134190 unless both types are numbers", arguments: allTypes,
    allTypes)
  func typeChanges(_ from: AttributeType, _ to: AttributeType) throws {
    func attribute(_ type: AttributeType) -> ManagedAttribute {
      ManagedAttribute(
        name: "a", type: type, isOptional: true,
        elements: type == .composite ? [ManagedAttribute(name: "a", type: .string)] : [])
    }
    // A change between plain and composite drops one attribute and adds another.
    guard from != to, from != .composite, to != .composite else { return }
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

  /// docs/facts/migration.md#inference-error-is-134140
  @Test("A failed inference is reported as 134140, with 134190 and the reason inside")
  func inferenceError() throws {
    let old = entity(ManagedAttribute(name: "a", type: .date))
    let new = entity(ManagedAttribute(name: "a", type: .double))
    let error = try failure(old, new, rows: [["a": .real(1)]])
    #expect(error?.kind.rawValue == 134140)
    #expect(
      error?.description
        == "Can't find or automatically infer mapping model for migration: 'A.a': date cannot become double (134190) (134140)"
    )
  }

  /// docs/facts/migration.md#add-external-storage
  @Test("Adding externalStorage is inferred and keeps values")
  func addExternalStorage() throws {
    let old = entity(ManagedAttribute(name: "a", type: .binary))
    let new = entity(ManagedAttribute(name: "a", type: .binary, isExternal: true))
    let bytes = StoredValue.blob(Data([1, 2]))
    #expect(try migrated(old, new, rows: [["a": bytes]]).map { $0["a"] } == [bytes])
  }

  /// docs/facts/migration.md#remove-external-storage
  @Test("Removing externalStorage fails with 134190")
  func removeExternalStorage() throws {
    let old = entity(ManagedAttribute(name: "a", type: .binary, isExternal: true))
    let new = entity(ManagedAttribute(name: "a", type: .binary))
    #expect(try failure(old, new, rows: [["a": .blob(Data())]])?.kind == .noMapping)
  }

  /// docs/facts/migration.md#preserve-value
  @Test("Adding preserveValueOnDeletion changes the hash and keeps values")
  func preserveValueOnDeletion() throws {
    let new = entity(
      ManagedAttribute(name: "name", type: .string, isPreservedOnDeletion: true))
    #expect(Fixture.model(new).versionHashes != Fixture.model(entity(name)).versionHashes)
    #expect(
      try migrated(entity(name), new, rows: twoRows).map { $0["name"] }
        == [.text("x"), .text("y")])
  }

  /// docs/facts/migration.md#element-matching
  @Test("Fields of a Codable struct are matched by their path")
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
    let z = ManagedAttribute(name: "z", type: .string, isOptional: true)
    let row: Values = ["p.x": .integer(1), "p.y": .text("2")]
    var wide = x
    wide.type = .double
    #expect(
      try migrated(place("p", nil, [x, y]), place("q", "p", [wide, z]), rows: [row])
        == [["q.x": .real(1), "q.z": .null]])
    var text = x
    text.type = .string
    let error = try failure(place("p", nil, [x, y]), place("p", nil, [text, y]), rows: [row])
    #expect(error?.kind == .noMapping)
    #expect(error?.reason.contains("'A.p.x': integer64 cannot become string (134190)") == true)
  }

  // MARK: Constraints and indexes

  /// docs/facts/migration.md#add-unique
  /// docs/facts/migration.md#unique-violation
  @Test("A new unique constraint fails on duplicates with 134110 and SQLite's message")
  func addUnique() throws {
    let new = entity(name, unique: [["name"]])
    #expect(try migrated(entity(name), new, rows: twoRows).count == 2)
    let error = try failure(entity(name), new, rows: twoRows + [["name": .text("y")]])
    #expect(error?.kind.rawValue == 134110)
    #expect(
      error?.reason
        == "Cannot migrate store in-place: constraint violation during attempted migration: "
        + "UNIQUE constraint failed: ZA.ZNAME; 'A.name' is unique now, but 2 rows have 'y'")
  }

  @Test func aNewUniqueAttributeGetsOneConstantAndFails() throws {
    let new = entity(
      name, ManagedAttribute(name: "id", type: .uuid, defaultValue: .blob(Data([1, 255]))),
      unique: [["id"]])
    #expect(
      try failure(entity(name), new, rows: twoRows)?.reason
        .hasSuffix("'A.id' is unique now, but 2 rows have 01ff") == true)
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
        .hasSuffix("'A.name', 'A.b' is unique now, but 2 rows have 'x', 1") == true)
  }

  /// docs/facts/migration.md#remove-unique
  @Test("Removing a unique constraint is inferred and keeps rows")
  func removeUnique() throws {
    #expect(
      try migrated(entity(name, unique: [["name"]]), entity(name), rows: twoRows).count == 2)
  }

  @Test("An index does not change the hash and is built only with a hash modifier")
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

  /// docs/facts/migration.md#index-needs-a-migration
  @Test("Any migration builds and drops indexes of all entities")
  func indexOfAnotherEntity() throws {
    func model(_ indexes: [ManagedIndex], _ more: [ManagedAttribute]) -> ManagedModel {
      Fixture.model(
        entity(
          name, ManagedAttribute(name: "b", type: .string, isOptional: true), indexes: indexes),
        ManagedEntity(name: "B", attributes: more))
    }
    let store = try StoreFile(model([ManagedIndex(properties: ["b"])], []))
    let target = model(
      [ManagedIndex(properties: ["name"])],
      [ManagedAttribute(name: "c", type: .string, isOptional: true)])
    try store.migrate(to: target)
    #expect(try store.structure() == StoreFile(target).structure())
  }

  /// docs/facts/identity.md#not-hashed
  @Test("A changed delete rule or default keeps the hash and values")
  func neutral() throws {
    var new = Fixture.library
    new.entities[0].relationships[0].deleteRule = .deny
    new.entities[0].attributes[0].defaultValue = .text("?")
    new.entities[0].attributes[0].originalName = "nom"
    #expect(new.versionHashes == Fixture.library.versionHashes)
    let store = try StoreFile(Fixture.library)
    let id = try store.insert("Author", ["name": .text("A")])
    try store.migrate(to: new)
    #expect(try store.value(id, "name") == .text("A"))
  }

  // MARK: In place

  /// A table's columns in the file's order after a migration, and whether its rows stayed in place.
  private func altered(
    _ old: ManagedModel, _ new: ManagedModel, row: (entity: String, values: Values)
  ) throws -> (columns: [String], isInPlace: Bool, values: Values) {
    let store = try StoreFile(old)
    let id = try store.insert(row.entity, row.values)
    func page() throws -> StoredValue? {
      try store.database.value("SELECT rootpage FROM sqlite_master WHERE name = 'ZA'")
    }
    let before = try page()
    try store.migrate(to: new)
    #expect(try store.structure() == StoreFile(new).structure())
    let columns = try store.database.texts("SELECT name FROM pragma_table_info('ZA')")
    return (columns, try page() == before, try store.values(id))
  }

  /// docs/facts/migration.md#alter-table
  @Test("Added columns come last, and no row is copied")
  func addedColumnsStandLast() throws {
    let number = ManagedAttribute(name: "a", type: .integer64, defaultValue: .integer(7))
    let text = ManagedAttribute(name: "b", type: .string, isOptional: true)
    let found = try altered(
      Fixture.model(entity(name)), Fixture.model(entity(name, number, text)),
      row: ("A", ["name": .text("x")]))
    #expect(found.columns == ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME", "ZA", "ZB"])
    #expect(found.isInPlace)
    #expect(found.values == ["name": .text("x"), "a": .integer(7), "b": .null])
  }

  @Test("A new attribute's default is written only to rows of its entity")
  func addedColumnOfASubclass() throws {
    func model(_ attributes: [ManagedAttribute]) -> ManagedModel {
      Fixture.model(
        entity(name), ManagedEntity(name: "Sub", superentity: "A", attributes: attributes))
    }
    let number = ManagedAttribute(name: "n", type: .integer64, defaultValue: .integer(7))
    let store = try StoreFile(model([]))
    try store.insert("A", ["name": .text("x")])
    try store.insert("Sub", ["name": .text("y")])
    try store.migrate(to: model([number]))
    #expect(
      try store.database.query("SELECT ZN FROM ZA ORDER BY Z_PK") { $0.value(at: 0) }
        == [.null, .integer(7)])
  }

  @Test("A renamed column keeps its place and its index")
  func renamedInPlace() throws {
    let found = try altered(
      Fixture.model(entity(name, unique: [["name"]])),
      Fixture.model(
        entity(
          ManagedAttribute(name: "title", originalName: "name", type: .string),
          unique: [["title"]])),
      row: ("A", ["name": .text("x")]))
    #expect(found.columns == ["Z_PK", "Z_ENT", "Z_OPT", "ZTITLE"])
    #expect(found.isInPlace)
    #expect(found.values == ["title": .text("x")])
  }

  @Test("Swapping the names of two columns copies the rows")
  func swappedNames() throws {
    func model(_ first: String?, _ second: String?, _ more: ManagedAttribute...) -> ManagedModel {
      var swapped = entity(
        ManagedAttribute(name: "a", originalName: first, type: .string),
        ManagedAttribute(name: "b", originalName: second, type: .string))
      swapped.attributes += more
      return Fixture.model(swapped)
    }
    // The names alone do not make another version.
    let more = ManagedAttribute(name: "c", type: .string, isOptional: true)
    let found = try altered(
      model(nil, nil), model("b", "a", more), row: ("A", ["a": .text("1"), "b": .text("2")]))
    #expect(found.values == ["a": .text("2"), "b": .text("1"), "c": .null])
  }

  @Test("Removing or retyping a column copies the rows into a new table")
  func copied() throws {
    let b = ManagedAttribute(name: "b", type: .integer64)
    let old = Fixture.model(entity(name, b))
    let added = ManagedAttribute(name: "c", type: .integer64, isOptional: true)
    let row: (String, Values) = ("A", ["name": .text("x"), "b": .integer(1)])
    let without = try altered(old, Fixture.model(entity(name, added)), row: row)
    #expect(without.columns == ["Z_PK", "Z_ENT", "Z_OPT", "ZC", "ZNAME"])
    #expect(without.values == ["name": .text("x"), "c": .null])
    let real = ManagedAttribute(name: "b", type: .double)
    let converted = try altered(old, Fixture.model(entity(name, real, added)), row: row)
    #expect(converted.columns == ["Z_PK", "Z_ENT", "Z_OPT", "ZC", "ZB", "ZNAME"])
    #expect(converted.values == ["name": .text("x"), "b": .real(1), "c": .null])
  }

  @Test("A table with an unknown column is copied without it")
  func unknownColumn() throws {
    let store = try StoreFile(Fixture.model(entity(name)))
    try store.insert("A", ["name": .text("x")])
    try store.force("ALTER TABLE ZA ADD COLUMN ZSCRATCH INTEGER")
    let target = Fixture.model(
      entity(name, ManagedAttribute(name: "b", type: .string, isOptional: true)))
    try store.migrate(to: target)
    #expect(try store.structure() == StoreFile(target).structure())
  }

  @Test("Moving a property to a subclass clears it in rows of the superclass")
  func aPropertyMovesDownItsTree() throws {
    func model(_ above: [ManagedAttribute], _ below: [ManagedAttribute]) -> ManagedModel {
      var parent = entity(name)
      parent.attributes += above
      return Fixture.model(
        parent, ManagedEntity(name: "Sub", superentity: "A", attributes: below))
    }
    let b = ManagedAttribute(name: "b", type: .string, isOptional: true)
    let store = try StoreFile(model([b], []))
    try store.insert("A", ["name": .text("x"), "b": .text("gone")])
    try store.insert("Sub", ["name": .text("y"), "b": .text("kept")])
    try store.migrate(to: model([], [b]))
    #expect(
      try store.database.query("SELECT ZB FROM ZA ORDER BY Z_PK") { $0.value(at: 0) }
        == [.null, .text("kept")])
  }

  // MARK: Models

  /// docs/facts/migration.md#add-model
  /// docs/facts/migration.md#remove-model
  /// docs/facts/migration.md#rename-model
  @Test("Adding a model is inferred, and removing or renaming one drops its rows")
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
  @Test("Adding a subclass is inferred and keeps rows")
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

  /// docs/facts/migration.md#superclass-change
  @Test("Adding a superclass is inferred and keeps rows")
  func newParent() throws {
    let store = try StoreFile(Fixture.model(entity(name)))
    try store.insert("A", ["name": .text("x")])
    var child = entity(name)
    child.superentity = "P"
    let target = Fixture.model(ManagedEntity(name: "P"), child)
    try store.migrate(to: target)
    #expect(try store.structure() == StoreFile(target).structure())
    #expect(try store.rows(of: "A").map { try store.values($0.id) } == [["name": .text("x")]])
  }

  /// docs/facts/migration.md#two-roots-under-one-parent
  @Test("Moving a root entity below another fails with 134190")
  func mergedTrees() throws {
    let store = try StoreFile(Fixture.model(entity(name), ManagedEntity(name: "B")))
    let error = storeError {
      try store.migrate(
        to: Fixture.model(entity(name), ManagedEntity(name: "B", superentity: "A")))
    }
    #expect(error?.kind == .noMapping)
    #expect(
      error?.reason.contains(
        "Cannot merge multiple root entity source tables: 'A' and 'B' (134190)")
        == true)
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
