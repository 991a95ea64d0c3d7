import Foundation
import SwiftData

/// Enums, structs and arrays as attributes.
enum Values {
  enum Mood: String, Codable { case glad, sad }
  /// `sad` is gone, `calm` is new.
  enum OtherMood: String, Codable { case glad, calm }
  /// Another raw value for `glad`.
  enum RenamedMood: String, Codable {
    case glad = "happy"
    case sad
  }
  enum MoreMood: String, Codable { case glad, sad, calm }
  /// Raw values of another type.
  enum NumberedMood: Int, Codable { case glad, sad }

  /// Enums without raw values.
  enum Two: Codable, CaseIterable { case round, square }
  enum Three: Codable, CaseIterable { case round, square, flat }
  enum One: Codable, CaseIterable { case round }

  enum Moody: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var mood: Mood = Mood.glad
      init(name: String, mood: Mood) {
        self.name = name
        self.mood = mood
      }
    }

    static func fill(_ context: ModelContext) throws {
      context.insert(Item(name: "a", mood: .glad))
      context.insert(Item(name: "b", mood: .sad))
    }

    static func words(_ item: Item) -> String { "\(item.name) \(item.mood)" }
  }

  enum PerhapsMoody: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var mood: Mood?
      init(name: String, mood: Mood?) {
        self.name = name
        self.mood = mood
      }
    }

    static func fill(_ context: ModelContext) throws {
      context.insert(Item(name: "a", mood: .sad))
      context.insert(Item(name: "b", mood: nil))
    }

    static func words(_ item: Item) -> String { "\(item.name) \(text(item.mood))" }
  }

  enum MoreMoody: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var mood: MoreMood = MoreMood.calm
      init(name: String) { self.name = name }
    }
  }

  enum OtherMoody: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var mood: OtherMood = OtherMood.calm
      init(name: String) { self.name = name }
    }
  }

  enum RenamedMoody: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var mood: RenamedMood = RenamedMood.sad
      init(name: String) { self.name = name }
    }
  }

  enum NumberMoody: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var mood: NumberedMood?
      init(name: String) { self.name = name }
    }
  }

  /// The mood in plain words.
  enum Worded: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var mood: String?
      init(name: String, mood: String?) {
        self.name = name
        self.mood = mood
      }
    }

    static func fill(_ context: ModelContext) throws {
      context.insert(Item(name: "a", mood: "glad"))
    }
  }

  /// As `Worded`, and later.
  enum WordedLater: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var mood: String?
      init(name: String) { self.name = name }
    }
  }

  /// As `PerhapsMoody`, and later.
  enum MoodyLater: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var mood: Mood?
      init(name: String) { self.name = name }
    }
  }

  /// `mood` by another name, and something that makes a migration run.
  enum RenamedProperty: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var more: Int?
      @Attribute(originalName: "mood") var temper: Mood?
      init(name: String) { self.name = name }
    }
  }

  // MARK: Enums without raw values

  enum Shaped: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var shape: Two?
      init(name: String, shape: Two?) {
        self.name = name
        self.shape = shape
      }
    }

    static func fill(_ context: ModelContext) throws {
      context.insert(Item(name: "a", shape: .round))
      context.insert(Item(name: "b", shape: .square))
    }
  }

  enum MoreShaped: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var shape: Three?
      init(name: String) { self.name = name }
    }
  }

  enum LessShaped: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var shape: One?
      init(name: String) { self.name = name }
    }
  }

  // MARK: Structs

  struct Place: Codable, Equatable {
    var street: String
    var number: Int?
  }

  /// All fields optional.
  struct Hint: Codable, Equatable {
    var colour: String?
    var size: Int?
  }

  /// Another name, and the same fields.
  struct Clue: Codable, Equatable {
    var colour: String?
    var size: Int?
  }

  enum Placed: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var place: Place = Place(street: "Main", number: nil)
      init(name: String) { self.name = name }
    }
  }

  enum Hinted: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var hint: Hint = Hint(colour: "red", size: 1)
      init(name: String) { self.name = name }
    }

    static func fill(_ context: ModelContext) throws { context.insert(Item(name: "a")) }
  }

  enum PerhapsHinted: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var hint: Hint?
      init(name: String) { self.name = name }
    }
  }

  /// The same fields in a struct of another name.
  enum Clued: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var hint: Clue = Clue(colour: "green", size: nil)
      init(name: String) { self.name = name }
    }
  }

  // MARK: Arrays

  enum Texts: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var tags: [String]
      init(name: String, tags: [String]) {
        self.name = name
        self.tags = tags
      }
    }

    static func fill(_ context: ModelContext) throws {
      context.insert(Item(name: "a", tags: ["x", "y"]))
    }
  }

  enum Numbers: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var tags: [Int]
      init(name: String) {
        self.name = name
        tags = []
      }
    }
  }

  enum Places: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var list: [Place]
      init(name: String, list: [Place]) {
        self.name = name
        self.list = list
      }
    }

    static func fill(_ context: ModelContext) throws {
      context.insert(Item(name: "a", list: [Place(street: "Main", number: 1)]))
    }
  }

  enum Bytes: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var list: Data
      init(name: String) {
        self.name = name
        list = Data()
      }
    }
  }
}

