import Foundation
import SwiftData

/// Options of attributes, uniqueness and indexes.
enum Options {
  enum Internal: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var data: Data
      init(data: Data) { self.data = data }
    }

    /// More than Core Data leaves in a row.
    static func fill(_ context: ModelContext) throws { context.insert(Item(data: large)) }
    static let large = Data(repeating: 7, count: 300_000)
  }

  enum External: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      @Attribute(.externalStorage) var data: Data
      init(data: Data) { self.data = data }
    }

    static func fill(_ context: ModelContext) throws { context.insert(Item(data: Data([7]))) }
  }

  enum InternalLater: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var data: Data
      init(data: Data) { self.data = data }
    }
  }

  /// On text it means nothing.
  enum ExternalText: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      @Attribute(.externalStorage) var name: String
      init(name: String) { self.name = name }
    }
  }

  enum Spotlight: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      @Attribute(.spotlight) var name: String
      init(name: String) { self.name = name }
    }
  }

  enum Encrypted: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      @Attribute(.allowsCloudEncryption) var name: String
      init(name: String) { self.name = name }
    }
  }

  enum Preserved: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      @Attribute(.preserveValueOnDeletion) var name: String
      init(name: String) { self.name = name }
    }
  }

  enum Defaulted: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String = "default"
      init(name: String) { self.name = name }
    }
  }

  enum Modified: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      @Attribute(hashModifier: "2") var name: String
      init(name: String) { self.name = name }
    }
  }

  /// An enum with a modifier, which reaches nothing.
  enum ModifiedEnum: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      @Attribute(hashModifier: "3") var mood: Values.Mood
      init(name: String, mood: Values.Mood) {
        self.name = name
        self.mood = mood
      }
    }
  }

  /// A struct with a modifier, which reaches nothing.
  enum ModifiedStruct: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      @Attribute(hashModifier: "3") var hint: Values.Hint
      init(name: String, hint: Values.Hint) {
        self.name = name
        self.hint = hint
      }
    }
  }

  /// An array with a modifier.
  enum ModifiedArray: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      @Attribute(hashModifier: "2") var tags: [String]
      init(name: String, tags: [String]) {
        self.name = name
        self.tags = tags
      }
    }
  }

  /// A relationship with a modifier.
  enum ModifiedRelationship: Third {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      @Relationship(inverse: \Pet.owner) var pets: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      @Relationship(hashModifier: "3") var owner: Owner?
      init(name: String) { self.name = name }
    }
  }

  /// A type that nothing stores.
  enum Typed: Second {
    struct Unused: Codable { var name: String }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      init(name: String) { self.name = name }
    }
  }

  // MARK: Indexes

  enum Indexed: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      #Index<Item>([\.name])
      var name: String
      init(name: String) { self.name = name }
    }

    static func fill(_ context: ModelContext) throws {
      for name in ["a", "b"] { context.insert(Item(name: name)) }
    }
  }

  enum IndexedAndModified: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      #Index<Item>([\.name])
      @Attribute(hashModifier: "2") var name: String
      init(name: String) { self.name = name }
    }
  }

  /// With the index, and something that makes a migration run.
  enum IndexedAndMore: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      #Index<Item>([\.name])
      var name: String
      var more: Int?
      init(name: String) { self.name = name }
    }
  }

  /// Without it, and something that makes a migration run.
  enum NoIndexAndMore: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var more: Int?
      init(name: String) { self.name = name }
    }
  }

  // MARK: Uniqueness

  enum Distinct: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      @Attribute(.unique) var name: String
      init(name: String) { self.name = name }
    }

    static func fill(_ context: ModelContext) throws {
      for name in ["a", "b"] { context.insert(Item(name: name)) }
    }
  }

  /// Equal rows go first.
  enum Deduped: Second, Prepared {
    typealias Old = Plain.V1
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      @Attribute(.unique) var name: String
      init(name: String) { self.name = name }
    }

    static func work(_ context: ModelContext) throws {
      var seen: Set<String> = []
      for item in try context.all(Plain.V1.Item.self) where !seen.insert(item.name).inserted {
        context.delete(item)
      }
    }
  }

  enum NotUnique: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      init(name: String) { self.name = name }
    }
  }

  enum Pairs: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var kind: String?
      init(name: String, kind: String?) {
        self.name = name
        self.kind = kind
      }
    }

    /// The pairs are all different, though names are not.
    static func fill(_ context: ModelContext) throws {
      for kind in ["x", "y"] { context.insert(Item(name: "a", kind: kind)) }
    }

    /// The pairs are alike.
    static func fillAlike(_ context: ModelContext) throws {
      for _ in 1...2 { context.insert(Item(name: "a", kind: "x")) }
    }

    /// The pairs are alike but for NULL, which is like nothing.
    static func fillNils(_ context: ModelContext) throws {
      for _ in 1...2 { context.insert(Item(name: "a", kind: nil)) }
    }
  }

  enum UniquePairs: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      #Unique<Item>([\.name, \.kind])
      var name: String
      var kind: String?
      init(name: String, kind: String?) {
        self.name = name
        self.kind = kind
      }
    }

    static func fill(_ context: ModelContext) throws {
      for kind in ["x", "y"] { context.insert(Item(name: "a", kind: kind)) }
    }
  }

  enum NamedPairs: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      @Attribute(.unique) var name: String
      var kind: String?
      init(name: String, kind: String?) {
        self.name = name
        self.kind = kind
      }
    }

    static func fill(_ context: ModelContext) throws {
      for name in ["a", "b"] { context.insert(Item(name: name, kind: "x")) }
    }
  }

  enum DedupedPairs: Second, Prepared {
    typealias Old = Pairs
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      #Unique<Item>([\.name, \.kind])
      var name: String
      var kind: String?
      init(name: String, kind: String?) {
        self.name = name
        self.kind = kind
      }
    }

    static func work(_ context: ModelContext) throws {
      var seen: Set<String> = []
      for item in try context.all(Pairs.Item.self)
      where !seen.insert("\(item.name) \(text(item.kind))").inserted { context.delete(item) }
    }
  }

  enum NoPairs: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      var kind: String?
      init(name: String, kind: String?) {
        self.name = name
        self.kind = kind
      }
    }
  }
}

