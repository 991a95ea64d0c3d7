internal import ManagedModels
internal import StoreFormat

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

  /// The stages that a store of a version has to go through, in order.
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
    let entities: [Entity]
    /// Base64 of Core Data's hash of each entity, as a store that has shipped has proven them; empty where there is none.
    public let knownHashes: [String: String]
    /// The same, made of the manifest; empty where something that is hashed is not certain. A store that has them is of
    /// this version; one that has others may still be, as its tables tell.
    public let computedHashes: [String: String]

    /// Describes a version of the plan by its entities, in any order.
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
    public var name: String { managed.name }
    /// The entity in Core Data's terms, as far as tables tell.
    var managed: ManagedEntity
    /// Columns, as `Entity.attribute.element`, whose declaration in SQLite is unknown.
    let untyped: Set<String>
    let isOpen: Bool

    /// Describes an entity by its name, and by what the library compares of it.
    ///
    /// - Parameters:
    ///   - name: The class's name, without the version's.
    ///   - parent: The entity that it inherits from; its properties are not repeated here.
    ///   - attributes: Its own stored attributes, in any order. Transient ones are left out.
    ///   - relationships: Its own relationships, in any order.
    ///   - uniques: Names of the properties of each uniqueness constraint.
    ///   - isOpen: Whether it has attributes beside these whose columns are not known: of `Codable` types that nobody has
    ///     told the parts of. Then the store may have columns that no attribute has.
    public init(
      _ name: String, parent: String? = nil, attributes: [Attribute] = [],
      relationships: [Relationship] = [], uniques: [[String]] = [], isOpen: Bool = false
    ) {
      let plain = Set(attributes.map(\.managed).filter { $0.type != .composite }.map(\.name))
      managed = ManagedEntity(
        name: name, superentity: parent, attributes: attributes.map(\.managed),
        relationships: relationships.map(\.managed),
        uniqueness: uniques.map { $0.map { Self.place($0, plain) } })
      untyped = Set(attributes.flatMap(\.untyped).map { "\(name).\($0)" })
      self.isOpen = isOpen
    }

    /// "kind.rawValue" is the column of 'kind', and of a path through several structs the last is the column's name.
    private static func place(_ path: String, _ plain: Set<String>) -> String {
      let parts = path.split(separator: ".").map(String.init)
      guard let first = parts.first, let last = parts.last, parts.count > 1 else { return path }
      return plain.contains(first) || last == "rawValue" ? first : "\(first).\(last)"
    }
  }

  /// One stored attribute.
  public struct Attribute: Sendable, Hashable {
    let managed: ManagedAttribute
    /// Columns, as `attribute.element`, whose declaration in SQLite is unknown.
    let untyped: [String]

    /// An attribute with one column of its own name, as a `Codable` enum with a raw value has it, too.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - isOptional: Whether it may be nil.
    ///   - type: How SQLite declares the column; `nil` where that is not known, and then not looked at.
    public init(_ name: String, isOptional: Bool = false, type: ColumnType? = nil) {
      managed = ManagedAttribute(
        name: name, type: type?.attribute ?? .binary, isOptional: isOptional)
      untyped = type == nil ? [name] : []
    }

    /// An attribute with columns of other names: one for each stored property of a Codable struct and for each case of an
    /// enum without a raw value.
    public init(_ name: String, isOptional: Bool = false, columns: [String]) {
      managed = ManagedAttribute(
        name: name, type: .composite, isOptional: isOptional,
        elements: columns.map { ManagedAttribute(name: $0, type: .binary, isOptional: true) })
      untyped = columns.map { "\(name).\($0)" }
    }
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

    /// An attribute type whose column is declared so.
    fileprivate var attribute: AttributeType {
      switch self {
      case .integer: .integer64
      case .float: .double
      case .decimal: .decimal
      case .timestamp: .date
      case .varchar: .string
      case .blob: .binary
      }
    }
  }

  /// One relationship, seen from the entity that has it.
  public struct Relationship: Sendable, Hashable {
    let managed: ManagedRelationship

    /// Describes a relationship by its name, and by where it leads.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - destination: The entity at the other end.
    ///   - inverse: The relationship of the entity at the other end that is the same link; also where SwiftData found it
    ///     by itself.
    ///   - isOptional: To-one only: whether it may be nil.
    ///   - isToMany: Whether it leads to many rows.
    public init(
      _ name: String, to destination: String, inverse: String? = nil, isOptional: Bool = true,
      isToMany: Bool = false
    ) {
      managed = ManagedRelationship(
        name: name, destination: destination, inverse: inverse, isToMany: isToMany,
        isOptional: isOptional)
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

extension MigrationPlanDescription {
  /// Every version that a store can be of, the retired ones first.
  var known: [Version] { retired + versions }
}

extension MigrationPlanDescription.Version {
  /// The version for comparison with a store: what its tables tell, and no more.
  var candidate: VersionCandidate {
    var gaps = VersionCandidate.Gaps()
    gaps.isLayoutOnly = true
    gaps.entities = Set(entities.filter(\.isOpen).map(\.name))
    gaps.types = entities.reduce(into: []) { $0.formUnion($1.untyped) }
    return VersionCandidate(
      name: name,
      model: ManagedModel(
        entities: entities.map(\.managed), versionIdentifier: number.description),
      isBridge: isBridge, knownHashes: knownHashes, computedHashes: computedHashes, gaps: gaps)
  }
}
