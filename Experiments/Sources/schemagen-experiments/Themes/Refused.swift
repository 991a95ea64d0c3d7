import Foundation
import SwiftData

/// What compiles, and ends the process where the schema is built or a row is saved.
enum Refused {
  struct Described: Codable {
    var description: String
  }

  struct Scheduled: Codable {
    var when: DateComponents
  }

  /// A listed class, and another of the same name to which a relationship leads.
  enum ReachedNamesake: First {
    static var models: [any PersistentModel.Type] { [Goal.self, Hit.self] }
    @Model final class Goal {
      var listed: Int = 1
      init() {}
    }
    @Model final class Hit {
      var goal: Elsewhere.Goal?
      init() {}
    }
    enum Elsewhere {
      @Model final class Goal {
        var reached: Int = 1
        init() {}
      }
    }
  }

  /// A property with the name of one that Core Data's rows have, and one without.
  enum Flagged: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var deleted: Bool = false
      var done: Bool = false
      init() {}
    }
  }

  enum Description: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var detail: Described?
      init() {}
    }
  }

  enum Components: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var schedule: Scheduled?
      init(schedule: Scheduled?) { self.schedule = schedule }
    }
  }

  enum Unkeyed: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var span: Range<Int>
      init(span: Range<Int>) { self.span = span }
    }
  }

  enum OptionalArray: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var tags: [String]?
      init(tags: [String]?) { self.tags = tags }
    }

    static func fill(_ context: ModelContext) throws {
      context.insert(Item(tags: ["x"]))
      context.insert(Item(tags: nil))
    }
  }

  /// A word that a transformer makes data of.
  final class Word: NSObject {
    let text: String

    init(_ text: String) { self.text = text }
  }

  enum Untransformed: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      @Attribute(.transformable(by: "SchemagenNoSuchTransformer")) var word: Word?
      init(word: Word?) { self.word = word }
    }
  }

  enum Transformed: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      @Attribute(.transformable(by: SchemagenPlain.self)) var word: Word?
      init(word: Word?) { self.word = word }
    }

    static func fill(_ context: ModelContext) throws { context.insert(Item(word: Word("ab"))) }
  }

  enum TransformedOtherwise: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      @Attribute(.transformable(by: SchemagenReversed.self)) var word: Word?
      init(word: Word?) { self.word = word }
    }
  }

  enum UniqueList: First {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      @Relationship(.unique) var pets: [Pet] = []
      init() {}
    }
    @Model final class Pet {
      var name: String = ""
      init() {}
    }
  }

  /// Two models of one simple name.
  enum Namesakes: First {
    static var models: [any PersistentModel.Type] { [Plain.V1.Item.self, Types.Whole.Item.self] }
  }
}

/// Text as it is.
class SchemagenPlain: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { Refused.Word.self }
  override class func allowsReverseTransformation() -> Bool { true }
  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Refused.Word).map { Data($0.text.utf8) }
  }
  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { Refused.Word(String(decoding: $0, as: UTF8.self)) }
  }

  /// Apple's systems ask for transformers by name.
  static func register() {
    #if canImport(Darwin)
      for (transformer, name) in [
        (SchemagenPlain(), "SchemagenPlain"), (SchemagenReversed(), "SchemagenReversed"),
      ] {
        for name in [name, NSStringFromClass(type(of: transformer))] {
          ValueTransformer.setValueTransformer(
            transformer, forName: NSValueTransformerName(rawValue: name))
        }
      }
    #endif
  }
}

/// Text from its end.
final class SchemagenReversed: SchemagenPlain {
  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Refused.Word).map { Data(String($0.text.reversed()).utf8) }
  }
  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map {
      Refused.Word(String(String(decoding: $0, as: UTF8.self).reversed()))
    }
  }
}

extension Experiment {
  /// A new store is written, and the process ends.
  private static func ending(
    _ id: String, _ claim: String, facts: [String] = [], partly: [String] = [],
    limits: [Limit] = [],
    _ expectation: Expectation = .traps(), of version: any VersionedSchema.Type,
    fill: @escaping (ModelContext) throws -> Void = Plain.nothing
  ) -> Experiment {
    Experiment(
      id: id, claim: claim, facts: facts, partly: partly,
      steps: [
        step("write a store", expectation) { folder in
          try folder.write(version, fill)
          return ["it was written"]
        }
      ], limits: limits)
  }

