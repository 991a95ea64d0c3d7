import Foundation
import SwiftData

/// Attributes that change their type or their name.
enum Types {
  enum Whole: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var value: Int
      init(value: Int) { self.value = value }
    }

    static func fill(_ context: ModelContext) throws {
      for value in [-3, 0, 2_000_000_000] { context.insert(Item(value: value)) }
    }
  }

  enum Real: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var value: Double
      init(value: Double) { self.value = value }
    }

    static func fill(_ context: ModelContext) throws {
      for value in [-3.7, 0, 3.7] { context.insert(Item(value: value)) }
    }
  }

  enum WholeLater: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var value: Int
      init(value: Int) { self.value = value }
    }
  }

  enum Flag: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var value: Bool
      init(value: Bool) { self.value = value }
    }
  }

  enum Narrow: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var value: Int16
      init(value: Int16) { self.value = value }
    }

    static func fill(_ context: ModelContext) throws { context.insert(Item(value: 300)) }
  }

  enum Spelt: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var value: Int64
      init(value: Int64) { self.value = value }
    }
  }

  enum Interval: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var value: TimeInterval
      init(value: TimeInterval) { self.value = value }
    }
  }

  enum Text: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var value: String
      init(value: String) { self.value = value }
    }
  }

  /// Pairs that cannot be inferred: what one type was, another is.
  enum Before: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var value: Date
      init(value: Date) { self.value = value }
    }

    static func fill(_ context: ModelContext) throws {
      context.insert(Item(value: Date(timeIntervalSinceReferenceDate: 1)))
    }
  }

  enum Words: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var value: String?
      init(value: String?) { self.value = value }
    }

    static func fill(_ context: ModelContext) throws {
      context.insert(Item(value: "11111111-1111-1111-1111-111111111111"))
    }
  }

  enum Identified: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var value: UUID?
      init() {}
    }
  }

  enum Linked: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var value: URL?
      init() {}
    }
  }

  enum Bytes: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var value: Data
      init(value: Data) { self.value = value }
    }

    static func fill(_ context: ModelContext) throws { context.insert(Item(value: Data([1, 2]))) }
  }

  enum List: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var value: [String]
      init() { value = [] }
    }
  }

  /// `value` leads to a row now.
  enum Related: Third {
    static var models: [any PersistentModel.Type] { [Item.self, Other.self] }
    @Model final class Item {
      var value: Other?
      init() {}
    }
    @Model final class Other {
      var name: String = ""
      @Relationship(inverse: \Item.value) var items: [Item] = []
      init() {}
    }
  }
}

/// Attributes by another name.
enum Renames {
  enum Titled: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      @Attribute(originalName: "name") var title: String
      init(title: String) { self.title = title }
    }
  }

  enum Forgotten: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var title: String = "none"
      init() {}
    }
  }

  /// The originalName is left out, and something makes a migration run.
  enum TitledNoMore: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var title: String = "none"
      var more: Int?
      init() {}
    }
  }

  /// The originalName is left out, and nothing else.
  enum TitledSilently: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var title: String
      init(title: String) { self.title = title }
    }
  }

  /// Renamed twice, naming the first name.
  enum Chained: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      @Attribute(originalName: "name") var heading: String = "none"
      init() {}
    }
  }

  /// Renamed twice, naming the name in between.
  enum Misnamed: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      @Attribute(originalName: "title") var heading: String = "none"
      init() {}
    }
  }

  /// `name` is used again in the version that renames it.
  enum Reused: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      @Attribute(originalName: "name") var title: String
      var name: String = "new"
      init(title: String) { self.title = title }
    }
  }

  enum AfterReuse: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      @Attribute(originalName: "name") var title: String
      var name: String = "new"
      var more: Int?
      init(title: String) { self.title = title }
    }
  }

  enum Sides: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var left: String
      var right: String
      init(left: String, right: String) {
        self.left = left
        self.right = right
      }
    }

    static func fill(_ context: ModelContext) throws {
      context.insert(Item(left: "l", right: "r"))
    }
  }

  /// Each has the other's name, and something makes a migration run.
  enum Swapped: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      @Attribute(originalName: "right") var left: String
      @Attribute(originalName: "left") var right: String
      var more: Int?
      init(left: String, right: String) {
        self.left = left
        self.right = right
      }
    }
  }
}

