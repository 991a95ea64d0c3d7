import Foundation
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// The places of values in a store; see docs/facts/store-format.md.
@Suite struct LayoutTests {
  static let library = """
    1 Author below 0
    2 Book below 0
    3 Prize below 0
    4 Reader below 0
    CREATE TABLE ZAUTHOR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID INTEGER, ZBORN TIMESTAMP, ZSTREET VARCHAR, ZNAME VARCHAR )
    CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPAGES INTEGER, ZAUTHOR INTEGER, ZKIND VARCHAR, ZTITLE VARCHAR, ZCOVER BLOB, ZID BLOB )
    CREATE TABLE ZPRIZE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZYEAR INTEGER, Z1PRIZES INTEGER )
    CREATE TABLE ZREADER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )
    CREATE TABLE Z_2READERS ( Z_2READS INTEGER, Z_4READERS INTEGER, PRIMARY KEY (Z_2READS, Z_4READERS) )
    CREATE TABLE Z_4FRIENDS ( Z_4FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_4FRIENDS, REFLEXIVE) )
    CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR)
    CREATE INDEX ZPRIZE_Z1PRIZES_INDEX ON ZPRIZE (Z1PRIZES)
    CREATE INDEX Z_2READERS_Z_4READERS_INDEX ON Z_2READERS (Z_4READERS, Z_2READS)
    CREATE INDEX Z_4FRIENDS_REFLEXIVE_INDEX ON Z_4FRIENDS (REFLEXIVE, Z_4FRIENDS)
    CREATE UNIQUE INDEX Z_Author_UNIQUE_name ON ZAUTHOR (ZNAME COLLATE BINARY ASC)
    CREATE INDEX Z_Book_SwiftDataIndexOnBinarypagestitle ON ZBOOK (ZPAGES COLLATE BINARY ASC, ZTITLE COLLATE BINARY ASC)
    CREATE UNIQUE INDEX Z_Book_UNIQUE_title_author ON ZBOOK (ZTITLE COLLATE BINARY ASC, ZAUTHOR COLLATE BINARY ASC)

    """

  @Test func aModelIsLaidOutAsCoreDataDoes() throws {
    #expect(try StoreFile(Fixture.library).structure(ordered: true) == Self.library)
  }

