import Foundation
import SwiftData

/// Models that come, go, split and inherit.
enum Models {
  enum More: Second {
    static var models: [any PersistentModel.Type] { [Item.self, Other.self] }
    @Model final class Item: Named {
      var name: String
      init(name: String) { self.name = name }
    }
    @Model final class Other: Named {
      var name: String
      init(name: String) { self.name = name }
    }

    static func fill(_ context: ModelContext) throws {
      for name in ["a", "b"] { context.insert(Item(name: name)) }
      context.insert(Other(name: "x"))
    }
  }

  enum Fewer: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      init(name: String) { self.name = name }
    }
  }

  /// `Item` by another name, which nothing can say.
  enum Renamed: Second {
    static var models: [any PersistentModel.Type] { [Thing.self] }
    @Model final class Thing: Named {
      var name: String
      init(name: String) { self.name = name }
    }
  }

  enum Carrying: Second {
    static var models: [any PersistentModel.Type] { [Item.self, Thing.self] }
    @Model final class Item {
      var name: String
      init(name: String) { self.name = name }
    }
    @Model final class Thing {
      var name: String
      init(name: String) { self.name = name }
    }
  }

  /// `Item` by another name, its rows carried over.
  enum Carried: Third, Bridged {
    typealias Old = Plain.V1
    typealias Bridge = Carrying
    static var models: [any PersistentModel.Type] { [Thing.self] }
    @Model final class Thing: Named {
      var name: String
      init(name: String) { self.name = name }
    }

    static func work(_ context: ModelContext) throws {
      for item in try context.all(Carrying.Item.self) {
        context.insert(Carrying.Thing(name: item.name))
        context.delete(item)
      }
    }
  }

  enum Splitting: Second {
    static var models: [any PersistentModel.Type] { [Item.self, Low.self, High.self] }
    @Model final class Item {
      var name: String
      init(name: String) { self.name = name }
    }
    @Model final class Low {
      var name: String
      init(name: String) { self.name = name }
    }
    @Model final class High {
      var name: String
      init(name: String) { self.name = name }
    }
  }

  /// Two models made of one.
  enum Split: Third, Bridged {
    typealias Old = Plain.V1
    typealias Bridge = Splitting
    static var models: [any PersistentModel.Type] { [Low.self, High.self] }
    @Model final class Low: Named {
      var name: String
      init(name: String) { self.name = name }
    }
    @Model final class High: Named {
      var name: String
      init(name: String) { self.name = name }
    }

    static func work(_ context: ModelContext) throws {
      for item in try context.all(Splitting.Item.self) {
        if item.name == "a" {
          context.insert(Splitting.Low(name: item.name))
        } else {
          context.insert(Splitting.High(name: item.name))
        }
      }
    }
  }
}

#if INHERITANCE
  /// Models that inherit, which needs macOS 26. Each says so itself: what `@Model` adds to one looks no further.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  enum Inheritance {
    enum Parents: First {
      static var models: [any PersistentModel.Type] { [Item.self] }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model class Item {
        var name: String
        init(name: String) { self.name = name }
      }
    }

    enum Children: Second {
      static var models: [any PersistentModel.Type] { [Item.self, Special.self] }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model class Item {
        var name: String
        init(name: String) { self.name = name }
      }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model final class Special: Item {
        var extra: String = "none"
        init(name: String, extra: String) {
          self.extra = extra
          super.init(name: name)
        }
      }

      static func fill(_ context: ModelContext) throws {
        context.insert(Item(name: "a"))
        context.insert(Special(name: "b", extra: "x"))
      }
    }

    /// The parent has another hash.
    enum ChangedParent: Third {
      static var models: [any PersistentModel.Type] { [Item.self, Special.self] }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model class Item {
        var name: String
        var more: Int?
        init(name: String) { self.name = name }
      }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model final class Special: Item {
        var extra: String = "none"
        init(name: String, extra: String) {
          self.extra = extra
          super.init(name: name)
        }
      }
    }

    enum Apart: First {
      static var models: [any PersistentModel.Type] { [Left.self, Right.self] }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model final class Left {
        var name: String
        init(name: String) { self.name = name }
      }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model final class Right {
        var name: String
        init(name: String) { self.name = name }
      }

      static func fill(_ context: ModelContext) throws {
        context.insert(Left(name: "l"))
        context.insert(Right(name: "r"))
      }
    }

    /// Both under one parent, which takes their property.
    enum Together: Second {
      static var models: [any PersistentModel.Type] { [Base.self, Left.self, Right.self] }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model class Base {
        var name: String
        init(name: String) { self.name = name }
      }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model final class Left: Base {
        var one: Int?
        init(one: Int?) {
          self.one = one
          super.init(name: "l")
        }
      }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model final class Right: Base {
        var two: Int?
        init(two: Int?) {
          self.two = two
          super.init(name: "r")
        }
      }
    }

    enum Lone: First {
      static var models: [any PersistentModel.Type] { [Left.self] }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model final class Left {
        var name: String
        var own: Int
        init(name: String, own: Int) {
          self.name = name
          self.own = own
        }
      }

      static func fill(_ context: ModelContext) throws { context.insert(Left(name: "l", own: 1)) }
    }

    /// A parent above, which takes one property.
    enum Raised: Second {
      static var models: [any PersistentModel.Type] { [Base.self, Left.self] }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model class Base {
        var name: String
        init(name: String) { self.name = name }
      }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model final class Left: Base {
        var own: Int
        init(own: Int) {
          self.own = own
          super.init(name: "l")
        }
      }
    }

    /// The parent's property is the child's.
    enum Lowered: Second {
      static var models: [any PersistentModel.Type] { [Item.self, Special.self] }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model class Item {
        var other: Int?
        init() {}
      }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model final class Special: Item {
        var name: String?
        init(name: String?) {
          self.name = name
          super.init()
        }
      }
    }

    enum High: First {
      static var models: [any PersistentModel.Type] { [Item.self, Special.self] }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model class Item {
        var name: String?
        var other: Int?
        init(name: String?) { self.name = name }
      }
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      @Model final class Special: Item {
        var extra: Int?
        init(extra: Int?, name: String?) {
          self.extra = extra
          super.init(name: name)
        }
      }

      static func fill(_ context: ModelContext) throws {
        context.insert(Special(extra: 1, name: "s"))
      }
    }
  }
