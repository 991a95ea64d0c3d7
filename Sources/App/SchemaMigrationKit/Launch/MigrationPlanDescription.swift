/// What a store can be, and the way from each version to the next: a schema's versions and stages as plain values.
///
/// The generator writes one for each schema, from the manifests. Nothing in it needs SwiftData: names of entities,
/// properties and columns, and what becomes of rows.
public struct MigrationPlanDescription: Sendable, Hashable {
  /// Every version that the migration plan has, bridges included, the oldest first.
  public let versions: [Version]
  /// One for each consecutive pair of versions, in order.
  public let stages: [Stage]
  /// Versions that were in the plan once, the oldest first: their stores are known, and left alone.
  public let retired: [Version]
  /// The last release of the app that migrates stores of these, as users know it; nil where none is named.
  public let retiredThrough: String?
  /// How stores of older versions of a Core Data model come to a version of the plan; nil where there are none.
  public let coreData: CoreDataStep?

  /// Describes a plan, as generated code does.
  public init(
    versions: [Version], stages: [Stage] = [], retired: [Version] = [],
    retiredThrough: String? = nil, coreData: CoreDataStep? = nil
  ) {
    self.coreData = coreData
    self.versions = versions
    self.stages = stages
    self.retired = retired
    self.retiredThrough = retiredThrough
  }

  /// The version that the app works with: the last one.
  public var newest: Version? { versions.last }

  /// The version of a number.
  public func version(_ number: StoreVersion) -> Version? {
    versions.first { $0.number == number }
  }

  /// The stages that a store of a version has before it, in order.
  func stages(from number: StoreVersion) -> [Stage] {
    guard let first = stages.firstIndex(where: { $0.from == number }) else { return [] }
    return Array(stages[first...])
  }

  /// One version of the schema, or a bridge between two.
  public struct Version: Sendable, Hashable {
    /// As `Schema.Version` has it.
    public let number: StoreVersion
    /// What people call it: "V8", or "V8ToV9" for a bridge.
    public let name: String
    /// Whether it only is a step of a migration, at which no app stops.
    public let isBridge: Bool
    /// Its entities, in any order.
    public let entities: [Entity]
    /// Base64 of Core Data's hash of each entity, as a store that has shipped has proven them; empty where there is none.
    public let knownHashes: [String: String]
    /// The same, made of the manifest; empty where something that is hashed is not certain. A store that has them is of
    /// this version; one that has others may still be, as its tables tell.
    public let computedHashes: [String: String]

    /// Describes a version of the plan.
    public init(
      number: StoreVersion, name: String, isBridge: Bool = false,
      entities: [Entity], knownHashes: [String: String] = [:],
      computedHashes: [String: String] = [:]
    ) {
      self.number = number
      self.name = name
      self.isBridge = isBridge
      self.entities = entities
      self.knownHashes = knownHashes
      self.computedHashes = computedHashes
    }
  }

  /// One model class, as the store knows it.
  public struct Entity: Sendable, Hashable {
    /// The entity's name: the class's, without the version's.
    public let name: String
    /// The entity that it inherits from; its properties are not repeated here.
    public let parent: String?
    /// Its own stored attributes, in any order. Transient ones are left out.
    public let attributes: [Attribute]
    /// Its own relationships, in any order.
    public let relationships: [Relationship]
    /// Names of the properties of each uniqueness constraint.
    public let uniques: [[String]]
    /// Whether it has attributes beside these whose columns are not known: of `Codable` types that nobody has told the
    /// parts of. Then the store may have columns that no attribute has.
    public let isOpen: Bool

    /// Describes an entity by its name, and by what the library compares of it.
    public init(
      _ name: String, parent: String? = nil, attributes: [Attribute] = [],
      relationships: [Relationship] = [], uniques: [[String]] = [], isOpen: Bool = false
    ) {
      self.name = name
      self.parent = parent
      self.attributes = attributes
      self.relationships = relationships
      self.uniques = uniques
      self.isOpen = isOpen
    }
  }

  /// One stored attribute.
  public struct Attribute: Sendable, Hashable {
    /// The property's name.
    public let name: String
    /// Whether it may be nil.
    public let isOptional: Bool
    /// Where its values are: one column of its own name, or one for each stored property of a Codable struct and for
    /// each case of an enum without a raw value. `Codable` enums with a raw value have one column of their own name.
    public let columns: [Column]

