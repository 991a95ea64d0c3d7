import Foundation
import SwiftData

/// Attributes that come, go, and change whether they are required.
enum Attributes {
  enum Noted: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var note: String?
      init(name: String) { self.name = name }
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
        .sees("1 value in old rows", "2 values in new ones")
      ) { context, _ in
        let old = Set(try context.all(Attributes.Shared.Item.self).map(\.mark))
        let new = Set((1...2).map { _ in Attributes.Shared.Item(name: "new").mark })
        return [
          "\(old.count) value in old rows", "\(new.subtracting(old).count) values in new ones",
        ]
      },
      failure(
        "missing-default", "a required attribute without a default makes the migration fail",
        rows: ["missing-default"], facts: ["migration#add-required-attribute"],
        from: Plain.V1.self, to: Attributes.Required.self, fill: Plain.fill, code: 134110),
      upgrade(
        "missing-default-without-rows",
        "a required attribute without a default can come where there is no row",
        rows: ["missing-default"], facts: ["migration#add-required-attribute"],
        from: Plain.V1.self, to: Attributes.Required.self, fill: Plain.nothing,
        .sees("0 rows")
      ) { context, _ in ["\(try context.all(Attributes.Required.Item.self).count) rows"] },
      upgrade(
        "attribute-removed", "an attribute that goes is dropped with its column",
        rows: ["attribute-removed"], facts: ["migration#remove-attribute"],
        from: Plain.V1.self, to: Attributes.Empty.self, fill: Plain.fill,
        .sees("2 rows", "ZMORE VARCHAR")
      ) { context, folder in
        ["\(try context.all(Attributes.Empty.Item.self).count) rows"]
          + (try StoreFile(folder.store).columns("ZITEM"))
      },
    ]
  }
}