#endif

extension Experiment {
  static var models: [Experiment] {
    [
      upgrade(
        "model-added", "a model that comes has no rows, and the others keep theirs",
        rows: ["model-added"], facts: ["migration#add-model"],
        from: Plain.V1.self, to: Models.More.self, fill: Plain.fill,
        .sees("a", "b", "others: 0", "ZITEM", "ZOTHER")
      ) { context, folder in
        try context.rows(Models.More.Item.self) { $0.name }
          + ["others: \(try context.all(Models.More.Other.self).count)"]
          + StoreFile(folder.store).tables()
      },
      upgrade(
        "model-removed", "a model that goes is dropped with its table", rows: ["model-removed"],
        facts: ["migration#remove-model"],
        from: Models.More.self, to: Models.Fewer.self, fill: Models.More.fill,
        .sees("a", "b", "ZITEM")
      ) { context, folder in
        try context.rows(Models.Fewer.Item.self) { $0.name } + StoreFile(folder.store).tables()
      },
      Experiment(
        id: "model-removed-history",
        claim: "history up to the latest entry of a model that goes is deleted",
        rows: ["model-removed"], facts: ["migration#removed-model-cuts-history"],
        steps: [
          writing(Models.More.self) { $0.insert(Models.More.Item(name: "first")) },
          writing(Models.More.self) { $0.insert(Models.More.Other(name: "second")) },
          writing(Models.More.self) { $0.insert(Models.More.Item(name: "third")) },
          step("count transactions", .sees("3 or more")) { folder in
            let keys = try transactions(folder)
            for key in keys { try folder.note("\(key)") }
            return [keys.count >= 3 ? "3 or more" : "\(keys.count)"]
          },
          step("open without the model", .sees([])) { folder in
            _ = try folder.open(
              Models.Fewer.self, plan: Upgrade<Models.More, Models.Fewer>.self)
            return []
          },
          step("count them again", .sees("the first two are gone", "the third is there")) {
            folder in
            let before = folder.notes.compactMap { Int64($0) }
            let after = Set(try transactions(folder))
            let third = before.indices.contains(2) && after.contains(before[2])
            return [
              after.isDisjoint(with: before.prefix(2))
                ? "the first two are gone" : "one of the first two is there",
              third ? "the third is there" : "the third is gone",
            ]
          },
        ]),
      upgrade(
        "model-renamed", "a model by another name is another model: its rows are lost",
        rows: ["model-renamed"], facts: ["migration#rename-model"],
        from: Plain.V1.self, to: Models.Renamed.self, fill: Plain.fill,
        .sees("rows: 0", "ZTHING")
      ) { context, folder in
        ["rows: \(try context.all(Models.Renamed.Thing.self).count)"]
          + (try StoreFile(folder.store).tables())
      },
      bridging(
        "model-carried", "a bridge carries the rows of a model over to one of another name",
        rows: ["model-renamed"], facts: ["migration#bridge-copies-on-disk"],
        to: Models.Carried.self, fill: Plain.fill, sees: ["a", "b"],
        see: names(Models.Carried.Thing.self)),
      bridging(
        "model-derived", "a bridge makes rows of two models from those of one",
        rows: ["model-derived"], facts: ["migration#bridge-copies-on-disk"],
        to: Models.Split.self, fill: Plain.fill, sees: ["low a", "high b"]
      ) { context, _ in
        try context.rows(Models.Split.Low.self) { "low \($0.name)" }
          + context.rows(Models.Split.High.self) { "high \($0.name)" }
      },
    ] + inheritance
  }

