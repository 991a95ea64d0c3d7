import Foundation
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

@Suite struct RowTests {
  static let values: [StoredValue] = [
    .null, .integer(0), .integer(.min), .integer(.max), .text(""), .text("ä\u{0}🧑🏽‍🚀\u{301}"),
    .text(String(repeating: "x", count: 1_000_000)), .blob(Data()), .blob(Data([0, 255])),
    .real(0.1), .real(.infinity), .real(-.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude),
  ]

  @Test(arguments: values.indices) func everyValueComesBack(_ index: Int) throws {
    let value = Self.values[index]
    let types: [AttributeType] =
      switch value {
      case .null: AttributeType.allCases.filter { $0 != .composite }
      case .integer: [.integer64, .boolean]
      case .real: [.double, .date, .float]
      case .text: [.string, .uri]
      case .blob: [.binary, .uuid, .transformable]
      }
    for type in types {
      let store = try StoreFile(
        Fixture.model(
          ManagedEntity(
            name: "A", attributes: [ManagedAttribute(name: "a", type: type, isOptional: true)])))
      let id = try store.insert("A", ["a": value])
      #expect(try store.value(id, "a") == value)
    }
  }

  @Test("A date of whole seconds is read as a real number")
  func wholeDates() throws {
    let store = try StoreFile(Fixture.library)
    let id = try store.insert("Author", ["name": .text("A"), "born": .real(5)])
    #expect(try store.value(id, "born") == .real(5))
  }

  @Test("NaN is stored as NULL, even in a required attribute")
  func notANumber() throws {
    let store = try StoreFile(
      Fixture.model(
        ManagedEntity(name: "A", attributes: [ManagedAttribute(name: "a", type: .double)])))
    #expect(try store.value(store.insert("A", ["a": .real(.nan)]), "a") == .null)
  }

  @Test func pagesFollowTheKeys() throws {
    let store = try StoreFile(Fixture.library)
    for year in 1...10 { try store.insert("Prize", ["year": .integer(Int64(year))]) }
    #expect(try store.count(of: "Prize") == 10)
    #expect(try store.rows(of: "Prize", limit: 3).map(\.id.key) == [1, 2, 3])
    #expect(try store.rows(of: "Prize", after: 3, limit: 3).map(\.id.key) == [4, 5, 6])
    #expect(try store.rows(of: "Prize", after: 8).map(\.id.key) == [9, 10])
    #expect(try store.rows(of: "Prize", after: .max).isEmpty)
    #expect(try store.rows(of: "Prize", limit: 0).isEmpty)
  }

  @Test func rowsKnowWhatTheyReallyAre() throws {
    let store = try StoreFile(Fixture.media)
    let film = try store.insert("Film", ["title": .text("F"), "length": .real(1.5)])
    let song = try store.insert("Song", ["title": .text("S"), "length": .integer(3)])
    #expect([film.key, song.key] == [1, 2], "one tree, one sequence of keys")
    #expect(try store.rows(of: "Medium").map(\.id) == [film, song])
    #expect(try store.rows(of: "Medium")[1].values == [.text("S"), .integer(3)])
    #expect(try store.rows(of: "Medium", includingSubentities: false).isEmpty)
    #expect(try store.rows(of: "Song").map(\.id) == [song])
    #expect(try store.count(of: "Medium") == 2)
    #expect(try store.count(of: "Film") == 1)
    #expect(try store.row(ObjectID(entity: "Medium", key: 2))?.id == song)
    #expect(try store.row(of: "Medium", where: ["title": .text("S")]) == song)
    #expect(try store.row(of: "Film", where: ["title": .text("S")]) == nil)
  }

