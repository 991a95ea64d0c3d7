import Foundation
import SwiftData

/// Attributes that come and go, and change whether they are required.
enum Attributes {
  enum Noted: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var note: String?
      init(name: String, note: String?) {
        self.name = name
        self.note = note
      }
    }

    /// One row with a note, one without.
    static func fill(_ context: ModelContext) throws {
      context.insert(Item(name: "a", note: "x"))
      context.insert(Item(name: "b", note: nil))
    }
  }

  enum Defaulted: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var count: Int = 7
      init(name: String) { self.name = name }
    }
  }

  enum Shared: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var mark: UUID = UUID()
      init(name: String) { self.name = name }
    }
  }

  enum Required: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var count: Int
      init(name: String, count: Int = 7) {
        self.name = name
        self.count = count
      }
    }
  }

  enum Empty: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var more: String?
      init() {}
    }
  }

  /// `note` is required, with a default.
  enum Fallback: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var note: String = "none"
      init(name: String) { self.name = name }
    }
  }

  /// `note` is required from the first.
  enum Given: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var note: String
      init(name: String, note: String) {
        self.name = name
        self.note = note
      }
    }

    static func fill(_ context: ModelContext) throws {
      context.insert(Item(name: "a", note: "x"))
    }
  }

  /// `note` is required, without a default.
  enum Strict: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var note: String
      init(name: String, note: String) {
        self.name = name
        self.note = note
      }
    }
  }

  /// `note` is required, and what has none is given one first.
  enum Filled: Third, Prepared {
    typealias Old = Noted
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var note: String
      init(name: String, note: String) {
        self.name = name
        self.note = note
      }
    }

    static func work(_ context: ModelContext) throws {
      for item in try context.all(Noted.Item.self) where item.note == nil {
        item.note = "filled for \(item.name)"
      }
    }
  }

  enum Counting: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var count: Int?
      init(name: String) { self.name = name }
    }
  }

  /// `count` is new, and each row has its own.
  enum Counted: Third, Bridged {
    typealias Old = Plain.V1
    typealias Bridge = Counting
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var count: Int
      init(name: String, count: Int) {
        self.name = name
        self.count = count
      }
    }

    static func work(_ context: ModelContext) throws {
      for (index, item) in try context.all(Counting.Item.self).sorted(by: { $0.name < $1.name })
        .enumerated()
      { item.count = index + 1 }
    }
  }

  /// `name` becomes `code`.
  enum Coded: Third, Bridged {
    typealias Old = Plain.V1
    typealias Bridge = Coding
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var code: Int
      init(code: Int) { self.code = code }
    }

    static func work(_ context: ModelContext) throws {
      for item in try context.all(Coding.Item.self) {
        item.code = item.name.unicodeScalars.first.map { Int($0.value) }
      }
    }
  }

  enum Coding: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var code: Int?
      init(name: String) { self.name = name }
    }
  }

  /// `note` is not in the model any more.
  enum Forgotten: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      @Transient var note: String = "none"
      init(name: String) { self.name = name }
    }
  }

  /// `note` is Core Data's transient.
  enum Ephemeral: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      @Attribute(.ephemeral) var note: String?
      init(name: String) { self.name = name }
    }
  }

  /// What is transient is of another type.
  enum OtherTransient: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      @Transient var note: Int = 0
      init(name: String) { self.name = name }
    }
  }

  /// What is ephemeral is of another type.
  enum OtherEphemeral: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      @Attribute(.ephemeral) var note: Int?
      init(name: String) { self.name = name }
    }
  }
}

