import Foundation
import SwiftData

/// What files look like.
enum Layout {
  struct Reference: Codable {
    var id: String
  }

  struct Dated: Codable {
    var label: String
    var size: Int?
  }

  /// Something of every type; each has a column.
  enum Everything: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var whole: Int = 5
      var flag: Bool = true
      var real: Double = 1.5
      var day: Date = Date(timeIntervalSinceReferenceDate: 60.5)
      var text: String = "x"
      var mark: UUID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
      var bytes: Data = Data([1, 2])
      var price: Decimal = Decimal(7)
      var mood: Values.Mood = Values.Mood.sad
      var detail: Dated = Dated(label: "l", size: 3)
      var tags: [String] = ["a"]
      var listing: Hashed.Listing = Hashed.Listing(title: "t", places: [])
      init() {}
    }
  }

  enum Link: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var link: URL?
      init(link: URL?) { self.link = link }
    }
  }

  /// A field has the name of a property.
  enum Colliding: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var reference: Reference?
      var id: UUID?
      init() {}
    }
  }

  /// The inverse is declared at the side whose name is the greater.
  enum ManyOtherwise: First {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var pets: [Pet] = []
      init() {}
    }
    @Model final class Pet {
      @Relationship(inverse: \Owner.pets) var owners: [Owner] = []
      init() {}
    }
  }

  /// Both sides are of one entity.
  enum ManyInOne: First {
    static var models: [any PersistentModel.Type] { [Person.self] }
    @Model final class Person {
      var follows: [Person] = []
      @Relationship(inverse: \Person.follows) var followers: [Person] = []
      init() {}
    }
  }

  enum Dictionaries: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var counts: [String: Int] = [:]
      init() {}
    }
  }

  enum Payloads: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var figure: Hashed.Figure?
      init() {}
    }
  }

  enum HasKeyed: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var keyed: Hashed.Keyed?
      init() {}
    }
  }

  enum Graphics: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var width: CGFloat = 0
      init() {}
    }
  }

  /// Names beyond ASCII, whose order among the others decides the hash.
  enum Accented: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var zone: Int?
      // swift-format-ignore
      var größe: Int?
      // swift-format-ignore
      var äther: Int?
      init() {}
    }
  }

  enum Identified: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var marks: [UUID]
      init(marks: [UUID]) { self.marks = marks }
    }
  }

  /// Two structs with a field of one name.
  enum Alike: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var reference: Reference?
      var dated: Labelled?
      init() {}
    }
  }

  struct Labelled: Codable {
    var id: Int
  }

  /// A column comes whose name is before the others'.
  enum Earlier: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var aardvark: String?
      var name: String
      init(name: String) { self.name = name }
    }
  }

  /// The same by other means: nested elsewhere, in another order, not public.
  enum Reordered: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model fileprivate class Item {
      var count: Int?
      var name: String
      init(name: String) { self.name = name }
    }
  }
}

/// Relationships without a declared inverse.
enum Inverses {
  /// `[B]` and `A?` pair.
  enum OptionalToOne: First {
    static var models: [any PersistentModel.Type] { [A.self, B.self] }
    @Model final class A {
      var bs: [B] = []
      init() {}
    }
    @Model final class B {
      var a: A?
      init() {}
    }
  }

  /// `[B]` and `A` do not.
  enum MandatoryToOne: First {
    static var models: [any PersistentModel.Type] { [A.self, B.self] }
    @Model final class A {
      var bs: [B] = []
      init() {}
    }
    @Model final class B {
      var a: A
      init(a: A) { self.a = a }
    }
  }

  /// `[B]` and `[A]` do not.
  enum Lists: First {
    static var models: [any PersistentModel.Type] { [A.self, B.self] }
    @Model final class A {
      var bs: [B] = []
      init() {}
    }
    @Model final class B {
      var owners: [A] = []
      init() {}
    }
  }

  /// `[B]?` and `[A]` pair.
  enum OptionalList: First {
    static var models: [any PersistentModel.Type] { [A.self, B.self] }
    @Model final class A {
      var bs: [B]? = []
      init() {}
    }
    @Model final class B {
      var owners: [A] = []
      init() {}
    }
  }

