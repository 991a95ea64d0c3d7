import Foundation
import SwiftData

/// Fields of structs that come, go and change. `Spot` is stored by a required property, `Perhaps` by an optional one.
enum Fields {
  enum Given: First {
    struct Spot: Codable {
      var street: String
      var number: Int
      var hint: String?
    }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var spot: Spot
      init(spot: Spot) { self.spot = spot }
    }

    static func fill(_ context: ModelContext) throws {
      context.insert(Item(spot: Spot(street: "Main", number: 7, hint: nil)))
    }
  }

  enum Perhaps: First {
    struct Spot: Codable {
      var street: String
    }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var spot: Spot?
      init(spot: Spot?) { self.spot = spot }
    }

    static func fill(_ context: ModelContext) throws {
      context.insert(Item(spot: Spot(street: "Main")))
    }
  }

  /// The struct is optional, and nothing else.
  enum Loose: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var spot: Given.Spot?
      init() {}
    }
  }

  enum OptionalAdded: Second {
    struct Spot: Codable {
      var street: String
      var number: Int
      var hint: String?
      var floor: Int?
    }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var spot: Spot
      init(spot: Spot) { self.spot = spot }
    }
  }

  enum RequiredAdded: Second {
    struct Spot: Codable {
      var street: String
      var number: Int
      var hint: String?
      var floor: Int
    }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var spot: Spot
      init(spot: Spot) { self.spot = spot }
    }
  }

  enum RequiredAddedToPerhaps: Second {
    struct Spot: Codable {
      var street: String
      var floor: Int
    }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var spot: Spot?
      init(spot: Spot?) { self.spot = spot }
    }
  }

  enum Removed: Second {
    struct Spot: Codable {
      var street: String
    }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var spot: Spot
      init(spot: Spot) { self.spot = spot }
    }
  }

  /// `number` is text.
  enum Retyped: Second {
    struct Spot: Codable {
      var street: String
      var number: String
      var hint: String?
    }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var spot: Spot
      init(spot: Spot) { self.spot = spot }
    }
  }

  /// `number` is another number.
  enum Renumbered: Second {
    struct Spot: Codable {
      var street: String
      var number: Double
      var hint: String?
    }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var spot: Spot
      init(spot: Spot) { self.spot = spot }
    }
  }

  /// `number` is optional.
  enum Loosened: Second {
    struct Spot: Codable {
      var street: String
      var number: Int?
      var hint: String?
    }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var spot: Spot
      init(spot: Spot) { self.spot = spot }
    }
  }

  /// `hint` is required.
  enum Tightened: Second {
    struct Spot: Codable {
      var street: String
      var number: Int
      var hint: String
    }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var spot: Spot
      init(spot: Spot) { self.spot = spot }
    }
  }

  /// A hint that may be nil, in a struct that may be.
  enum PerhapsHinted: First {
    struct Spot: Codable {
      var street: String
      var hint: String?
    }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var spot: Spot?
      init(spot: Spot?) { self.spot = spot }
    }

    static func fill(_ context: ModelContext) throws {
      context.insert(Item(spot: Spot(street: "Main", hint: nil)))
    }
  }

  /// The hint is required, and something makes a migration run.
  enum PerhapsTightened: Second {
    struct Spot: Codable {
      var street: String
      var hint: String
    }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var more: Int?
      var spot: Spot?
      init() {}
    }
  }

  /// `number` has a default.
  enum Defaulted: Second {
    struct Spot: Codable {
      var street: String
      var number: Int = 3
      var hint: String? = "none"
    }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var spot: Spot
      init(spot: Spot) { self.spot = spot }
    }
  }

  /// The struct is an enum now.
  enum Cases: Second {
    enum Spot: String, Codable { case here }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var spot: Spot?
      init() {}
    }
  }
}

