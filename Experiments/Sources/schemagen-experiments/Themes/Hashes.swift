import Foundation
import SwiftData

/// Models whose hashes schemagen has computed by its recipe (docs/facts/identity.md#the-hash-of-an-entity).
///
/// Each entity's name says what of the recipe it is about.
enum Hashed {
  enum Types: First {
    static var models: [any PersistentModel.Type] {
      [
        HasInt.self, HasUInt.self, HasInt32.self, HasUInt32.self, HasInt16.self, HasUInt16.self,
        HasBool.self, HasDouble.self, HasFloat.self, HasDecimal.self, HasString.self,
        HasDate.self, HasData.self, HasUUID.self, HasURL.self, HasArray.self, HasStructs.self,
      ]
    }
    @Model final class HasInt {
      var one: Int = 0
      var other: Int64?
      init() {}
    }
    @Model final class HasUInt {
      var one: UInt = 0
      var other: UInt64 = 0
      init() {}
    }
    @Model final class HasInt32 {
      var one: Int32 = 0
      init() {}
    }
    @Model final class HasUInt32 {
      var one: UInt32 = 0
      init() {}
    }
    @Model final class HasInt16 {
      var one: Int16 = 0
      var other: Int8 = 0
      init() {}
    }
    @Model final class HasUInt16 {
      var one: UInt16 = 0
      var other: UInt8 = 0
      init() {}
    }
    @Model final class HasBool {
      var one: Bool = false
      init() {}
    }
    @Model final class HasDouble {
      var one: Double = 0
      var other: TimeInterval?
      init() {}
    }
    @Model final class HasFloat {
      var one: Float = 0
      init() {}
    }
    @Model final class HasDecimal {
      var one: Decimal = Decimal(0)
      init() {}
    }
    @Model final class HasString {
      var one: String = ""
      var other: String?
      init() {}
    }
    @Model final class HasDate {
      var one: Date?
      init() {}
    }
    @Model final class HasData {
      var one: Data?
      init() {}
    }
    @Model final class HasUUID {
      var one: UUID?
      init() {}
    }
    @Model final class HasURL {
      var one: URL?
      init() {}
    }
    @Model final class HasArray {
      var one: [String] = []
      var other: [UUID] = []
      init() {}
    }
    @Model final class HasStructs {
      var one: [Values.Place] = []
      init() {}
    }
  }

  struct Outer: Codable {
    var title: String
    var inner: Values.Place
  }

  struct Listing: Codable {
    var title: String
    var places: [Values.Place]
  }

  /// Its keys are others than its properties.
  struct Keyed: Codable {
    var inside: String

    enum CodingKeys: String, CodingKey { case inside = "outside" }
  }

  /// Coloured values of cases.
  enum Figure: Codable {
    case circle(radius: Double)
    case polygon(Int)
  }

  enum Composites: First {
    static var models: [any PersistentModel.Type] {
      [
        HasEnum.self, HasPlainEnum.self, HasStruct.self, HasOptionalStruct.self,
      ]
    }
    @Model final class HasEnum {
      var mood: Values.Mood = Values.Mood.glad
      init() {}
    }
    @Model final class HasPlainEnum {
      var shape: Values.Two?
      init() {}
    }
    @Model final class HasStruct {
      var place: Values.Place = Values.Place(street: "", number: nil)
      init() {}
    }
    @Model final class HasOptionalStruct {
      var place: Values.Place?
      init() {}
    }
  }

  /// By itself, for the portable runtime gives no hashes to a version of which one is not certain.
  enum Nested: First {
    static var models: [any PersistentModel.Type] { [HasNested.self] }
    @Model final class HasNested {
      var outer: Outer?
      init() {}
    }
  }

  enum Listings: First {
    static var models: [any PersistentModel.Type] { [HasListing.self] }
    @Model final class HasListing {
      var listing: Listing?
      init() {}
    }
  }

  /// By itself, as `Nested`.
  enum Several: First {
    static var models: [any PersistentModel.Type] { [UniqueTwice.self] }
    @Model final class UniqueTwice {
      #Unique<UniqueTwice>([\.one], [\.another])
      var one: String?
      var another: String?
      init() {}
    }
  }