extension Experiment {
  static var values: [Experiment] {
    enums + plainEnums + structs + arrays
  }

  private static var enums: [Experiment] {
    [
      upgrade(
        "null-trap", "a required enum that comes is NULL in old rows, whatever its default",
        rows: ["null-trap"],
        facts: ["migration#add-required-enum", "identity#enum-leaf-is-optional"],
        from: Plain.V1.self, to: Values.Moody.self, fill: Plain.fill, .sees("NULL", "NULL")
      ) { _, folder in try StoreFile(folder.store).values("SELECT ZMOOD FROM ZITEM") }
      .trapping("read one") { folder in
        try folder.open(Values.Moody.self).rows(Values.Moody.Item.self, Values.Moody.words)
      },
      neutral(
        "enum-made-required", "that an enum becomes required is not seen; nils stay",
        rows: ["enum-made-required"],
        facts: ["migration#enum-to-required", "identity#enum-optionality-neutral"],
        partly: ["migration#contract-step-needs-a-checksum"],
        from: Values.PerhapsMoody.self, to: Values.Moody.self, fill: Values.PerhapsMoody.fill,
        sees: ["rows: 2"], see: count(Values.Moody.Item.self)
      ).trapping("read a nil") { folder in
        try folder.open(Values.Moody.self).rows(Values.Moody.Item.self, Values.Moody.words)
      },
      neutral(
        "enum-made-optional", "that an enum becomes optional is not seen",
        rows: ["value-type-optionality"],
        facts: ["identity#enum-optionality-neutral", "identity#composite-by-leaves"],
        from: Values.Moody.self, to: Values.MoodyLater.self, fill: Values.Moody.fill,
        sees: ["a glad", "b sad"]
      ) { context, _ in
        try context.rows(Values.MoodyLater.Item.self) { "\($0.name) \(text($0.mood))" }
      },
      neutral(
        "enum-case-added", "a case that comes to an enum with raw values is not seen",
        rows: ["enum-case-added"], facts: ["identity#enum-cases-neutral"],
        from: Values.Moody.self, to: Values.MoreMoody.self, fill: Values.Moody.fill,
        sees: ["a glad", "b sad"]
      ) { context, _ in
        try context.rows(Values.MoreMoody.Item.self) { "\($0.name) \($0.mood)" }
      },
      neutral(
        "enum-case-removed",
        "a case that goes from an enum with raw values is not seen, and a row that holds it cannot be read",
        rows: ["enum-case-removed"],
        facts: ["identity#enum-cases-neutral", "migration#raw-value-change"],
        from: Values.Moody.self, to: Values.OtherMoody.self, fill: Values.Moody.fill,
        sees: ["rows: 2"], see: count(Values.OtherMoody.Item.self)
      ).trapping("read the case that is gone") { folder in
        try folder.open(Values.OtherMoody.self).rows(Values.OtherMoody.Item.self) { "\($0.mood)" }
      },
      neutral(
        "raw-value-changed", "another raw value is not seen, and old rows cannot be read",
        rows: ["raw-value-changed"],
        facts: ["identity#enum-cases-neutral", "migration#raw-value-change"],
        from: Values.Moody.self, to: Values.RenamedMoody.self, fill: Values.Moody.fill,
        sees: ["rows: 2"], see: count(Values.RenamedMoody.Item.self)
      ).trapping("read the old raw value") { folder in
        try folder.open(Values.RenamedMoody.self).rows(Values.RenamedMoody.Item.self) {
          "\($0.mood)"
        }
      },
      failure(
        "raw-type-changed", "raw values of another type cannot be inferred",
        facts: ["migration#raw-type-change"],
        from: Values.Moody.self, to: Values.NumberMoody.self, fill: Values.Moody.fill,
        code: 134140),
      upgrade(
        "text-became-enum", "text that becomes an enum is dropped, though its column stays",
        rows: ["attribute-became-value-type"],
        facts: ["migration#plain-to-composite", "identity#not-neutral"],
        from: Values.Worded.self, to: Values.MoodyLater.self, fill: Values.Worded.fill,
        .sees("a nil", "ZMOOD VARCHAR", "ZNAME VARCHAR")
      ) { context, folder in
        try context.rows(Values.MoodyLater.Item.self) { "\($0.name) \(text($0.mood))" }
          + StoreFile(folder.store).columns("ZITEM")
      },
      upgrade(
        "enum-became-text", "an enum that becomes text is dropped, though its column stays",
        rows: ["attribute-became-value-type"],
        facts: ["migration#plain-to-composite", "identity#not-neutral"],
        from: Values.PerhapsMoody.self, to: Values.WordedLater.self,
        fill: Values.PerhapsMoody.fill, .sees("a nil", "b nil")
      ) { context, _ in
        try context.rows(Values.WordedLater.Item.self) { "\($0.name) \(text($0.mood))" }
      },
      upgrade(
        "enum-renamed", "an enum by another name keeps its values, from macOS 26",
        rows: ["codable-attribute-renamed"],
        facts: ["migration#rename-composite", "identity#original-name-of-enum-leaf"],
        limits: [.before(26, "it is lost before macOS 26, which 'enum-renamed-before-26' tries")],
        from: Values.PerhapsMoody.self, to: Values.RenamedProperty.self,
        fill: Values.PerhapsMoody.fill, .sees("a sad", "b nil")
      ) { context, _ in
        try context.rows(Values.RenamedProperty.Item.self) { "\($0.name) \(text($0.temper))" }
      },
      upgrade(
        "enum-renamed-before-26", "an enum by another name loses its values before macOS 26",
        rows: ["codable-attribute-renamed"], facts: ["migration#rename-composite"],
        limits: [
          .from(26, "it is kept from macOS 26, which 'enum-renamed' tries"),
          .portable("the runtime does as macOS 26 does"),
        ],
        from: Values.PerhapsMoody.self, to: Values.RenamedProperty.self,
        fill: Values.PerhapsMoody.fill, .sees("a nil", "b nil")
      ) { context, _ in
        try context.rows(Values.RenamedProperty.Item.self) { "\($0.name) \(text($0.temper))" }
      },
    ]
  }