  /// The keys of history's transactions, in order.
  private static func transactions(_ folder: Folder) throws -> [Int64] {
    let file = try StoreFile(folder.store)
    guard try !file.texts("SELECT name FROM sqlite_master WHERE name = 'ATRANSACTION'").isEmpty
    else { throw Undecidable("the store has no history: the portable runtime records none") }
    return try file.query("SELECT Z_PK FROM ATRANSACTION ORDER BY Z_PK").compactMap {
      if case .integer(let key) = $0[0] { key } else { nil }
    }
  }

  private static var inheritance: [Experiment] {
    #if INHERITANCE
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
        return without("macOS 26")
      }
      return [
        upgrade(
          "subclass-added", "a subclass that comes adds its columns to the parent's table",
          rows: ["subclass-added"],
          facts: ["migration#add-subclass"],
          partly: ["store-format#subentities-share-a-table", "identity#sub-entity-owns-its-own"],
          from: Inheritance.Parents.self, to: Inheritance.Children.self,
          fill: one(Inheritance.Parents.Item(name: "a")),
          .sees("a", "ZEXTRA VARCHAR", "ZNAME VARCHAR", "ZITEM", "of the parent: 1")
        ) { context, folder in
          let file = try StoreFile(folder.store)
          return try context.rows(Inheritance.Children.Item.self) { $0.name }
            + file.columns("ZITEM") + file.tables()
            + file.values("SELECT Z_ENT FROM ZITEM").map { "of the parent: \($0)" }
        },
        distinct(
          "super-entity-changed", "a change of a parent is one of its subclasses, too",
          facts: ["identity#super-entity-in-hash"],
          from: Inheritance.Children.self, to: Inheritance.ChangedParent.self,
          fill: Inheritance.Children.fill, sees: ["a", "b x"]
        ) { context, _ in
          try context.rows(Inheritance.ChangedParent.Item.self) { item in
            let extra = (item as? Inheritance.ChangedParent.Special).map { " \($0.extra)" } ?? ""
            return item.name + extra
          }
        },
        failure(
          "superclass-changed", "two models cannot be brought under one parent",
          rows: ["superclass-changed"], facts: ["migration#two-roots-under-one-parent"],
          from: Inheritance.Apart.self, to: Inheritance.Together.self,
          fill: Inheritance.Apart.fill, code: 134140,
          saying: "Cannot merge multiple root entity source tables"),
        upgrade(
          "parent-added", "a parent that comes above a model can take a property of it",
          rows: ["superclass-changed"], partly: ["migration#superclass-change"],
          from: Inheritance.Lone.self, to: Inheritance.Raised.self, fill: Inheritance.Lone.fill,
          .sees("l 1")
        ) { context, _ in
          try context.rows(Inheritance.Raised.Left.self) { "\($0.name) \($0.own)" }
        },
        upgrade(
          "property-to-subclass", "what becomes of a property that moves to a subclass",
          rows: ["superclass-changed"], partly: ["migration#property-to-subclass"],
          from: Inheritance.High.self, to: Inheritance.Lowered.self, fill: Inheritance.High.fill,
          .anything
        ) { context, _ in
          try context.rows(Inheritance.Lowered.Special.self) { text($0.name) }
        },
      ]
    #else
      return without("Xcode 26")
    #endif
  }

  /// What stands for the experiments with inheritance where there is none.
  private static func without(_ need: String) -> [Experiment] {
    [
      Experiment(
        id: "subclass-added", claim: "a subclass that comes adds its columns to the parent's table",
        rows: ["subclass-added"],
        facts: ["migration#add-subclass"],
        partly: ["store-format#subentities-share-a-table", "identity#sub-entity-owns-its-own"],
        limits: [.everywhere("models that inherit need \(need)")]),
      Experiment(
        id: "super-entity-changed", claim: "a change of a parent is one of its subclasses, too",
        facts: ["identity#super-entity-in-hash"],
        limits: [.everywhere("models that inherit need \(need)")]),
      Experiment(
        id: "superclass-changed", claim: "two models cannot be brought under one parent",
        rows: ["superclass-changed"],
        facts: ["migration#two-roots-under-one-parent"],
        partly: ["migration#superclass-change", "migration#property-to-subclass"],
        limits: [.everywhere("models that inherit need \(need)")]),
    ]
  }
}