  enum Parts: First {
    static var models: [any PersistentModel.Type] {
      [
        Bare.self, Ordered.self, Modified.self, UniqueOne.self, UniquePair.self, External.self,
        Preserved.self, Ephemeral.self, Neutral.self,
      ]
    }
    @Model final class Bare {
      var one: String?
      init() {}
    }
    /// Capitals come before small letters.
    @Model final class Ordered {
      var name: String?
      var assumedLanguageCode: String?
      var ascReviewID: String?
      // swift-format-ignore
      var URLString: String?
      init() {}
    }
    @Model final class Modified {
      @Attribute(hashModifier: "2") var one: String?
      init() {}
    }
    @Model final class UniqueOne {
      @Attribute(.unique) var one: String?
      init() {}
    }
    @Model final class UniquePair {
      #Unique<UniquePair>([\.one, \.another])
      var one: String?
      var another: String?
      init() {}
    }
    @Model final class External {
      @Attribute(.externalStorage) var one: Data?
      init() {}
    }
    @Model final class Preserved {
      @Attribute(.preserveValueOnDeletion) var one: String?
      init() {}
    }
    @Model final class Ephemeral {
      var one: String?
      @Attribute(.ephemeral) var gone: String?
      init() {}
    }
    /// What is not hashed.
    @Model final class Neutral {
      #Index<Neutral>([\.one])
      @Attribute(.spotlight, .allowsCloudEncryption, originalName: "first") var one: String? =
        "default"
      @Transient var gone: Int = 0
      init() {}
    }
  }

  enum Relations: First {
    static var models: [any PersistentModel.Type] {
      [
        Owner.self, Pet.self, Toy.self, Tag.self, Club.self, Member.self, Node.self,
      ]
    }
    @Model final class Owner {
      @Relationship(deleteRule: .cascade, inverse: \Pet.owner) var pets: [Pet] = []
      init() {}
    }
    @Model final class Pet {
      var owner: Owner?
      init() {}
    }
    /// A mandatory to-one without an inverse, and one with a modifier.
    @Model final class Toy {
      var pet: Pet
      @Relationship(hashModifier: "2") var other: Pet?
      init(pet: Pet) { self.pet = pet }
    }
    /// To-many without an inverse.
    @Model final class Tag {
      var pets: [Pet] = []
      init() {}
    }
    @Model final class Club {
      @Relationship(minimumModelCount: 1, maximumModelCount: 5, inverse: \Member.clubs)
      var members: [Member] = []
      init() {}
    }
    @Model final class Member {
      var clubs: [Club]? = []
      init() {}
    }
    @Model final class Node {
      var parent: Node?
      @Relationship(inverse: \Node.parent) var children: [Node] = []
      init() {}
    }
  }
}

extension Experiment {
  /// Each says of one entity what its hash is.
  static var hashes: [Experiment] {
    hashesOfTypes + composites + parts + hashesOfRelations + [
      checksum, digest, identifier, frameworkVersion,
    ]
  }

  private static func hash(
    _ id: String, _ claim: String, _ facts: [String], partly: [String] = [],
    of version: any VersionedSchema.Type, _ entity: String
  ) -> Experiment {
    Experiment(
      id: "hash-\(id)", claim: claim, facts: facts, partly: partly + ["identity#entity-hash"],
      steps: [
        writing(version, Plain.nothing),
        step("read its hash", .sees(HashConstants.entities[entity] ?? "")) { folder in
          [try StoreFile(folder.store).hashes()[entity] ?? "no such entity"]
        },
      ])
  }