  private static var plainEnums: [Experiment] {
    [
      distinct(
        "plain-enum-case-added",
        "a case that comes to an enum without raw values is a column that comes",
        rows: ["plain-enum-case-added"],
        facts: [
          "migration#plain-enum-cases", "identity#type-plain-enum",
          "store-format#column-plain-enum",
        ], partly: ["identity#not-neutral"],
        from: Values.Shaped.self, to: Values.MoreShaped.self, fill: Values.Shaped.fill,
        sees: [
          "a round", "b square", "ZFLAT VARCHAR", "ZNAME VARCHAR", "ZROUND VARCHAR",
          "ZSQUARE VARCHAR",
        ]
      ) { context, folder in
        try context.rows(Values.MoreShaped.Item.self) { "\($0.name) \(text($0.shape))" }
          + StoreFile(folder.store).columns("ZITEM")
      },
      distinct(
        "plain-enum-case-removed",
        "a case that goes from an enum without raw values is a column that goes with its values",
        rows: ["plain-enum-case-removed"], facts: ["migration#plain-enum-cases"],
        from: Values.Shaped.self, to: Values.LessShaped.self, fill: Values.Shaped.fill,
        sees: ["a round", "b nil", "ZNAME VARCHAR", "ZROUND VARCHAR"]
      ) { context, folder in
        try context.rows(Values.LessShaped.Item.self) { "\($0.name) \(text($0.shape))" }
          + StoreFile(folder.store).columns("ZITEM")
      },
    ]
  }