  @Test("Z_ENT is 1…n in case-insensitive order of entity names")
  func entitiesAreNumbered() throws {
    let names = ["AppStoreScreenshot", "AppStorefrontReview", "b", "A", "C"]
    let graph = try ModelGraph(
      ManagedModel(entities: names.map { ManagedEntity(name: $0) }, versionIdentifier: "1"))
    #expect(
      graph.nodes.map(\.name) == ["A", "AppStorefrontReview", "AppStoreScreenshot", "b", "C"])
    #expect(graph.nodes.map(\.number) == [1, 2, 3, 4, 5])
  }

  @Test("Subentities share their root's table, and colliding columns get numbers")
  func inheritance() throws {
    let store = try StoreFile(Fixture.media)
    #expect(
      try store.structure(ordered: true) == """
        1 Artist below 0
        2 Medium below 0
        3 Film below 2
        4 Song below 2
        CREATE TABLE ZARTIST ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )
        CREATE TABLE ZMEDIUM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLENGTH1 INTEGER, ZLENGTH FLOAT, ZTITLE VARCHAR )
        CREATE INDEX ZMEDIUM_Z_ENT_INDEX ON ZMEDIUM (Z_ENT)

        """)
    #expect(store.layout(of: "Song").slots.map(\.path) == ["title", "length"])
    #expect(store.layout(of: "Song").slots.map(\.column) == ["ZTITLE", "ZLENGTH1"])
  }

  @Test(
    "A row's slots list inherited properties first, in declaration order, and to-one links last")
  func slots() throws {
    let store = try StoreFile(Fixture.library)
    let book = store.layout(of: "Book")
    #expect(
      book.slots.map(\.path) == ["title", "id", "pages", "kind.rawValue", "cover", "author"])
    #expect(
      book.slots.map(\.column) == ["ZTITLE", "ZID", "ZPAGES", "ZKIND", "ZCOVER", "ZAUTHOR"])
    #expect(
      book.slots.map(\.type) == [.string, .uuid, .integer64, .string, .binary, nil])
    #expect(book.index["author"] == 5)
    #expect(
      store.layout(of: "Author").slots.map(\.path)
        == ["name", "born", "address.street", "address.id"])
  }

  @Test("Columns are ordered by storage class, then by property name")
  func columnOrder() throws {
    let types: [(String, AttributeType)] = [
      ("reviewerName", .string), ("reviewID", .string), ("zoom", .double), ("at", .date),
      ("bytes", .binary), ("z", .boolean), ("a", .integer64), ("uuid", .uuid),
    ]
    let model = Fixture.model(
      ManagedEntity(
        name: "A", attributes: types.map { ManagedAttribute(name: $0, type: $1) },
        relationships: [ManagedRelationship(name: "b", destination: "A", isToMany: false)]))
    let columns = try StoreLayout(model).tables[0].columns.map(\.name)
    #expect(
      columns == [
        "ZA", "ZZ", "ZB", "ZAT", "ZZOOM", "ZREVIEWID", "ZREVIEWERNAME", "ZBYTES", "ZUUID",
      ])
  }

  @Test("Colliding columns get a number, such as ZID and ZID1")
  func collisions() throws {
    let model = Fixture.model(
      ManagedEntity(
        name: "A",
        attributes: [
          ManagedAttribute(
            name: "first", type: .composite,
            elements: [ManagedAttribute(name: "id", type: .string, isOptional: true)]),
          ManagedAttribute(
            name: "second", type: .composite,
            elements: [ManagedAttribute(name: "id", type: .string, isOptional: true)]),
          ManagedAttribute(name: "ID", type: .string), ManagedAttribute(name: "id", type: .string),
          ManagedAttribute(name: "_PK", type: .string),
        ]))
    let columns = try StoreFile(model).layout(of: "A").slots.map { "\($0.path) \($0.column)" }
    #expect(
      columns == ["first.id ZID2", "second.id ZID3", "ID ZID", "id ZID1", "_PK Z_PK1"])
  }

  @Test(
    "A column's declared type follows its attribute's type",
    arguments: [
      (AttributeType.integer16, "INTEGER"), (.integer32, "INTEGER"), (.integer64, "INTEGER"),
      (.boolean, "INTEGER"), (.decimal, "DECIMAL"), (.double, "FLOAT"), (.float, "FLOAT"),
      (.string, "VARCHAR"), (.uri, "VARCHAR"), (.date, "TIMESTAMP"), (.binary, "BLOB"),
      (.uuid, "BLOB"), (.transformable, "BLOB"),
    ])
  func declaredTypes(_ type: AttributeType, _ declared: String) throws {
    let model = Fixture.model(
      ManagedEntity(name: "A", attributes: [ManagedAttribute(name: "a", type: type)]))
    #expect(try StoreFile(model).structure(ordered: true).contains("ZA \(declared) )"))
  }

  @Test("A join table is named after the side whose entity's name sorts first")
  func joins() throws {
    // The published schemas of Paprika and Photos have both orders of numbers and property names.
    let model = Fixture.model(
      ManagedEntity(
        name: "Recipe",
        relationships: [
          ManagedRelationship(
            name: "categories", destination: "RecipeCategory", inverse: "recipes", isToMany: true)
        ]),
      ManagedEntity(
        name: "RecipeCategory",
        relationships: [
          ManagedRelationship(
            name: "recipes", destination: "Recipe", inverse: "categories", isToMany: true)
        ]))
    #expect(
      try StoreFile(model).structure(ordered: true).contains(
        "CREATE TABLE Z_1CATEGORIES ( Z_1RECIPES INTEGER, Z_2CATEGORIES INTEGER, PRIMARY KEY (Z_1RECIPES, Z_2CATEGORIES) )"
      ))
  }

  static let unsound: [(ManagedModel, String)] = [
    (Fixture.model(ManagedEntity(name: "A"), ManagedEntity(name: "A")), "two entities"),
    (Fixture.model(ManagedEntity(name: "A", superentity: "B")), "is missing or cyclic"),
    (
      Fixture.model(
        ManagedEntity(name: "A", superentity: "B"), ManagedEntity(name: "B", superentity: "A")),
      "is missing or cyclic"
    ),
    (Fixture.model(ManagedEntity(name: "A; DROP TABLE B")), "not a name"),
    (Fixture.model(ManagedEntity(name: "")), "not a name"),
    (
      Fixture.model(
        ManagedEntity(
          name: "A",
          attributes: [
            ManagedAttribute(name: "a", type: .string), ManagedAttribute(name: "a", type: .date),
          ])), "two properties"
    ),
    (
      Fixture.model(
        ManagedEntity(
          name: "A",
          relationships: [ManagedRelationship(name: "b", destination: "B", isToMany: true)])),
      "is not an entity"
    ),
    (
      Fixture.model(
        ManagedEntity(
          name: "A",
          relationships: [
            ManagedRelationship(name: "b", destination: "A", inverse: "c", isToMany: true)
          ])), "does not lead back"
    ),
    (Fixture.model(ManagedEntity(name: "A", uniqueness: [["x"]])), "'A.x'"),
  ]

  @Test(arguments: unsound.indices) func anUnsoundModelIsRefused(_ index: Int) throws {
    let (model, reason) = Self.unsound[index]
    let error = storeError { _ = try StoreFile(model) }
    #expect(error?.kind == .incompatibleModel)
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }
}