  private static var hashesOfTypes: [Experiment] {
    func type(
      _ id: String, _ name: String, _ fact: String, _ entity: String, partly: [String] = []
    ) -> Experiment {
      hash(
        id, "the hash of an entity with \(name) is what the recipe makes of that type",
        ["identity#\(fact)"], partly: partly + ["store-format#type-codes"],
        of: Hashed.Types.self, entity)
    }
    return [
      type("of-int", "Int and Int64", "type-int", "HasInt"),
      type(
        "of-uint", "UInt and UInt64", "type-uint", "HasUInt", partly: ["identity#type-uint64"]),
      type("of-int32", "Int32", "type-int32", "HasInt32"),
      type("of-uint32", "UInt32", "type-uint32", "HasUInt32"),
      type("of-int16", "Int16 and Int8", "type-int16", "HasInt16"),
      type("of-uint16", "UInt16 and UInt8", "type-narrow", "HasUInt16"),
      type("of-bool", "Bool", "type-bool", "HasBool"),
      type("of-double", "Double and TimeInterval", "type-double", "HasDouble"),
      type("of-float", "Float", "type-float", "HasFloat"),
      type("of-decimal", "Decimal", "type-decimal", "HasDecimal"),
      type("of-string", "String", "type-string", "HasString"),
      type("of-date", "Date", "type-date", "HasDate"),
      type("of-data", "Data", "type-data", "HasData"),
      type("of-uuid", "UUID", "type-uuid", "HasUUID"),
      type("of-url", "URL", "type-url", "HasURL"),
      type(
        "of-array", "arrays of plain types", "type-plain-array", "HasArray",
        partly: ["identity#type-rules-order"]),
      type("of-structs", "an array of structs", "type-codable-array", "HasStructs"),
    ]
  }

  private static var composites: [Experiment] {
    func composite(
      _ id: String, _ claim: String, _ facts: [String], _ entity: String, partly: [String] = [],
      of version: any VersionedSchema.Type = Hashed.Composites.self
    ) -> Experiment {
      hash(id, claim, facts, partly: partly, of: version, entity)
    }
    return [
      composite(
        "of-enum", "an enum with raw values is one optional leaf of the raw type",
        ["identity#type-raw-value-enum", "identity#enum-leaf-is-optional"], "HasEnum"),
      composite(
        "of-plain-enum", "an enum without raw values is an optional leaf of text for each case",
        ["identity#type-plain-enum"], "HasPlainEnum"),
      composite(
        "of-struct", "a struct is a leaf for each field",
        ["identity#type-struct", "identity#composite-by-leaves"], "HasStruct"),
      composite(
        "of-optional-struct", "of an optional struct all leaves are optional",
        ["identity#leaf-optionality"], "HasOptionalStruct"),
      composite(
        "of-nested-struct", "leaves of a struct in a struct are sorted among all",
        ["identity#leaves-are-flattened"], "HasNested", partly: ["identity#nested-composites"],
        of: Hashed.Nested.self),
      composite(
        "of-array-in-struct", "an array of structs in a struct is binary",
        ["identity#type-codable-array-in-struct"], "HasListing", of: Hashed.Listings.self),
    ]
  }

  private static var parts: [Experiment] {
    func part(
      _ id: String, _ claim: String, _ facts: [String], _ entity: String,
      of version: any VersionedSchema.Type = Hashed.Parts.self
    ) -> Experiment {
      hash(id, claim, facts, of: version, entity)
    }
    return [
      part("of-one-attribute", "the recipe holds", ["identity#entity-hash"], "Bare"),
      part(
        "in-name-order", "properties are hashed in the order of character codes",
        ["identity#name-order"], "Ordered"),
      part(
        "with-modifier", "a hashModifier is hashed", ["identity#hash-modifier-is-hashed"],
        "Modified"),
      part(
        "with-unique", "uniqueness is hashed",
        ["identity#unique-is-hashed", "identity#constraint-in-hash"], "UniqueOne"),
      part(
        "with-unique-pair", "a constraint of two is joined with a point",
        ["identity#constraint-in-hash"], "UniquePair"),
      part(
        "with-two-constraints", "several constraints are sorted",
        ["identity#constraints-are-sorted"], "UniqueTwice", of: Hashed.Several.self),
      part(
        "with-external-storage", "external storage is hashed",
        ["identity#external-storage-is-hashed"], "External"),
      part(
        "with-preserved-value", "preserveValueOnDeletion is hashed",
        ["identity#preserve-is-hashed"], "Preserved"),
      part(
        "without-ephemeral", "what is ephemeral is not hashed",
        ["identity#ephemeral-is-transient", "identity#transient-leaves-the-hash"], "Ephemeral"),
      part(
        "without-the-rest",
        "default, index, spotlight, cloud encryption, originalName and @Transient are not hashed",
        [
          "identity#not-hashed", "identity#default-not-hashed", "identity#index-not-hashed",
          "identity#cloud-encryption-not-hashed", "identity#original-name-not-hashed",
          "identity#transient-not-in-model",
        ], "Neutral"),
    ]
  }