extension Experiment {
  static var attributes: [Experiment] {
    [
      upgrade(
        "optional-attribute-added", "an attribute that comes as optional is nil in old rows",
        rows: ["optional-attribute-added"], facts: ["migration#add-optional-attribute"],
        from: Plain.V1.self, to: Attributes.Noted.self, fill: Plain.fill,
        .sees("a nil", "b nil")
      ) { context, _ in
        try context.rows(Attributes.Noted.Item.self) { "\($0.name) \(text($0.note))" }
      },
      upgrade(
        "defaulted-attribute-added", "old rows take the default of an attribute that comes",
        rows: ["defaulted-attribute-added"], facts: ["migration#add-attribute-with-default"],
        from: Plain.V1.self, to: Attributes.Defaulted.self, fill: Plain.fill,
        .sees("a 7", "b 7", "in the file", "7", "7")
      ) { context, folder in
        try context.rows(Attributes.Defaulted.Item.self) { "\($0.name) \($0.count)" }
          + ["in the file"] + StoreFile(folder.store).values("SELECT ZCOUNT FROM ZITEM")
      },
      upgrade(
        "shared-default", "a default that differs each time is one value in all old rows",
        rows: ["shared-default"],
        facts: ["migration#shared-default", "identity#default-is-one-constant"],
        from: Plain.V1.self, to: Attributes.Shared.self, fill: Plain.fill,
        .sees("values in old rows: 1", "values in new ones: 2")
      ) { context, _ in
        let old = Set(try context.all(Attributes.Shared.Item.self).map(\.mark))
        let new = Set((1...2).map { _ in Attributes.Shared.Item(name: "new").mark })
        return [
          "values in old rows: \(old.count)", "values in new ones: \(new.subtracting(old).count)",
        ]
      },
      failure(
        "missing-default",
        "a required attribute without a default makes the migration fail; one of init does not count",
        rows: ["missing-default"],
        facts: ["migration#add-required-attribute"], partly: ["migration#one-transaction"],
        from: Plain.V1.self, to: Attributes.Required.self, fill: Plain.fill, code: 134110),
      upgrade(
        "missing-default-without-rows",
        "a required attribute without a default can come where there is no row",
        rows: ["missing-default"], facts: ["migration#add-required-attribute"],
        from: Plain.V1.self, to: Attributes.Required.self, fill: Plain.nothing, .sees("rows: 0")
      ) { context, _ in ["rows: \(try context.all(Attributes.Required.Item.self).count)"] },
      upgrade(
        "attribute-removed", "an attribute that goes is dropped with its column",
        rows: ["attribute-removed"], facts: ["migration#remove-attribute"],
        partly: ["migration#deferred-migration"],
        from: Plain.V1.self, to: Attributes.Empty.self, fill: Plain.fill,
        .sees("rows: 2", "ZMORE VARCHAR")
      ) { context, folder in
        ["rows: \(try context.all(Attributes.Empty.Item.self).count)"]
          + (try StoreFile(folder.store).columns("ZITEM"))
      },
      bridging(
        "attribute-filled", "a bridge gives each old row a value of its own before it is required",
        rows: ["attribute-filled"], facts: ["migration#bridge-copies-on-disk"],
        to: Attributes.Counted.self, fill: Plain.fill, sees: ["a 1", "b 2"]
      ) { context, _ in
        try context.rows(Attributes.Counted.Item.self) { "\($0.name) \($0.count)" }
      },
      bridging(
        "attribute-converted", "a bridge converts values while old and new columns are both there",
        rows: ["attribute-converted"], facts: ["migration#bridge-copies-on-disk"],
        to: Attributes.Coded.self, fill: Plain.fill, sees: ["97", "98", "ZCODE INTEGER"]
      ) { context, folder in
        try context.rows(Attributes.Coded.Item.self) { "\($0.code)" }
          + StoreFile(folder.store).columns("ZITEM")
      },
      upgrade(
        "attribute-made-optional", "an attribute that becomes optional keeps its values",
        rows: ["attribute-made-optional"], facts: ["migration#required-to-optional"],
        from: Attributes.Given.self, to: Attributes.Noted.self, fill: Attributes.Given.fill,
        .sees("a x")
      ) { context, _ in
        try context.rows(Attributes.Noted.Item.self) { "\($0.name) \(text($0.note))" }
      },
      upgrade(
        "attribute-made-required-defaulted", "nils take the default of what becomes required",
        rows: ["attribute-made-required-defaulted"],
        facts: ["migration#optional-to-required-with-default"],
        from: Attributes.Noted.self, to: Attributes.Fallback.self, fill: Attributes.Noted.fill,
        .sees("a x", "b none")
      ) { context, _ in
        try context.rows(Attributes.Fallback.Item.self) { "\($0.name) \($0.note)" }
      },
      failure(
        "required-without-fill", "what becomes required fails where a row holds nil",
        rows: ["required-without-fill"], facts: ["migration#optional-to-required"],
        from: Attributes.Noted.self, to: Attributes.Strict.self, fill: Attributes.Noted.fill,
        code: 134110),
      upgrade(
        "required-without-nils", "what becomes required is kept where no row holds nil",
        rows: ["required-without-fill"], facts: ["migration#optional-to-required"],
        from: Attributes.Noted.self, to: Attributes.Strict.self,
        fill: one(Attributes.Noted.Item(name: "a", note: "x")), .sees("a x")
      ) { context, _ in
        try context.rows(Attributes.Strict.Item.self) { "\($0.name) \($0.note)" }
      },
      Experiment(
        id: "attribute-made-required-filled",
        claim: "nils that willMigrate fills are there when the attribute becomes required",
        rows: ["attribute-made-required-filled"], facts: ["migration#bridge-copies-on-disk"],
        steps: [
          writing(Attributes.Noted.self, Attributes.Noted.fill),
          step("open with the next version", .sees("a x", "b filled for b")) { folder in
            try folder.open(Attributes.Filled.self, plan: Preparing<Attributes.Filled>.self)
              .rows(Attributes.Filled.Item.self) { "\($0.name) \($0.note)" }
          },
        ]),
      upgrade(
        "stored-to-transient", "what becomes @Transient loses its column and its values",
        rows: ["stored-to-transient"], facts: ["migration#stored-to-transient"],
        partly: ["identity#transient-leaves-the-hash"],
        from: Attributes.Noted.self, to: Attributes.Forgotten.self, fill: Attributes.Noted.fill,
        .sees("a none", "b none", "ZNAME VARCHAR")
      ) { context, folder in
        try context.rows(Attributes.Forgotten.Item.self) { "\($0.name) \($0.note)" }
          + StoreFile(folder.store).columns("ZITEM")
      },
      upgrade(
        "stored-to-ephemeral", "what becomes ephemeral loses its column and its values",
        rows: ["stored-to-transient"],
        facts: ["migration#stored-to-transient", "identity#ephemeral-is-transient"],
        from: Attributes.Noted.self, to: Attributes.Ephemeral.self, fill: Attributes.Noted.fill,
        .sees("a nil", "b nil", "ZNAME VARCHAR")
      ) { context, folder in
        try context.rows(Attributes.Ephemeral.Item.self) { "\($0.name) \(text($0.note))" }
          + StoreFile(folder.store).columns("ZITEM")
      },
      neutral(
        "transient-changed", "what is @Transient can change its type", rows: ["transient-changed"],
        facts: ["identity#transient-leaves-the-hash"], partly: ["identity#not-hashed"],
        from: Attributes.Forgotten.self, to: Attributes.OtherTransient.self,
        fill: one(Attributes.Forgotten.Item(name: "a")), sees: ["a"],
        see: names(Attributes.OtherTransient.Item.self)),
      neutral(
        "ephemeral-changed", "what is ephemeral can change its type", rows: ["transient-changed"],
        facts: ["identity#ephemeral-is-transient"],
        from: Attributes.Ephemeral.self, to: Attributes.OtherEphemeral.self,
        fill: one(Attributes.Ephemeral.Item(name: "a")), sees: ["a"],
        see: names(Attributes.OtherEphemeral.Item.self)),
      neutral(
        "transient-added", "a @Transient property that comes is no part of the version",
        facts: ["identity#not-hashed"], from: Plain.V1.self, to: Attributes.Forgotten.self,
        fill: Plain.fill, sees: ["a none", "b none"]
      ) { context, _ in
        try context.rows(Attributes.Forgotten.Item.self) { "\($0.name) \($0.note)" }
      },
    ]
  }
}