  static var refused: [Experiment] {
    let lenient = Limit.portable("the runtime stores it, as JSON")
    return [
      ending(
        "description-in-struct", "a field named 'description' ends the process",
        facts: ["swiftdata#description-is-refused"], partly: ["migration#schema-checks"],
        of: Refused.Description.self),
      ending(
        "components-in-struct", "a field of a type that cannot be stored ends the process",
        partly: ["swiftdata#fatal-field-types", "migration#schema-checks"],
        limits: [lenient], of: Refused.Components.self,
        fill: one(Refused.Components.Item(schedule: nil))),
      ending(
        "unkeyed-type", "a type that encodes without keys ends the process at the first save",
        facts: ["swiftdata#unkeyed-types"], limits: [lenient], of: Refused.Unkeyed.self,
        fill: one(Refused.Unkeyed.Item(span: 1..<3))),
      ending(
        "unregistered-transformer", "a transformer that nobody registered ends the process",
        facts: ["swiftdata#unregistered-transformer"], partly: ["migration#schema-checks"],
        of: Refused.Untransformed.self,
        fill: one(Refused.Untransformed.Item(word: Refused.Word("a")))),
      ending(
        "unique-to-many", ".unique on a to-many ends the process",
        facts: ["swiftdata#unique-to-many"],
        limits: [.portable("the runtime makes nothing of it")], of: Refused.UniqueList.self),
      Experiment(
        id: "optional-array", claim: "what becomes of an optional array of text",
        partly: ["swiftdata#optional-string-array"],
        steps: [
          step("write a store, and read it", .anything) { folder in
            try folder.write(Refused.OptionalArray.self, Refused.OptionalArray.fill)
            return try folder.open(Refused.OptionalArray.self)
              .rows(Refused.OptionalArray.Item.self) { text($0.tags) }
          }
        ]),
      neutral(
        "transformer-changed", "another transformer is not seen", rows: ["transformer-changed"],
        facts: ["identity#transformer-not-hashed"],
        partly: ["swiftdata#transformer-values-are-opaque", "identity#type-transformable"],
        from: Refused.Transformed.self, to: Refused.TransformedOtherwise.self,
        fill: Refused.Transformed.fill, sees: ["rows: 1"]
      ) { context, _ in
        ["rows: \(try context.fetchCount(FetchDescriptor<Refused.TransformedOtherwise.Item>()))"]
      },
      Experiment(
        id: "namesakes", claim: "of two models of one name the later listed one counts",
        partly: ["identity#entities-are-sorted"],
        steps: [
          writing(Refused.Namesakes.self, Plain.nothing),
          step("look at the file", .sees("ZVALUE INTEGER")) { folder in
            try StoreFile(folder.store).columns("ZITEM")
          },
        ], limits: [.portable("the runtime ends the process")]),
      Experiment(
        id: "reached-namesake",
        claim: "of two models of one name, one listed and one reached, which one counts",
        partly: ["identity#listed-and-reached"],
        steps: [
          step("write a store, and look at the file", .anything) { folder in
            try folder.write(Refused.ReachedNamesake.self, Plain.nothing)
            return try StoreFile(folder.store).columns("ZGOAL")
          }
        ], limits: [.portable("the runtime ends the process")]),
      Experiment(
        id: "managed-object-name",
        claim: "a property 'deleted' goes back to its old value at each save",
        facts: ["swiftdata#names-of-managed-objects"],
        steps: [
          writing(Refused.Flagged.self, one(Refused.Flagged.Item())),
          step("set it, and save", .sees("false true")) { folder in
            let context = try folder.open(Refused.Flagged.self)
            for item in try context.all(Refused.Flagged.Item.self) {
              item.deleted = true
              item.done = true
            }
            try context.save()
            return try folder.open(Refused.Flagged.self).rows(Refused.Flagged.Item.self) {
              "\($0.deleted) \($0.done)"
            }
          },
        ], limits: [.portable("the runtime's rows are no managed objects")]),
      Experiment(
        id: "long-file-name", claim: "a file name above 255 characters is refused",
        partly: ["migration#configuration-checks"],
        steps: [
          step("open a store of such a name", .refuses("")) { folder in
            let name = String(repeating: "x", count: 260) + ".store"
            _ = try folder.open(Plain.V1.self, at: folder.url.appendingPathComponent(name))
            return ["it opened"]
          }
        ]),
      Experiment(
        id: "delete-rule-default",
        claim: "without a delete rule, what led to a deleted row leads nowhere",
        facts: ["swiftdata#delete-rule-default"],
        steps: [
          writing(Relations.Paired.self, Relations.Paired.fill),
          step("delete an owner", .sees("p nil", "q b", "r nil")) { folder in
            let context = try folder.open(Relations.Paired.self)
            for owner in try context.all(Relations.Paired.Owner.self) where owner.name == "a" {
              context.delete(owner)
            }
            try context.save()
            return try folder.open(Relations.Paired.self).rows(Relations.Paired.Pet.self) {
              "\($0.name) \(text($0.owner?.name))"
            }
          },
        ]),
      Experiment(
        id: "two-containers", claim: "whether two versions of a model can be open in one process",
        partly: ["swiftdata#name-belongs-to-first-type"],
        steps: [
          step("write a store of each, and read both", .anything) { folder in
            try folder.write(Steps.V1.self, Steps.V1.fill)
            try folder.write(Steps.V2.self, at: folder.other, Steps.V2.fill)
            let first = try folder.open(Steps.V1.self)
            let second = try folder.open(Steps.V2.self, at: folder.other)
            return try first.rows(Steps.V1.Item.self) { $0.name }
              + second.rows(Steps.V2.Item.self) { "\($0.name) \($0.count)" }
          }
        ]),
      Experiment(
        id: "link-by-either-side",
        claim: "whether links stay where only one side of them has kept its name",
        partly: ["migration#link-kept-by-either-side"],
        steps: [
          writing(Relations.Paired.self, Relations.Paired.fill),
          step("open with a version that has renamed the to-many side", .anything) { folder in
            try folder.open(
              ForgottenSide.self, plan: Upgrade<Relations.Paired, ForgottenSide>.self
            ).rows(ForgottenSide.Pet.self) { "\($0.name) \(text($0.owner?.name))" }
          },
        ]),
    ]
  }
}

/// The to-many side has another name, and says nothing of the old one.
enum ForgottenSide: Third {
  static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
  @Model final class Owner {
    var name: String
    @Relationship(inverse: \Pet.owner) var animals: [Pet] = []
    init(name: String) { self.name = name }
  }
  @Model final class Pet {
    var name: String
    var owner: Owner?
    init(name: String) { self.name = name }
  }
}