  @Test func keysAreNeverGivenTwice() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.store")
    do {
      let store = try StoreFile(at: .file(file))
      try store.create(Fixture.library)
      #expect(try store.allocateKeys(of: "Prize", count: 3) == 1...3)
    }
    let store = try StoreFile(at: .file(file))
    try store.adopt(Fixture.library)
    #expect(try store.allocateKeys(of: "Prize", count: 2) == 4...5)
    var changes = StoreChanges()
    changes.inserted = [
      StoreRow(id: ObjectID(entity: "Prize", key: 100), values: [.integer(1)])
    ]
    try store.apply(changes)
    #expect(try store.allocateKeys(of: "Prize", count: 1) == 101...101)
    try store.force("UPDATE Z_PRIMARYKEY SET Z_MAX = ?", [.integer(.max)])
    #expect(storeError { _ = try store.allocateKeys(of: "Prize", count: 1) }?.kind == .sqlite)
  }

  @Test func updatesAndDeletes() throws {
    let store = try StoreFile(Fixture.library)
    let id = try store.insert("Prize", ["year": .integer(1901)])
    var changes = StoreChanges()
    changes.updated = [StoreRow(id: id, values: [.integer(1902)])]
    try store.apply(changes)
    #expect(try store.value(id, "year") == .integer(1902))
    #expect(try store.database.value("SELECT Z_OPT FROM ZPRIZE") == .integer(2))
    changes = StoreChanges()
    changes.deleted = [id]
    try store.apply(changes)
    #expect(try store.row(id) == nil)
    changes = StoreChanges()
    changes.updated = [StoreRow(id: id, values: [.integer(1902)])]
    #expect(storeError { try store.apply(changes) }?.kind == .sqlite)
  }

  @Test("A patch writes only the slots that it lists")
  func patches() throws {
    let store = try StoreFile(Fixture.library)
    let id = try store.insert("Author", ["name": .text("A"), "born": .real(1)])
    let name = try #require(store.layout(of: "Author").index["name"])
    func patch(_ slots: [Int], _ values: [StoredValue], of id: ObjectID) throws {
      var changes = StoreChanges()
      changes.patched = [StoreChanges.Patch(id: id, slots: slots, values: values)]
      try store.apply(changes)
    }
    try patch([name], [.text("B")], of: id)
    #expect(try store.value(id, "name") == .text("B"))
    #expect(try store.value(id, "born") == .real(1))
    try patch([], [], of: id)
    #expect(try store.database.value("SELECT Z_OPT FROM ZAUTHOR") == .integer(3))
    #expect(storeError { try patch([name], [.null], of: id) }?.kind == .missingValue)
    #expect(storeError { try patch([name], [], of: id) }?.kind == .incompatibleModel)
    #expect(storeError { try patch([99], [.null], of: id) }?.kind == .incompatibleModel)
    let other = ObjectID(entity: "Author", key: 99)
    #expect(storeError { try patch([name], [.text("C")], of: other) }?.kind == .sqlite)
    #expect(try store.value(id, "name") == .text("B"))
  }

  @Test func aBrokenConstraintLeavesAllAsItWas() throws {
    let store = try StoreFile(Fixture.library)
    try store.insert("Author", ["name": .text("A")])
    var changes = StoreChanges()
    changes.inserted = [
      StoreRow(id: ObjectID(entity: "Prize", key: 1), values: [.integer(1)]),
      StoreRow(id: ObjectID(entity: "Author", key: 2), values: [.text("A"), .null, .null, .null]),
    ]
    let error = storeError { try store.apply(changes) }
    #expect(error?.kind == .notUnique)
    #expect(error?.reason == "'Author' 2 has the same values as another row in 'Author.name'")
    #expect(try store.count(of: "Prize") == 0)
    #expect(try store.count(of: "Author") == 1)
  }

  @Test func aKeyThatIsTakenIsSaid() throws {
    let store = try StoreFile(Fixture.library)
    let id = try store.insert("Prize", ["year": .integer(1)])
    var changes = StoreChanges()
    changes.inserted = [StoreRow(id: id, values: [.integer(1)])]
    let error = storeError { try store.apply(changes) }
    #expect(error == StoreError(.notUnique, "'Prize' 1 already exists"))
  }

  @Test func aConstraintOverTwoPropertiesNamesBoth() throws {
    let store = try StoreFile(Fixture.library)
    let author = try store.insert("Author", ["name": .text("A")])
    let book: [String: StoredValue] = [
      "title": .text("T"), "id": .blob(Data(count: 16)), "author": .integer(author.key),
    ]
    try store.insert("Book", book)
    let error = storeError { try store.insert("Book", book) }
    #expect(error?.reason.contains("'Book.title', 'Book.author'") == true)
    // A unique index takes NULLs for distinct values.
    try store.insert("Book", ["title": .text("T"), "id": .blob(Data())])
    try store.insert("Book", ["title": .text("T"), "id": .blob(Data())])
  }

  @Test("Required attributes are enforced, elements of composites are not")
  func missingValues() throws {
    let store = try StoreFile(Fixture.library)
    let error = storeError { try store.insert("Author") }
    #expect(error?.kind == .missingValue)
    #expect(error?.reason.contains("'Author' 1") == true)
    #expect(error?.reason.contains("'name'") == true)
    let id = try store.insert("Author", ["name": .text("A")])
    var changes = StoreChanges()
    changes.updated = [StoreRow(id: id, values: [.null, .null, .null, .null])]
    #expect(storeError { try store.apply(changes) }?.kind == .missingValue)
  }

  @Test func findsTheRowOfAConstraint() throws {
    let store = try StoreFile(Fixture.library)
    let author = try store.insert("Author", ["name": .text("A")])
    let book = try store.insert(
      "Book",
      [
        "title": .text("T"), "id": .blob(Data()), "author": .integer(author.key),
        "kind.rawValue": .text("novel"),
      ])
    #expect(try store.row(of: "Author", where: ["name": .text("A")]) == author)
    #expect(try store.row(of: "Author", where: ["name": .text("a")]) == nil)
    #expect(try store.row(of: "Author", where: ["name": .null]) == nil)
    #expect(
      try store.row(of: "Book", where: ["title": .text("T"), "author": .integer(author.key)])
        == book)
    #expect(try store.row(of: "Book", where: ["kind": .text("novel")]) == book)
    #expect(
      storeError { _ = try store.row(of: "Book", where: ["x": .text("")]) }?.kind
        == .incompatibleModel)
  }

  @Test func linksOfEveryKind() throws {
    let store = try StoreFile(Fixture.library)
    let author = try store.insert("Author", ["name": .text("A")])
    let books = try ["B", "C"].map {
      try store.insert(
        "Book", ["title": .text($0), "id": .blob(Data()), "author": .integer(author.key)])
    }
    let readers = try ["X", "Y", "Z"].map { try store.insert("Reader", ["name": .text($0)]) }
    let prizes = try [1, 2].map { try store.insert("Prize", ["year": .integer($0)]) }
    #expect(try store.related(author, by: "books") == books)

    try store.link(books[0], "readers", readers[2], readers[0], readers[0])
    try store.link(readers[0], "reads", books[1], books[0])
    #expect(try store.related(books[0], by: "readers") == [readers[0], readers[2]])
    #expect(try store.related(books[1], by: "readers") == [readers[0]])
    #expect(try store.related(readers[0], by: "reads") == books)

    try store.link(author, "prizes", prizes[1], prizes[0])
    #expect(try store.related(author, by: "prizes") == prizes)
    let rival = try store.insert("Author", ["name": .text("B")])
    try store.link(rival, "prizes", prizes[0])
    #expect(try store.related(author, by: "prizes") == [prizes[1]], "a prize has one owner")

    try store.link(readers[0], "friends", readers[1])
    #expect(try store.related(readers[1], by: "friends") == [readers[0]])
    try store.link(readers[1], "friends")
    #expect(try store.related(readers[0], by: "friends").isEmpty)

    try store.link(readers[0], "friends", readers[0])
    var changes = StoreChanges()
    changes.deleted = [author, readers[0]]
    try store.apply(changes)
    #expect(try store.related(author, by: "prizes").isEmpty)
    #expect(try store.related(books[0], by: "readers") == [readers[2]])
    #expect(try store.database.value("SELECT COUNT(*) FROM Z_4FRIENDS") == .integer(0))
    #expect(
      storeError { _ = try store.related(books[0], by: "author") }?.kind == .incompatibleModel)
    #expect(storeError { try store.link(author, "books", books[0]) }?.kind == .incompatibleModel)
  }

  @Test func aDeletedRowOfASubentityTakesItsLinksAlong() throws {
    let store = try StoreFile(
      Fixture.model(
        ManagedEntity(name: "Medium"),
        ManagedEntity(
          name: "Film", superentity: "Medium",
          relationships: [
            ManagedRelationship(
              name: "actors", destination: "Actor", inverse: "films", isToMany: true),
            ManagedRelationship(name: "extras", destination: "Actor", isToMany: true),
          ]),
        ManagedEntity(
          name: "Actor",
          relationships: [
            ManagedRelationship(
              name: "films", destination: "Film", inverse: "actors", isToMany: true)
          ])))
    let film = try store.insert("Film")
    let actor = try store.insert("Actor")
    try store.link(film, "actors", actor)
    try store.link(film, "extras", actor)
    #expect(try store.related(actor, by: "films") == [film])
    var changes = StoreChanges()
    changes.deleted = [ObjectID(entity: "Medium", key: film.key)]
    try store.apply(changes)
    #expect(try store.database.value("SELECT COUNT(*) FROM Z_1FILMS") == .integer(0))
    #expect(try store.related(film, by: "extras").isEmpty)
  }

  @Test func withoutAModelThereAreNoRows() throws {
    let store = try StoreFile(at: .memory)
    #expect(store.contents == .empty)
    #expect(store.model == nil)
    #expect(storeError { _ = try store.rows(of: "A") }?.kind == .incompatibleModel)
    #expect(storeError { try store.apply(StoreChanges()) }?.kind == .incompatibleModel)
    try store.create(Fixture.library)
    #expect(storeError { _ = try store.rows(of: "A") }?.reason.contains("'A'") == true)
    #expect(storeError { try store.create(Fixture.library) }?.kind == .incompatibleModel)
  }
}