  private static var hashesOfRelations: [Experiment] {
    func relation(_ id: String, _ claim: String, _ facts: [String], _ entity: String) -> Experiment
    { hash(id, claim, facts, of: Hashed.Relations.self, entity) }
    return [
      relation(
        "of-to-many", "a to-many has no bounds, its inverse is hashed, its delete rule is not",
        [
          "identity#relation-to-many", "identity#inverse-in-hash",
          "identity#delete-rule-not-hashed", "identity#never-ordered",
        ], "Owner"),
      relation(
        "of-optional-to-one", "an optional to-one is at most one",
        ["identity#relation-optional-to-one"], "Pet"),
      relation(
        "of-to-one", "a mandatory to-one without an inverse adds none",
        ["identity#relation-to-one", "identity#hash-modifier-is-hashed"], "Toy"),
      relation(
        "of-to-many-without-inverse", "a to-many without an inverse adds none",
        ["identity#relation-to-many", "identity#inverse-in-hash"], "Tag"),
      relation(
        "of-bounds", "bounds are hashed as they are written",
        ["identity#to-many-counts", "identity#counts-are-hashed"], "Club"),
      relation(
        "of-optional-to-many", "an optional to-many is optional",
        ["identity#relation-optional-to-many"], "Member"),
      relation(
        "of-tree", "a class that leads to itself both ways has a declared inverse",
        ["identity#inverse-in-hash"], "Node"),
    ]
  }

  // MARK: Metadata

  private static func metadata(
    _ id: String, _ claim: String, _ facts: [String], key: String, is expected: String,
    limits: [Experiment.Limit] = [], _ words: @escaping (Any) -> String
  ) -> Experiment {
    Experiment(
      id: id, claim: claim, facts: facts, partly: ["store-format#metadata"],
      steps: [
        writing(Hashed.Parts.self, Plain.nothing),
        step("read \(key)", .sees(expected)) { folder in
          guard let value = try StoreFile(folder.store).metadata()[key] else {
            throw Undecidable("the store has no \(key)")
          }
          return [words(value)]
        },
      ], limits: limits)
  }

  private static var checksum: Experiment {
    metadata(
      "version-checksum", "the version's checksum is made of the entities' hashes",
      ["identity#version-checksum", "store-format#checksum-formulas"],
      key: "NSStoreModelVersionChecksumKey", is: HashConstants.checksum
    ) { "\($0)" }
  }

  private static var digest: Experiment {
    metadata(
      "version-digest", "the version's digest is made of names and hashes",
      ["identity#version-digest", "store-format#checksum-formulas"],
      key: "NSStoreModelVersionHashesDigest", is: HashConstants.digest
    ) { value in (value as? Data)?.base64EncodedString() ?? "\(value)" }
  }

  private static var identifier: Experiment {
    metadata(
      "version-identifier", "Schema.Version is kept as text", ["identity#version-identifier"],
      key: "NSStoreModelVersionIdentifiers", is: "1.0.0"
    ) { value in (value as? [String])?.joined(separator: ", ") ?? "\(value)" }
  }

  private static var frameworkVersion: Experiment {
    metadata(
      "hash-version", "the hashes' own version is 3", ["identity#hash-version"],
      key: "NSStoreModelVersionHashesVersion", is: "3",
      limits: [
        .portable("the runtime writes a number of its own, so that Core Data refuses its stores")
      ]
    ) { "\($0)" }
  }
}