    /// An attribute with one column of its own name.
    public init(_ name: String, isOptional: Bool = false, type: ColumnType? = nil) {
      self.init(name, isOptional: isOptional, columns: [Column(name, type)])
    }

    /// An attribute with columns of other names, or with more than one.
    public init(_ name: String, isOptional: Bool = false, columns: [Column]) {
      self.name = name
      self.isOptional = isOptional
      self.columns = columns
    }
  }

  /// One column of an attribute, before it gets its "Z" and its upper case.
  public struct Column: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name of the property, or of the element of a composite one.
    public let name: String
    /// How SQLite declares it; `nil` where that is not known, and then not looked at.
    public let type: ColumnType?

    /// Describes a column by its name and type.
    public init(_ name: String, _ type: ColumnType? = nil) {
      self.name = name
      self.type = type
    }

    public init(stringLiteral name: String) { self.init(name) }
  }

  /// The types that Core Data declares columns with.
  public enum ColumnType: String, Sendable, Hashable {
    /// `Int`, `Bool`, and everything else without a point.
    case integer = "INTEGER"
    /// `Double` and `Float`.
    case float = "FLOAT"
    /// `Decimal`.
    case decimal = "DECIMAL"
    /// `Date`: seconds since 2001.
    case timestamp = "TIMESTAMP"
    /// `String` and `URL`.
    case varchar = "VARCHAR"
    /// `Data`, `UUID`, and what is archived.
    case blob = "BLOB"
  }

  /// One relationship, seen from the entity that has it.
  public struct Relationship: Sendable, Hashable {
    /// The property's name.
    public let name: String
    /// The entity at the other end.
    public let destination: String
    /// The relationship of the entity at the other end that is the same link; also where SwiftData found it by itself.
    public let inverse: String?
    /// To-one only: whether it may be nil.
    public let isOptional: Bool
    /// Whether it leads to many rows.
    public let isToMany: Bool

    /// Describes a relationship by its name, and by where it leads.
    public init(
      _ name: String, to destination: String, inverse: String? = nil, isOptional: Bool = true,
      isToMany: Bool = false
    ) {
      self.name = name
      self.destination = destination
      self.inverse = inverse
      self.isOptional = isOptional
      self.isToMany = isToMany
    }
  }

  /// The way from one version to the next.
  public struct Stage: Sendable, Hashable {
    /// The version that it begins at.
    public let from: StoreVersion
    /// The version that it leads to.
    public let to: StoreVersion
    /// Whether the app's code runs in it.
    public let kind: Kind
    /// What people are told, and what `MigrationActivity` is told when the app's code begins: "V8 → V9: Time zones".
    public let title: String
    /// What becomes of rows, by entities of the version that it leads to, and for those that it drops. Entities that
    /// are not named keep their rows.
    ///
    /// Many-to-many relationships keep their links where the entities at both ends keep their rows. What is said under
    /// `Entity.relationship`, of either side, goes for the links alone: `"Note.tags": .mayChange("old tags go")`, or
    /// `"Note.labels": .renamed(from: "Note.tags")`.
    public let rowEffects: [String: RowEffect]
    /// Whether a stage that was killed may simply be run again. Those of generated code may. One that reads old
    /// values in `willMigrate` and writes them in `didMigrate` may not: then the backup is put back first.
    public let isRepeatable: Bool

    /// Whether the app's code runs in a stage.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// Core Data does it by itself.
      case lightweight
      /// The app's code runs.
      case custom
      /// Core Data migrates the store before SwiftData opens it.
      case coreData
    }

    /// Describes a stage between two versions.
    public init(
      from: StoreVersion, to: StoreVersion, kind: Kind = .lightweight, title: String,
      rowEffects: [String: RowEffect] = [:], isRepeatable: Bool = true
    ) {
      self.from = from
      self.to = to
      self.kind = kind
      self.title = title
      self.rowEffects = rowEffects
      self.isRepeatable = isRepeatable
    }
  }

  /// What a stage does to the number of an entity's rows.
  public enum RowEffect: Sendable, Hashable {
    /// There are as many rows after it.
    case kept
    /// There are as many rows as the entity of this name, which it was before, had.
    case renamed(from: String)
    /// There may be more or fewer, for this reason: a unique constraint that merges rows, code that deletes some.
    case mayChange(String)
    /// The entity is dropped with its rows.
    case removed
    /// The entity is new; any number is right.
    case created
  }
}