extension Experiment {
  static var types: [Experiment] {
    [
      upgrade(
        "whole-became-real", "a whole number becomes one with a point",
        rows: ["number-type-changed"],
        facts: ["migration#number-types"],
        from: Types.Whole.self, to: Types.Real.self, fill: Types.Whole.fill,
        .sees("-3.0", "0.0", "2000000000.0")
      ) { context, _ in try context.rows(Types.Real.Item.self) { "\($0.value)" } },
      upgrade(
        "real-became-whole", "a fraction is cut when it is read as a whole number",
        rows: ["number-type-changed"], facts: ["migration#number-types"],
        from: Types.Real.self, to: Types.WholeLater.self, fill: Types.Real.fill,
        .sees("-3", "0", "3")
      ) { context, _ in try context.rows(Types.WholeLater.Item.self) { "\($0.value)" } },
      upgrade(
        "fraction-stays-in-file", "the fraction stays in the file", rows: ["number-type-changed"],
        facts: ["migration#number-types"],
        limits: [.portable("the runtime converts numbers at once (docs/rehearsal.md)")],
        from: Types.Real.self, to: Types.WholeLater.self, fill: Types.Real.fill,
        .sees("-3.7", "0", "3.7")
      ) { _, folder in try StoreFile(folder.store).values("SELECT ZVALUE FROM ZITEM ORDER BY 1") },
      upgrade(
        "whole-became-flag", "a number becomes whether it is not 0", rows: ["number-type-changed"],
        facts: ["migration#number-types"],
        from: Types.Whole.self, to: Types.Flag.self, fill: Types.Whole.fill,
        .sees("false", "true", "true")
      ) { context, _ in try context.rows(Types.Flag.Item.self) { "\($0.value)" } },
      upgrade(
        "narrow-became-wide", "a wider whole number changes nothing in the file",
        partly: ["migration#number-tables"],
        from: Types.Narrow.self, to: Types.WholeLater.self, fill: Types.Narrow.fill,
        .sees("300", "ZVALUE INTEGER")
      ) { context, folder in
        try context.rows(Types.WholeLater.Item.self) { "\($0.value)" }
          + StoreFile(folder.store).columns("ZITEM")
      },
      neutral(
        "int-became-int64", "Int and Int64 are alike", rows: ["type-respelled"],
        facts: ["identity#same-type-number-neutral"],
        from: Types.Whole.self, to: Types.Spelt.self, fill: Types.Whole.fill,
        sees: ["-3", "0", "2000000000"]
      ) { context, _ in try context.rows(Types.Spelt.Item.self) { "\($0.value)" } },
      neutral(
        "double-became-interval", "Double and TimeInterval are alike", rows: ["type-respelled"],
        facts: ["identity#same-type-number-neutral"],
        from: Types.Real.self, to: Types.Interval.self, fill: Types.Real.fill,
        sees: ["-3.7", "0.0", "3.7"]
      ) { context, _ in try context.rows(Types.Interval.Item.self) { "\($0.value)" } },
      failure(
        "number-became-text", "a number cannot become text", rows: ["type-changed"],
        facts: ["migration#other-type-change"],
        from: Types.Whole.self, to: Types.Text.self, fill: Types.Whole.fill, code: 134140),
      failure(
        "date-became-number", "a date cannot become a number", rows: ["type-changed"],
        facts: ["migration#other-type-change"],
        from: Types.Before.self, to: Types.Real.self, fill: Types.Before.fill, code: 134140),
      failure(
        "text-became-uuid", "text cannot become a UUID", rows: ["type-changed"],
        facts: ["migration#other-type-change"],
        from: Types.Words.self, to: Types.Identified.self, fill: Types.Words.fill, code: 134140),
      failure(
        "text-became-url", "text cannot become a URL", rows: ["type-changed"],
        facts: ["migration#other-type-change"],
        from: Types.Words.self, to: Types.Linked.self, fill: Types.Words.fill, code: 134140),
      failure(
        "data-became-array", "data cannot become an array", rows: ["type-changed"],
        facts: ["migration#other-type-change"],
        from: Types.Bytes.self, to: Types.List.self, fill: Types.Bytes.fill, code: 134140),
      failure(
        "inference-error",
        "what cannot be inferred is 134140 in the log, with 134190 and the reason inside",
        facts: [
          "migration#inference-error-is-134140", "migration#lightweight-must-be-inferable",
          "migration#swiftdata-hides-codes",
        ],
        from: Types.Whole.self, to: Types.Text.self, fill: Types.Whole.fill, code: 134140,
        saying: "134190", decisive: true),
      upgrade(
        "attribute-became-relationship", "an attribute that becomes a relationship is dropped",
        rows: ["attribute-became-relationship"], facts: ["migration#attribute-to-relationship"],
        from: Types.Words.self, to: Types.Related.self, fill: Types.Words.fill, .sees("nil")
      ) { context, _ in
        try context.rows(Types.Related.Item.self) { text($0.value?.name) }
      },
    ]
  }