  private static var structs: [Experiment] {
    [
      failure(
        "required-struct-added",
        "a required struct with a required field makes the migration fail, whatever its default",
        rows: ["required-struct-added"],
        facts: ["migration#add-required-struct", "identity#leaves-have-no-default"],
        from: Plain.V1.self, to: Values.Placed.self, fill: Plain.fill, code: 134110),
      upgrade(
        "required-struct-added-without-rows", "it can come where there is no row",
        rows: ["required-struct-added"], facts: ["migration#add-required-struct"],
        from: Plain.V1.self, to: Values.Placed.self, fill: Plain.nothing, .sees("rows: 0")
      ) { context, _ in ["rows: \(try context.all(Values.Placed.Item.self).count)"] },
      upgrade(
        "struct-of-optionals-added",
        "a required struct whose fields are all optional is NULL in old rows, whatever its default",
        rows: ["struct-of-optionals-added"],
        facts: ["migration#add-required-struct-of-optionals"],
        partly: ["identity#leaves-have-no-default"],
        from: Plain.V1.self, to: Values.Hinted.self, fill: Plain.fill, .sees("2 of NULL, NULL")
      ) { _, folder in
        try StoreFile(folder.store).query(
          "SELECT COUNT(*) FROM ZITEM WHERE ZCOLOUR IS NULL AND ZSIZE IS NULL"
        ).map { "\($0[0]) of NULL, NULL" }
      },
      neutral(
        "struct-of-optionals-made-optional",
        "that a struct of optional fields becomes optional is not seen",
        rows: ["value-type-optionality"],
        facts: ["identity#struct-optionality-neutral", "identity#composite-by-leaves"],
        from: Values.Hinted.self, to: Values.PerhapsHinted.self, fill: Values.Hinted.fill,
        sees: ["red 1"]
      ) { context, _ in
        try context.rows(Values.PerhapsHinted.Item.self) {
          "\(text($0.hint?.colour)) \(text($0.hint?.size))"
        }
      },
      neutral(
        "struct-renamed", "the name of a struct is not seen, nor the default of what holds it",
        facts: ["identity#struct-name-neutral"], partly: ["identity#composite-default"],
        from: Values.Hinted.self, to: Values.Clued.self, fill: Values.Hinted.fill, sees: ["red 1"]
      ) { context, _ in
        try context.rows(Values.Clued.Item.self) {
          "\(text($0.hint.colour)) \(text($0.hint.size))"
        }
      },
    ]
  }

  private static var arrays: [Experiment] {
    [
      neutral(
        "array-element-changed", "another plain type of an array's elements is not seen",
        rows: ["array-element-changed"],
        facts: ["identity#array-element-neutral"], partly: ["identity#neutral-and-dangerous"],
        from: Values.Texts.self, to: Values.Numbers.self, fill: Values.Texts.fill,
        sees: ["rows: 1"],
        see: count(Values.Numbers.Item.self)
      ).then("read an old array", .anything) { folder in
        try folder.open(Values.Numbers.self).rows(Values.Numbers.Item.self) { "\($0.tags)" }
      },
      neutral(
        "array-of-structs-became-data", "an array of structs and Data are alike",
        facts: ["identity#json-array-neutral"], partly: ["identity#type-codable-array"],
        from: Values.Places.self, to: Values.Bytes.self, fill: Values.Places.fill,
        sees: ["rows: 1"],
        see: count(Values.Bytes.Item.self)),
    ]
  }
}