  /// Two candidates.
  enum Tree: First {
    static var models: [any PersistentModel.Type] { [Node.self] }
    @Model final class Node {
      var parent: Node?
      var children: [Node] = []
      init() {}
    }
  }

  /// Two ways to one model.
  enum TwoWays: First {
    static var models: [any PersistentModel.Type] { [A.self, B.self] }
    @Model final class A {
      var first: B?
      var second: B?
      init() {}
    }
    @Model final class B {
      var owners: [A] = []
      init() {}
    }
  }

  /// A has one declared inverse; its other relationship could be paired from A only.
  enum OneDeclared: First {
    static var models: [any PersistentModel.Type] { [A.self, B.self, C.self] }
    @Model final class A {
      @Relationship(inverse: \B.a) var bs: [B] = []
      var cs: [C]? = []
      init() {}
    }
    @Model final class B {
      var a: A?
      init() {}
    }
    @Model final class C {
      var owners: [A] = []
      init() {}
    }
  }

  /// The only relationship of its kind leads to itself.
  enum Partner: First {
    static var models: [any PersistentModel.Type] { [Person.self] }
    @Model final class Person {
      var name: String
      var partner: Person?
      init(name: String) { self.name = name }
    }

    static func fill(_ context: ModelContext) throws {
      let (one, other) = (Person(name: "one"), Person(name: "other"))
      context.insert(one)
      context.insert(other)
      one.partner = other
    }
  }
}

extension Experiment {
  static var layout: [Experiment] { tables + columns + inverses }

  /// What a new store of a version looks like.
  private static func file(
    _ id: String, _ claim: String, facts: [String] = [], partly: [String] = [],
    limits: [Limit] = [], of version: any VersionedSchema.Type,
    fill: @escaping (ModelContext) throws -> Void = Plain.nothing, _ expectation: Expectation,
    see: @escaping (StoreFile, Folder) throws -> [String]
  ) -> Experiment {
    Experiment(
      id: id, claim: claim, facts: facts, partly: partly,
      steps: [
        writing(version, fill),
        step("look at the file", expectation) { try see(StoreFile($0.store), $0) },
      ], limits: limits)
  }