extension Experiment {
  static var storage: [Experiment] {
    external + options + modifiers + indexes + uniqueness
  }

  private static var external: [Experiment] {
    [
      upgrade(
        "external-storage-added", "data that is to be stored externally stays in its row",
        rows: ["external-storage-added"], facts: ["migration#add-external-storage"],
        from: Options.Internal.self, to: Options.External.self, fill: Options.Internal.fill,
        .sees("kept", "no file")
      ) { context, folder in
        let data = try context.all(Options.External.Item.self).map(\.data)
        // Core Data keeps such files in a hidden folder beside the store.
        let files = FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)?
          .compactMap { ($0 as? URL)?.path }.filter { $0.contains("_EXTERNAL_DATA/") }
        return [
          data == [Options.Internal.large] ? "kept" : "changed",
          files?.isEmpty == false ? "a file" : "no file",
        ]
      },
      upgrade(
        "external-storage-marker", "a byte is put before each value that stays in its row",
        rows: ["external-storage-added"], facts: ["migration#add-external-storage"],
        limits: [.portable("the runtime stores no data externally, and marks none")],
        from: Options.Internal.self, to: Options.External.self, fill: Options.Internal.fill,
        .sees("300001")
      ) { _, folder in try StoreFile(folder.store).values("SELECT LENGTH(ZDATA) FROM ZITEM") },
      failure(
        "external-storage-removed", "external storage cannot be taken back",
        rows: ["external-storage-removed"], facts: ["migration#remove-external-storage"],
        from: Options.External.self, to: Options.InternalLater.self, fill: Options.External.fill,
        code: 134140),
      neutral(
        "external-storage-of-text", "external storage of text is not seen",
        rows: ["attribute-option-changed"], facts: ["identity#external-storage-only-on-data"],
        from: Plain.V1.self, to: Options.ExternalText.self, fill: Plain.fill, sees: ["a", "b"],
        see: names(Options.ExternalText.Item.self)),
      distinct(
        "external-storage-is-hashed", "external storage of data is another version",
        facts: ["identity#external-storage-is-hashed"],
        from: Options.Internal.self, to: Options.External.self, fill: Options.Internal.fill,
        sees: ["rows: 1"], see: count(Options.External.Item.self)),
    ]
  }

  private static var options: [Experiment] {
    [
      distinct(
        "preserve-value-changed", "preserveValueOnDeletion is another version, and values stay",
        rows: ["preserve-value-changed"],
        facts: ["migration#preserve-value", "identity#preserve-is-hashed"],
        from: Plain.V1.self, to: Options.Preserved.self, fill: Plain.fill, sees: ["a", "b"],
        see: names(Options.Preserved.Item.self)),
      neutral(
        "cloud-encryption-changed", "allowsCloudEncryption is not seen in the file",
        rows: ["cloud-encryption-changed"],
        facts: ["migration#cloud-encryption-has-no-local-effect", "identity#not-hashed"],
        from: Plain.V1.self, to: Options.Encrypted.self, fill: Plain.fill, sees: ["a", "b"],
        see: names(Options.Encrypted.Item.self)),
      neutral(
        "attribute-option-changed", "spotlight is not seen", rows: ["attribute-option-changed"],
        facts: ["identity#not-hashed"],
        from: Plain.V1.self, to: Options.Spotlight.self, fill: Plain.fill, sees: ["a", "b"],
        see: names(Options.Spotlight.Item.self)),
      neutral(
        "default-changed", "a default is not seen, and rows keep what they hold",
        rows: ["default-changed"], facts: ["identity#default-not-hashed", "identity#not-hashed"],
        from: Plain.V1.self, to: Options.Defaulted.self, fill: Plain.fill, sees: ["a", "b"],
        see: names(Options.Defaulted.Item.self)),
      neutral(
        "value-type-added", "a type that nothing stores is not seen",
        rows: ["value-type-added"], facts: ["identity#types-alone-store-nothing"],
        from: Plain.V1.self, to: Options.Typed.self, fill: Plain.fill, sees: ["a", "b"],
        see: names(Options.Typed.Item.self)),
      neutral(
        "value-type-removed", "a type that nothing stores can go",
        rows: ["value-type-removed"], facts: ["identity#types-alone-store-nothing"],
        from: Options.Typed.self, to: Models.Fewer.self,
        fill: one(Options.Typed.Item(name: "a")), sees: ["a"],
        see: names(Models.Fewer.Item.self)),
    ]
  }

  private static var modifiers: [Experiment] {
    [
      distinct(
        "hash-modifier-changed", "a hashModifier makes another version, and nothing else",
        rows: ["hash-modifier-changed"], facts: ["identity#hash-modifier-is-hashed"],
        from: Plain.V1.self, to: Options.Modified.self, fill: Plain.fill, sees: ["a", "b"],
        see: names(Options.Modified.Item.self)),
      distinct(
        "hash-modifier-of-array", "a hashModifier of an array makes another version",
        rows: ["hash-modifier-changed"], facts: ["identity#hash-modifier-is-hashed"],
        from: Values.Texts.self, to: Options.ModifiedArray.self, fill: Values.Texts.fill,
        sees: ["a [\"x\", \"y\"]"]
      ) { context, _ in
        try context.rows(Options.ModifiedArray.Item.self) { "\($0.name) \($0.tags)" }
      },
      distinct(
        "hash-modifier-of-relationship", "a hashModifier of a relationship makes another version",
        rows: ["hash-modifier-changed"], facts: ["identity#hash-modifier-is-hashed"],
        from: Relations.Paired.self, to: Options.ModifiedRelationship.self,
        fill: Relations.Paired.fill, sees: ["p a", "q b", "r nil"]
      ) { context, _ in
        try context.rows(Options.ModifiedRelationship.Pet.self) {
          "\($0.name) \(text($0.owner?.name))"
        }
      },
      neutral(
        "hash-modifier-ignored", "a hashModifier of an enum reaches nothing",
        rows: ["hash-modifier-ignored"], facts: ["identity#hash-modifier-on-composite"],
        from: Values.Moody.self, to: Options.ModifiedEnum.self, fill: Values.Moody.fill,
        sees: ["a glad", "b sad"]
      ) { context, _ in
        try context.rows(Options.ModifiedEnum.Item.self) { "\($0.name) \($0.mood)" }
      },
      neutral(
        "hash-modifier-of-struct", "a hashModifier of a struct reaches nothing",
        rows: ["hash-modifier-ignored"], facts: ["identity#hash-modifier-on-composite"],
        from: Values.Hinted.self, to: Options.ModifiedStruct.self, fill: Values.Hinted.fill,
        sees: ["a"], see: names(Options.ModifiedStruct.Item.self)),
    ]
  }

  private static func itemIndexes(_ folder: Folder) throws -> [String] {
    try StoreFile(folder.store).indexes("ZITEM")
  }

  private static var indexes: [Experiment] {
    [
      neutral(
        "index-added", "an index is not seen by itself, and is not built", rows: ["index-added"],
        facts: ["migration#index-needs-a-migration", "identity#index-not-hashed"],
        from: Plain.V1.self, to: Options.Indexed.self, fill: Plain.fill, sees: ["a", "b"]
      ) { context, folder in
        try context.rows(Options.Indexed.Item.self) { $0.name } + itemIndexes(folder)
      },
      upgrade(
        "index-added-later", "any migration that runs builds an index", rows: ["index-added"],
        facts: ["migration#index-needs-a-migration", "store-format#index-names"],
        from: Plain.V1.self, to: Options.IndexedAndMore.self, fill: Plain.fill,
        .sees("Z_Item_SwiftDataIndexOnBinaryname")
      ) { _, folder in try itemIndexes(folder) },
      upgrade(
        "index-with-modifier", "an index with a hashModifier is built", rows: ["index-added"],
        facts: ["migration#index-and-modifier"],
        from: Plain.V1.self, to: Options.IndexedAndModified.self, fill: Plain.fill,
        .sees("Z_Item_SwiftDataIndexOnBinaryname")
      ) { _, folder in try itemIndexes(folder) },
      upgrade(
        "index-removed", "any migration that runs drops an index that has gone",
        rows: ["index-removed"], facts: ["migration#index-needs-a-migration"],
        from: Options.Indexed.self, to: Options.NoIndexAndMore.self, fill: Options.Indexed.fill,
        .sees([])
      ) { _, folder in try itemIndexes(folder) },
      neutral(
        "index-removed-alone", "an index that goes alone stays in the file",
        rows: ["index-removed"], facts: ["identity#index-not-hashed"],
        from: Options.Indexed.self, to: Models.Fewer.self, fill: Options.Indexed.fill,
        sees: ["Z_Item_SwiftDataIndexOnBinaryname"]
      ) { _, folder in try itemIndexes(folder) },
    ]
  }

  private static var uniqueness: [Experiment] {
    [
      failure(
        "unique-added", "two rows of one value make a migration to unique fail",
        rows: ["unique-added"], facts: ["migration#add-unique"],
        partly: ["migration#one-transaction"],
        from: Plain.V1.self, to: Options.Distinct.self,
        fill: { for _ in 1...2 { $0.insert(Plain.V1.Item(name: "a")) } }, code: 134110),
      failure(
        "unique-violation", "the log says 134110 and what SQLite said", rows: ["unique-added"],
        facts: ["migration#unique-violation"],
        from: Plain.V1.self, to: Options.Distinct.self,
        fill: { for _ in 1...2 { $0.insert(Plain.V1.Item(name: "a")) } }, code: 134110,
        saying: "UNIQUE constraint failed", decisive: true),
      distinct(
        "unique-added-without-duplicates", "what is unique already can become unique",
        rows: ["unique-added"],
        facts: [
          "migration#add-unique", "identity#unique-is-hashed", "store-format#unique-indexes",
        ],
        from: Plain.V1.self, to: Options.Distinct.self, fill: Plain.fill,
        sees: ["a", "b", "Z_Item_UNIQUE_name"]
      ) { context, folder in
        try context.rows(Options.Distinct.Item.self) { $0.name } + itemIndexes(folder)
      },
      Experiment(
        id: "unique-deduped",
        claim: "rows that willMigrate deletes are gone when the constraint is made",
        rows: ["unique-deduped"], facts: ["migration#add-unique"],
        steps: [
          writing(Plain.V1.self) { context in
            for name in ["a", "a", "b"] { context.insert(Plain.V1.Item(name: name)) }
          },
          step("open with the next version", .sees("a", "b")) { folder in
            try folder.open(Options.Deduped.self, plan: Preparing<Options.Deduped>.self)
              .rows(Options.Deduped.Item.self) { $0.name }
          },
        ]),
      upgrade(
        "unique-removed", "a constraint that goes lets equal rows in", rows: ["unique-removed"],
        facts: ["migration#remove-unique"],
        from: Options.Distinct.self, to: Options.NotUnique.self, fill: Options.Distinct.fill,
        .sees("a", "a", "b")
      ) { context, folder in
        context.insert(Options.NotUnique.Item(name: "a"))
        try context.save()
        return try context.rows(Options.NotUnique.Item.self) { $0.name } + itemIndexes(folder)
      },
      failure(
        "compound-unique-added", "two rows that are alike in all of a constraint make it fail",
        rows: ["compound-unique-added"], facts: ["migration#add-unique"],
        from: Options.Pairs.self, to: Options.UniquePairs.self, fill: Options.Pairs.fillAlike,
        code: 134110),
      upgrade(
        "compound-unique-added-without-duplicates", "rows that differ in part of it are kept",
        rows: ["compound-unique-added"], facts: ["migration#add-unique"],
        from: Options.Pairs.self, to: Options.UniquePairs.self, fill: Options.Pairs.fill,
        .sees("a x", "a y")
      ) { context, _ in
        try context.rows(Options.UniquePairs.Item.self) { "\($0.name) \(text($0.kind))" }
      },
      upgrade(
        "unique-nulls", "rows with NULL in a constraint never collide",
        rows: ["compound-unique-added"], facts: ["migration#unique-nulls"],
        from: Options.Pairs.self, to: Options.UniquePairs.self, fill: Options.Pairs.fillNils,
        .sees("a nil", "a nil")
      ) { context, _ in
        try context.rows(Options.UniquePairs.Item.self) { "\($0.name) \(text($0.kind))" }
      },
      Experiment(
        id: "compound-unique-deduped",
        claim: "rows that willMigrate deletes are gone when a constraint of two is made",
        rows: ["compound-unique-deduped"], facts: ["migration#add-unique"],
        steps: [
          writing(Options.Pairs.self, Options.Pairs.fillAlike),
          step("open with the next version", .sees("a x")) { folder in
            try folder.open(Options.DedupedPairs.self, plan: Preparing<Options.DedupedPairs>.self)
              .rows(Options.DedupedPairs.Item.self) { "\($0.name) \(text($0.kind))" }
          },
        ]),
      upgrade(
        "compound-unique-implied", "rows of which a part was unique already are kept",
        rows: ["compound-unique-implied"], facts: ["migration#add-unique"],
        from: Options.NamedPairs.self, to: Options.UniquePairs.self, fill: Options.NamedPairs.fill,
        .sees("a x", "b x")
      ) { context, _ in
        try context.rows(Options.UniquePairs.Item.self) { "\($0.name) \(text($0.kind))" }
      },
      upgrade(
        "compound-unique-removed", "a constraint of two that goes lets equal rows in",
        rows: ["compound-unique-removed"], facts: ["migration#remove-unique"],
        from: Options.UniquePairs.self, to: Options.NoPairs.self, fill: Options.UniquePairs.fill,
        .sees("a x", "a x", "a y")
      ) { context, _ in
        context.insert(Options.NoPairs.Item(name: "a", kind: "x"))
        try context.save()
        return try context.rows(Options.NoPairs.Item.self) { "\($0.name) \(text($0.kind))" }
      },
    ]
  }
}