extension Experiment {
  static var fields: [Experiment] {
    [
      upgrade(
        "struct-field-added-optional", "an optional field that comes is nil in old rows",
        rows: ["struct-field-added-optional"],
        facts: ["migration#add-optional-field", "migration#element-matching"],
        from: Fields.Given.self, to: Fields.OptionalAdded.self, fill: Fields.Given.fill,
        .sees("Main 7 nil nil")
      ) { context, _ in
        try context.rows(Fields.OptionalAdded.Item.self) {
          "\($0.spot.street) \($0.spot.number) \(text($0.spot.hint)) \(text($0.spot.floor))"
        }
      },
      failure(
        "struct-field-added",
        "a required field that comes makes the migration fail where the struct is required",
        rows: ["struct-field-added"], facts: ["migration#add-required-field"],
        from: Fields.Given.self, to: Fields.RequiredAdded.self, fill: Fields.Given.fill,
        code: 134110),
      upgrade(
        "struct-field-null-trap",
        "a required field that comes is NULL where the struct is optional, and cannot be read",
        rows: ["struct-field-null-trap"],
        facts: ["migration#add-required-field-in-optional", "identity#leaf-optionality"],
        from: Fields.Perhaps.self, to: Fields.RequiredAddedToPerhaps.self,
        fill: Fields.Perhaps.fill, .sees("NULL")
      ) { _, folder in try StoreFile(folder.store).values("SELECT ZFLOOR FROM ZITEM") }
      .trapping("read it") { folder in
        try folder.open(Fields.RequiredAddedToPerhaps.self)
          .rows(Fields.RequiredAddedToPerhaps.Item.self) { text($0.spot) }
      },
      distinct(
        "struct-made-optional", "a struct that becomes optional makes all its leaves optional",
        facts: ["identity#leaf-optionality"],
        from: Fields.Given.self, to: Fields.Loose.self, fill: Fields.Given.fill,
        sees: ["Main 7 nil"]
      ) { context, _ in
        try context.rows(Fields.Loose.Item.self) {
          "\(text($0.spot?.street)) \(text($0.spot?.number)) \(text($0.spot?.hint))"
        }
      },
      upgrade(
        "struct-field-removed", "a field that goes is dropped with its column",
        rows: ["struct-field-removed"],
        facts: ["migration#remove-field", "migration#element-matching"],
        from: Fields.Given.self, to: Fields.Removed.self, fill: Fields.Given.fill,
        .sees("Main", "ZSTREET VARCHAR")
      ) { context, folder in
        try context.rows(Fields.Removed.Item.self) { $0.spot.street }
          + StoreFile(folder.store).columns("ZITEM")
      },
      failure(
        "struct-field-changed", "another type of a field cannot be inferred",
        rows: ["struct-field-changed"], facts: ["migration#change-field-type"],
        from: Fields.Given.self, to: Fields.Retyped.self, fill: Fields.Given.fill, code: 134140),
      upgrade(
        "struct-field-number-changed", "a field's number becomes another kind of number",
        rows: ["struct-field-number-changed"], facts: ["migration#change-field-type"],
        from: Fields.Given.self, to: Fields.Renumbered.self, fill: Fields.Given.fill,
        .sees("Main 7.0")
      ) { context, _ in
        try context.rows(Fields.Renumbered.Item.self) { "\($0.spot.street) \($0.spot.number)" }
      },
      upgrade(
        "struct-field-made-optional", "a field that becomes optional keeps its values",
        rows: ["struct-field-made-optional"], facts: ["migration#element-matching"],
        from: Fields.Given.self, to: Fields.Loosened.self, fill: Fields.Given.fill,
        .sees("Main 7")
      ) { context, _ in
        try context.rows(Fields.Loosened.Item.self) { "\($0.spot.street) \(text($0.spot.number))" }
      },
      failure(
        "struct-field-made-required", "a field that becomes required fails where a row holds nil",
        rows: ["struct-field-made-required"], facts: ["migration#field-to-required"],
        from: Fields.Given.self, to: Fields.Tightened.self, fill: Fields.Given.fill, code: 134110),
      upgrade(
        "struct-field-made-required-in-optional",
        "nothing is checked where the struct is optional, and a nil that stays cannot be read",
        rows: ["struct-field-made-required"], facts: ["migration#field-to-required"],
        from: Fields.PerhapsHinted.self, to: Fields.PerhapsTightened.self,
        fill: Fields.PerhapsHinted.fill, .sees("'Main'", "NULL")
      ) { _, folder in
        let file = try StoreFile(folder.store)
        return try file.values("SELECT ZSTREET FROM ZITEM")
          + file.values("SELECT ZHINT FROM ZITEM")
      }.trapping("read it") { folder in
        try folder.open(Fields.PerhapsTightened.self).rows(Fields.PerhapsTightened.Item.self) {
          text($0.spot)
        }
      },
      neutral(
        "struct-field-default-changed", "a field's default is not seen, and reaches no old row",
        rows: ["struct-field-default-changed"], facts: ["migration#field-default"],
        from: Fields.Given.self, to: Fields.Defaulted.self, fill: Fields.Given.fill,
        sees: ["Main 7 nil"]
      ) { context, _ in
        try context.rows(Fields.Defaulted.Item.self) {
          "\($0.spot.street) \($0.spot.number) \(text($0.spot.hint))"
        }
      },
      upgrade(
        "value-type-changed", "a struct that becomes an enum is dropped",
        rows: ["value-type-changed"], facts: ["migration#change-value-type-kind"],
        from: Fields.Given.self, to: Fields.Cases.self, fill: Fields.Given.fill,
        .sees("nil", "ZSPOT VARCHAR")
      ) { context, folder in
        try context.rows(Fields.Cases.Item.self) { text($0.spot) }
          + StoreFile(folder.store).columns("ZITEM")
      },
    ]
  }
}