  static var renames: [Experiment] {
    [
      upgrade(
        "attribute-renamed", "an originalName keeps the values", rows: ["attribute-renamed"],
        facts: ["migration#rename-with-original-name"],
        from: Plain.V1.self, to: Renames.Titled.self, fill: Plain.fill, .sees("a", "b")
      ) { context, _ in try context.rows(Renames.Titled.Item.self) { $0.title } },
      upgrade(
        "attributes-swapped", "two attributes can change names",
        facts: ["migration#rename-with-original-name"],
        from: Renames.Sides.self, to: Renames.Swapped.self, fill: Renames.Sides.fill, .sees("r l")
      ) { context, _ in
        try context.rows(Renames.Swapped.Item.self) { "\($0.left) \($0.right)" }
      },
      upgrade(
        "renamed-without-original-name", "a rename without originalName loses the values",
        facts: ["migration#rename-without-original-name"],
        from: Plain.V1.self, to: Renames.Forgotten.self, fill: Plain.fill, .sees("none", "none")
      ) { context, _ in try context.rows(Renames.Forgotten.Item.self) { $0.title } },
      upgrade(
        "chain-with-first-name", "a second rename that names the first name keeps the values",
        facts: ["migration#first-name-only"],
        from: Plain.V1.self, to: Renames.Chained.self, fill: Plain.fill, .sees("a", "b")
      ) { context, _ in try context.rows(Renames.Chained.Item.self) { $0.heading } },
      Experiment(
        id: "chain-from-the-middle",
        claim:
          "a second rename keeps the values of the version between if it names the first name",
        facts: ["migration#first-name-only"],
        steps: [
          writing(Renames.Titled.self) { $0.insert(Renames.Titled.Item(title: "a")) },
          step("open with the next version", .sees("a")) { folder in
            try folder.open(
              Renames.Chained.self, plan: Upgrade<Renames.Titled, Renames.Chained>.self
            )
            .rows(Renames.Chained.Item.self) { $0.heading }
          },
        ]),
      upgrade(
        "chain-with-middle-name",
        "a second rename that names the name in between loses the values of that version, too",
        facts: ["migration#first-name-only"],
        from: Renames.Titled.self, to: Renames.Misnamed.self,
        fill: one(Renames.Titled.Item(title: "a")), .sees("none")
      ) { context, _ in try context.rows(Renames.Misnamed.Item.self) { $0.heading } },
      neutral(
        "original-name-left-out", "an originalName that is left out is not seen by itself",
        rows: ["original-name-changed"], facts: ["identity#not-hashed"],
        from: Renames.Titled.self, to: Renames.TitledSilently.self,
        fill: one(Renames.Titled.Item(title: "a")), sees: ["a"]
      ) { context, _ in try context.rows(Renames.TitledSilently.Item.self) { $0.title } },
      upgrade(
        "original-name-left-out-later",
        "an originalName that is left out loses the values of the version that had it",
        rows: ["original-name-changed"], facts: ["migration#omitted-original-name-everywhere"],
        from: Renames.Titled.self, to: Renames.TitledNoMore.self,
        fill: one(Renames.Titled.Item(title: "a")), .sees("none")
      ) { context, _ in try context.rows(Renames.TitledNoMore.Item.self) { $0.title } },
      Experiment(
        id: "original-name-left-out-in-a-run",
        claim: "an originalName that is left out loses the values of versions before the rename",
        rows: ["original-name-changed"], facts: ["migration#omitted-original-name"],
        partly: ["migration#pairs-in-a-run"],
        steps: [
          writing(Plain.V1.self, Plain.fill),
          step("open with the version after next", .sees("none", "none")) { folder in
            try folder.open(
              Renames.TitledNoMore.self,
              plan: Run<Plain.V1, Renames.Titled, Renames.TitledNoMore>.self
            ).rows(Renames.TitledNoMore.Item.self) { $0.title }
          },
        ]),
      upgrade(
        "name-used-again", "a name that is used again takes the old values as well",
        facts: ["migration#reused-name-gets-both"],
        from: Plain.V1.self, to: Renames.Reused.self, fill: Plain.fill, .sees("a a", "b b")
      ) { context, _ in
        try context.rows(Renames.Reused.Item.self) { "\($0.title) \($0.name)" }
      }.then("open with the version after", .fails(code: 134140)) { folder in
        _ = try folder.open(
          Renames.AfterReuse.self, plan: Upgrade<Renames.Reused, Renames.AfterReuse>.self)
        return ["it opened"]
      },
      failure(
        "two-identifiers", "two properties of one renaming identifier are 134190 inside 134140",
        facts: ["migration#two-identifiers"],
        from: Renames.Reused.self, to: Renames.AfterReuse.self,
        fill: one(Renames.Reused.Item(title: "a")), code: 134140, saying: "134190",
        decisive: true),
    ]
  }
}