  private static var tables: [Experiment] {
    let history = Limit.portable("the runtime records no history")
    let cache = Limit.portable("the runtime writes no model cache")
    return [
      file(
        "tables", "a table is Z and the entity's name, with three columns of Core Data's",
        facts: ["store-format#tables", "store-format#columns"], of: Plain.V1.self, fill: Plain.fill,
        .sees("ZITEM", "Z_PK INTEGER", "Z_ENT INTEGER", "Z_OPT INTEGER", "ZNAME VARCHAR")
      ) { file, _ in
        try file.tables()
          + file.query("PRAGMA table_info(ZITEM)").map { row in
            "\(row[1]) \(row[2])".replacingOccurrences(of: "'", with: "")
          }
      },
      file(
        "no-not-null", "no column is NOT NULL", facts: ["store-format#no-not-null"],
        of: Layout.Everything.self, .sees("NOT NULL: 0")
      ) { file, _ in
        let demanded = try file.query("PRAGMA table_info(ZITEM)").count { $0[3] != .integer(0) }
        return ["NOT NULL: \(demanded)"]
      },
      file(
        "entity-numbers", "entities are numbered by their names",
        facts: ["store-format#entity-numbers"], of: Models.More.self, fill: Models.More.fill,
        .sees("1 Item", "2 Other", "1")
      ) { file, _ in
        try file.query("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY 1").map
        {
          row in "\(row[0]) \(row[1])".replacingOccurrences(of: "'", with: "")
        } + file.values("SELECT DISTINCT Z_ENT FROM ZITEM")
      },
      file(
        "many-to-many", "a many-to-many is a table named after the lesser entity",
        facts: ["store-format#many-to-many", "store-format#many-to-many-owner"],
        of: Relations.Many.self, .sees("Z_1PETS Z_1OWNERS INTEGER Z_2PETS INTEGER")
      ) { _, folder in try joins(folder) },
      file(
        "many-to-many-otherwise", "whichever side declares the inverse",
        facts: ["store-format#many-to-many-owner"], of: Layout.ManyOtherwise.self,
        .sees("Z_1PETS Z_1OWNERS INTEGER Z_2PETS INTEGER")
      ) { _, folder in try joins(folder) },
      file(
        "many-to-many-in-one", "which side of one entity names the table",
        partly: ["store-format#many-to-many-within-one-entity"], of: Layout.ManyInOne.self,
        .anything
      ) { _, folder in try joins(folder) },
      file(
        "to-many-with-inverse", "a to-many with an inverse has nothing in its owner's table",
        facts: ["store-format#to-many-with-inverse", "store-format#to-one"],
        of: Relations.Paired.self,
        .sees("ZNAME VARCHAR", "ZNAME VARCHAR", "ZOWNER INTEGER", "ZPET_ZOWNER_INDEX")
      ) { file, _ in
        try file.columns("ZOWNER") + file.columns("ZPET") + file.indexes("ZPET")
      },
      file(
        "to-many-without-inverse", "a to-many without an inverse is a column of the other table",
        facts: ["store-format#to-many-without-inverse"], of: Relations.NoInverse.self,
        .sees("ZNAME VARCHAR", "Z1PET INTEGER", "ZNAME VARCHAR", "1 index")
      ) { file, _ in
        try file.columns("ZOWNER") + file.columns("ZPET")
          + ["\(file.indexes("ZPET").count) index"]
      },
      Experiment(
        id: "schema-holds-what-is-reachable",
        claim: "a container for one class has a table for each class that it leads to",
        facts: ["identity#schema-holds-what-is-reachable"],
        steps: [
          step("open a container for one class", .sees("ZOWNER", "ZPET")) { folder in
            _ = try ModelContainer(
              for: Relations.Paired.Owner.self,
              configurations: ModelConfiguration(
                "experiment", url: folder.store, cloudKitDatabase: .none))
            return try StoreFile(folder.store).tables()
          }
        ]),
      file(
        "history-tables", "history has three tables of its own",
        facts: ["store-format#history-tables"], limits: [history], of: Plain.V1.self,
        .sees("ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING", "16001", "16002", "16003")
      ) { file, _ in
        try file.texts(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'A%' ORDER BY name")
          + file.values("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY 1")
      },
      Experiment(
        id: "history-is-rewritten", claim: "history follows when the numbers of entities move",
        partly: ["migration#history-is-rewritten"],
        steps: [
          writing(Relations.Many.self, Relations.Many.fill),
          step("read of which entities history tells", .sees("Owner, Pet")) { try told($0) },
          step("open with a model that moves them", .sees([])) { folder in
            _ = try folder.open(
              Relations.ManyAndEarlier.self,
              plan: Upgrade<Relations.Many, Relations.ManyAndEarlier>.self)
            return []
          },
          step("read it again", .sees("Owner, Pet")) { try told($0) },
        ], limits: [history]),
      file(
        "metadata", "the metadata has the names of hashes, versions and framework",
        facts: ["store-format#metadata"],
        limits: [.portable("the runtime writes part of it")], of: Plain.V1.self,
        .sees("all are there")
      ) { file, _ in
        let known = Set(try file.metadata().keys)
        let missing = [
          "NSStoreModelVersionHashes", "NSStoreModelVersionHashesDigest",
          "NSStoreModelVersionChecksumKey", "NSStoreModelVersionIdentifiers",
          "NSPersistenceFrameworkVersion", "NSStoreType",
        ].filter { !known.contains($0) }
        return missing.isEmpty ? ["all are there"] : missing
      },
      file(
        "model-cache", "a store has its model in it, compressed",
        facts: ["store-format#model-cache"], partly: ["store-format#model-cache-bits"],
        limits: [cache], of: Plain.V1.self, .sees("1 model")
      ) { file, _ in
        try file.values("SELECT COUNT(*) FROM Z_MODELCACHE WHERE LENGTH(Z_CONTENT) > 100").map {
          "\($0) model"
        }
      },
      Experiment(
        id: "store-without-model",
        claim: "134505 where a plan does not know the version and the file has no model",
        partly: ["migration#unknown-version-second-look"],
        steps: [
          writing(Steps.Edited.self, Steps.Edited.fill),
          step("take the model out of the file", .sees([])) { folder in
            _ = try StoreFile(folder.store).query("DELETE FROM Z_MODELCACHE")
            return []
          },
          step("open with a plan", .fails(code: 134505, decisive: true)) { folder in
            _ = try folder.open(Steps.V3.self, plan: Run<Steps.V1, Steps.V2, Steps.V3>.self)
            return ["it opened"]
          },
        ], limits: [cache]),
      Experiment(
        id: "newer-hash-version", claim: "134100 where the hashes are of a later kind",
        facts: ["migration#newer-hash-version"],
        steps: [
          writing(Plain.V1.self, Plain.fill),
          step("say so in the metadata", .sees([])) { folder in
            let file = try StoreFile(folder.store)
            var metadata = try file.metadata()
            metadata["NSStoreModelVersionHashesVersion"] = 99
            let list = try PropertyListSerialization.data(
              fromPropertyList: metadata, format: .binary, options: 0)
            _ = try file.query("UPDATE Z_METADATA SET Z_PLIST = x'\(StoreFile.Value.blob(list))'")
            return []
          },
          step("open it", .fails(code: 134100, decisive: true)) { folder in
            _ = try folder.open(Plain.V1.self)
            return ["it opened"]
          },
        ], limits: [.portable("the runtime knows no versions of hashes")]),
    ]
  }

  /// The names of entities that history has changes of.
  private static func told(_ folder: Folder) throws -> [String] {
    [
      try StoreFile(folder.store).texts(
        "SELECT DISTINCT Z_NAME FROM ACHANGE JOIN Z_PRIMARYKEY ON Z_PRIMARYKEY.Z_ENT = ZENTITY ORDER BY 1"
      ).joined(separator: ", ")
    ]
  }

  private static var columns: [Experiment] {
    func value(
      _ id: String, _ claim: String, _ fact: String, _ column: String, _ type: String,
      _ expected: String
    ) -> Experiment {
      file(
        "column-of-\(id)", claim, facts: ["store-format#\(fact)"], of: Layout.Everything.self,
        fill: one(Layout.Everything.Item()), .sees("\(column) \(type)", expected)
      ) { file, _ in
        try file.columns("ZITEM").filter { $0.hasPrefix(column + " ") }
          + file.values("SELECT \(column) FROM ZITEM")
      }
    }
    return [
      value("int", "Int is an integer", "column-integer", "ZWHOLE", "INTEGER", "5"),
      value("bool", "Bool is an integer", "column-integer", "ZFLAG", "INTEGER", "1"),
      value("double", "Double is a float", "column-double", "ZREAL", "FLOAT", "1.5"),
      value(
        "date", "a date is in seconds since 2001", "column-date", "ZDAY", "TIMESTAMP", "60.5"),
      value("string", "String is text", "column-string", "ZTEXT", "VARCHAR", "'x'"),
      value(
        "uuid", "a UUID is 16 bytes", "column-uuid", "ZMARK", "BLOB",
        "0102030405060708090a0b0c0d0e0f10"),
      value("data", "Data is its bytes", "column-data", "ZBYTES", "BLOB", "0102"),
      value("decimal", "Decimal is a number", "column-decimal", "ZPRICE", "DECIMAL", "7"),
      value("enum", "an enum is its raw value", "column-enum", "ZMOOD", "VARCHAR", "'sad'"),
      value(
        "struct-field", "a struct's field is a column by its own name", "column-struct", "ZLABEL",
        "VARCHAR", "'l'"),
      file(
        "column-of-url", "a URL is text", facts: ["store-format#column-url"], of: Layout.Link.self,
        fill: one(Layout.Link.Item(link: URL(string: "https://example.com/a"))),
        .sees("ZLINK VARCHAR", "'https://example.com/a'")
      ) { file, _ in
        try file.columns("ZITEM") + file.values("SELECT ZLINK FROM ZITEM")
      },
      file(
        "column-of-array", "an array of text is an archive", facts: ["store-format#array-archive"],
        of: Layout.Everything.self, fill: one(Layout.Everything.Item()),
        .sees("a property list")
      ) { file, _ in
        try file.query("SELECT ZTAGS FROM ZITEM").map { row in
          guard case .blob(let data) = row[0] else { return "\(row[0])" }
          return data.starts(with: Data("bplist".utf8)) ? "a property list" : "\(row[0])"
        }
      },
      file(
        "column-of-array-in-struct", "an array in a struct is JSON",
        facts: ["store-format#array-in-struct"], of: Layout.Everything.self,
        fill: one(Layout.Everything.Item()), .sees("[]")
      ) { file, _ in
        try file.query("SELECT ZPLACES FROM ZITEM").map { row in
          guard case .blob(let data) = row[0] else { return "\(row[0])" }
          return String(decoding: data, as: UTF8.self)
        }
      },
      file(
        "columns-collide",
        "of two equal columns the second gets a number, and properties are first",
        facts: ["store-format#columns"], partly: ["store-format#column-claims"],
        of: Layout.Colliding.self, .sees("ZID BLOB", "ZID1 VARCHAR")
      ) { file, _ in try file.columns("ZITEM") },
      file(
        "keys-of-struct", "columns of a struct are named after its properties, not after its keys",
        facts: ["identity#struct-leaves"],
        limits: [.portable("the runtime learns a struct's fields from its keys")],
        of: Layout.HasKeyed.self, .sees("ZINSIDE VARCHAR")
      ) { file, _ in try file.columns("ZITEM") },
      file(
        "payload-enum", "which columns an enum with payloads has",
        partly: ["identity#type-payload-enum"], of: Layout.Payloads.self, .anything
      ) { file, _ in try file.columns("ZITEM") },
      file(
        "dictionary", "which column a dictionary has", partly: ["identity#type-dictionary"],
        of: Layout.Dictionaries.self, .anything
      ) { file, _ in try file.columns("ZITEM") },
      file(
        "archive-of-uuids", "of which classes the archive of an array of UUIDs is",
        partly: ["store-format#archived-uuids"], of: Layout.Identified.self,
        fill: one(Layout.Identified.Item(marks: [UUID()])), .anything
      ) { file, _ in
        guard case .blob(let archive)? = try file.query("SELECT ZMARKS FROM ZITEM").first?[0],
          let list = try PropertyListSerialization.propertyList(from: archive, format: nil)
            as? [String: Any], let objects = list["$objects"] as? [Any]
        else { return ["no archive"] }
        return objects.compactMap { ($0 as? [String: Any])?["$classname"] as? String }
      },
      file(
        "cgfloat", "which type CGFloat is of", partly: ["identity#type-cgfloat"],
        of: Layout.Graphics.self, .anything, see: columnsAndHash),
      file(
        "non-ascii-names", "where names beyond ASCII stand among others",
        partly: ["identity#non-ascii-names"], of: Layout.Accented.self, .anything,
        see: columnsAndHash),
      file(
        "equal-leaf-names", "which of two equal leaves has the plain column",
        partly: ["identity#equal-leaf-names", "identity#struct-columns-may-swap"],
        of: Layout.Alike.self, .anything, see: columnsAndHash),
      upgrade(
        "column-added-stands-last", "a column that comes stands last",
        facts: ["migration#migrated-is-not-fresh"], partly: ["migration#alter-table"],
        limits: [.portable("the runtime makes the table anew")],
        from: Plain.V1.self, to: Layout.Earlier.self, fill: Plain.fill,
        .sees("ZNAME", "ZAARDVARK")
      ) { _, folder in
        try StoreFile(folder.store).texts("SELECT name FROM pragma_table_info('ZITEM')").filter {
          !$0.hasPrefix("Z_")
        }
      },
      Experiment(
        id: "keys-stay", claim: "a table that is copied keeps the keys and counts of its rows",
        partly: ["migration#table-copied"],
        steps: [
          writing(Plain.V1.self) { context in
            for name in ["a", "b", "c"] { context.insert(Plain.V1.Item(name: name)) }
          },
          step("delete one row, change another", .sees([])) { folder in
            let context = try folder.open(Plain.V1.self)
            for item in try context.all(Plain.V1.Item.self) {
              if item.name == "b" { context.delete(item) }
              if item.name == "c" { item.name = "d" }
            }
            try context.save()
            for row in try keys(folder) { try folder.note(row) }
            return []
          },
          step("open with a version that drops a column", .sees("the same")) { folder in
            _ = try folder.open(
              Attributes.Empty.self, plan: Upgrade<Plain.V1, Attributes.Empty>.self)
            let keys = try keys(folder)
            return [keys == folder.notes && keys.count == 2 ? "the same" : "\(keys)"]
          },
        ]),
      neutral(
        "declaration-order",
        "order, nesting, access and what a class is called outside are not seen",
        facts: ["identity#declaration-order-neutral", "identity#class-not-hashed"],
        from: Attributes.Counting.self, to: Layout.Reordered.self,
        fill: one(Attributes.Counting.Item(name: "a")), sees: ["a"]
      ) { context, _ in try context.rows(Layout.Reordered.Item.self) { $0.name } },
    ]
  }

  /// The columns of Item's table, and its hash where there is one.
  private static func columnsAndHash(_ file: StoreFile, _ folder: Folder) throws -> [String] {
    try file.columns("ZITEM") + ((try? file.hashes()["Item"]).map { [$0] } ?? [])
  }

  private static func keys(_ folder: Folder) throws -> [String] {
    try StoreFile(folder.store).query("SELECT Z_PK, Z_OPT FROM ZITEM ORDER BY 1").map {
      "\($0[0]) \($0[1])"
    }
  }

  private static var inverses: [Experiment] {
    func pair(
      _ id: String, _ claim: String, facts: [String], _ version: any VersionedSchema.Type,
      _ columns: String...
    ) -> Experiment {
      file(
        "inverse-\(id)", claim, facts: facts + ["identity#undeclared-inverse-examples"],
        partly: ["store-format#inferred-inverses"],
        of: version, .sees(columns)
      ) { file, _ in
        try file.tables().map { table in
          "\(table): " + (try file.columns(table).joined(separator: ", "))
        }
      }
    }
    return [
      pair(
        "of-optional", "a list and an optional pair without being told",
        facts: ["identity#undeclared-inverse-needs-an-optional-side"],
        Inverses.OptionalToOne.self, "ZA: ", "ZB: ZA INTEGER"),
      pair(
        "of-mandatory", "a list and a mandatory do not",
        facts: ["identity#undeclared-inverse-needs-an-optional-side"],
        Inverses.MandatoryToOne.self, "ZA: ", "ZB: Z1BS INTEGER, ZA INTEGER"),
      pair(
        "of-lists", "two lists do not",
        facts: ["identity#undeclared-inverse-needs-an-optional-side"],
        Inverses.Lists.self, "ZA: Z2OWNERS INTEGER", "ZB: Z1BS INTEGER"),
      pair(
        "of-optional-list", "an optional list and a list do",
        facts: ["identity#undeclared-inverse-needs-an-optional-side"],
        Inverses.OptionalList.self, "ZA: ", "ZB: ", "Z_1BS: Z_1OWNERS INTEGER, Z_2BS INTEGER"),
      pair(
        "of-tree", "two relationships of one class to itself do not",
        facts: ["identity#undeclared-inverse-candidates"], Inverses.Tree.self,
        "ZNODE: Z1CHILDREN INTEGER, ZPARENT INTEGER"),
      pair(
        "of-two-ways", "two relationships to one class do not",
        facts: ["identity#undeclared-inverse-candidates"], Inverses.TwoWays.self,
        "ZA: Z2OWNERS INTEGER, ZFIRST INTEGER, ZSECOND INTEGER", "ZB: "),
      pair(
        "beside-declared", "a class that declares one inverse infers no other",
        facts: ["identity#declared-inverse-ends-inference"], Inverses.OneDeclared.self,
        "ZA: Z3OWNERS INTEGER", "ZB: ZA INTEGER", "ZC: Z1CS INTEGER"),
      Experiment(
        id: "inverse-of-itself",
        claim: "the only relationship of a class to itself is its own inverse",
        facts: ["identity#undeclared-inverse-examples"],
        steps: [
          writing(Inverses.Partner.self, Inverses.Partner.fill),
          step("read the other side", .sees("one other", "other one")) { folder in
            try folder.open(Inverses.Partner.self).rows(Inverses.Partner.Person.self) {
              "\($0.name) \(text($0.partner?.name))"
            }
          },
        ], limits: [.portable("the runtime does not pair a relationship with itself")]),
    ]
  }
}
