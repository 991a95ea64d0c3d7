internal import ManagedModels
internal import StoreFormat

/// The versions that a store may have, and the migrations between them, as plain values.
///
/// The generator writes one for each schema from the manifests. A description does not need SwiftData: it has the names
/// of entities, properties and columns, and what happens to rows.
public struct MigrationPlanDescription: Sendable, Hashable {
  /// Every version in the migration plan, including bridges, the oldest first.
  public let versions: [Version]
  /// A stage for each pair of consecutive versions, in order.
  public let stages: [Stage]
  /// Versions that were removed from the plan, the oldest first. Their stores are recognised, and left alone.
  public let retired: [Version]
  /// The last release of the app that migrates stores of retired versions, as users know it; `nil` if none is named.
  public let retiredThrough: String?
  /// The migration of stores with older versions of a Core Data model; `nil` if there are none.
  public let coreData: CoreDataStep?

  /// Describes a plan, as generated code does.
  ///
  /// - Parameters:
  ///   - versions: Every version in the migration plan, including bridges, the oldest first.
  ///   - stages: A stage for each pair of consecutive versions, in order.
  ///   - retired: Versions that were removed from the plan, the oldest first.
  ///   - retiredThrough: The last release of the app that migrates stores of retired versions.
  ///   - coreData: The migration of stores with older versions of a Core Data model.
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

  /// The version with which the app works: the last one.
  public var newest: Version? { versions.last }

  /// The version in the plan with a number; `nil` if there is none.
  public func version(_ number: StoreVersion) -> Version? {
    versions.first { $0.number == number }
  }

  func stages(from number: StoreVersion) -> [Stage] {
    guard let first = stages.firstIndex(where: { $0.from == number }) else { return [] }
    return Array(stages[first...])
  }

  /// A version of the schema, or a bridge between two versions.
  public struct Version: Sendable, Hashable {
    /// The number, as in `Schema.Version`.
    public let number: StoreVersion
    /// The name for people: "V8", or "V8ToV9" for a bridge.
    public let name: String
    /// Whether the version is only a step of a migration. No app works with it.
    public let isBridge: Bool
    let entities: [Entity]
    /// Base64 of Core Data's hash of each entity, as proven by a store that has shipped; empty if there is no such
    /// store.
    public let knownHashes: [String: String]
    /// Base64 of Core Data's hash of each entity, computed from the manifest; empty if a hash is uncertain. A store
    /// with these hashes has this version. A store with other hashes may still have this version, if the tables match.
    public let computedHashes: [String: String]

    /// Describes a version of the plan by its entities, in any order.
    ///
    /// - Parameters:
    ///   - number: The number, as in `Schema.Version`.
    ///   - name: The name for people: "V8".
    ///   - isBridge: Whether it is only a step of a migration.
    ///   - entities: The entities.
    ///   - knownHashes: Base64 of each entity's hash, as proven by a store that has shipped.
    ///   - computedHashes: Base64 of each entity's hash, computed from the manifest.
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

  /// A model class as the store knows it.
  public struct Entity: Sendable, Hashable {
    /// The entity's name, which is the class's name without the version.
    public var name: String { managed.name }
    /// The entity in Core Data's terms, as far as tables show it.
    var managed: ManagedEntity
    /// Columns, as `Entity.attribute.element`, whose declaration in SQLite is unknown.
    let untyped: Set<String>
    let isOpen: Bool

    /// Describes an entity by the properties that the library compares.
    ///
    /// - Parameters:
    ///   - name: The class's name without the version.
    ///   - parent: The entity that it inherits from, whose properties are not repeated here.
    ///   - attributes: Its own stored attributes, in any order, without transient ones.
    ///   - relationships: Its own relationships, in any order.
    ///   - uniques: The names of the properties in each uniqueness constraint.
    ///   - isOpen: Whether it has further attributes with unknown columns, because the parts of a `Codable` type are
    ///     unknown. Then the store may have columns that no attribute has.
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

    /// The column of a path. "kind.rawValue" is the column of 'kind'. For a path through several structs, the last part
    /// is the column's name.
    private static func place(_ path: String, _ plain: Set<String>) -> String {
      let parts = path.split(separator: ".").map(String.init)
      guard let first = parts.first, let last = parts.last, parts.count > 1 else { return path }
      return plain.contains(first) || last == "rawValue" ? first : "\(first).\(last)"
    }
  }

  /// A stored attribute.
  public struct Attribute: Sendable, Hashable {
    let managed: ManagedAttribute
    let untyped: [String]

    /// Describes an attribute with one column of the same name. A `Codable` enum with a raw value is such an attribute
    /// too.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - isOptional: Whether it may be nil.
    ///   - type: The type with which SQLite declares the column. If it is `nil`, the type is unknown and not compared.
    public init(_ name: String, isOptional: Bool = false, type: ColumnType? = nil) {
      managed = ManagedAttribute(
        name: name, type: type?.attribute ?? .binary, isOptional: isOptional)
      untyped = type == nil ? [name] : []
    }

    /// Describes an attribute whose columns have other names: one for each stored property of a Codable struct, or for
    /// each case of an enum without a raw value.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - isOptional: Whether it may be nil.
    ///   - columns: The names of the columns.
    public init(_ name: String, isOptional: Bool = false, columns: [String]) {
      managed = ManagedAttribute(
        name: name, type: .composite, isOptional: isOptional,
        elements: columns.map { ManagedAttribute(name: $0, type: .binary, isOptional: true) })
      untyped = columns.map { "\(name).\($0)" }
    }
  }

  /// The types with which Core Data declares columns.
  public enum ColumnType: String, Sendable, Hashable {
    /// `Int`, `Bool`, and all other types without fractions.
    case integer = "INTEGER"
    /// `Double` and `Float`.
    case float = "FLOAT"
    /// `Decimal`.
    case decimal = "DECIMAL"
    /// `Date`: seconds since 2001.
    case timestamp = "TIMESTAMP"
    /// `String` and `URL`.
    case varchar = "VARCHAR"
    /// `Data`, `UUID`, and archived values.
    case blob = "BLOB"

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

  /// A relationship, seen from one of its entities.
  public struct Relationship: Sendable, Hashable {
    let managed: ManagedRelationship

    /// Describes a relationship by its name and destination.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - destination: The entity at the other end.
    ///   - inverse: The relationship at the other end with the same links, even if SwiftData inferred it.
    ///   - isOptional: For a to-one relationship, whether it may be nil.
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

  /// The migration from one version to the next.
  public struct Stage: Sendable, Hashable {
    /// The version at which the stage begins.
    public let from: StoreVersion
    /// The version to which the stage leads.
    public let to: StoreVersion
    /// The stage's kind, which shows whether the app's code runs.
    public let kind: Kind
    /// The title for people, which `MigrationActivity` also gets when the app's code begins: "V8 → V9: Time zones".
    public let title: String
    /// What happens to rows, by the entities of the version to which the stage leads and the entities that it drops.
    /// Entities that are not listed keep their rows.
    ///
    /// A many-to-many relationship keeps its links if the entities at both ends keep their rows. An entry for
    /// `Entity.relationship`, of either side, applies only to the links: `"Note.tags": .mayChange("old tags go")`, or
    /// `"Note.labels": .renamed(from: "Note.tags")`.
    public let rowEffects: [String: RowEffect]
    /// Whether an interrupted stage can simply run again. Generated stages can. A stage that reads old values in
    /// `willMigrate` and writes them in `didMigrate` cannot: the backup is restored first.
    public let isRepeatable: Bool

    /// The kinds of stages.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// Core Data infers the migration.
      case lightweight
      /// The app's code runs.
      case custom
      /// Core Data migrates the store before SwiftData opens it.
      case coreData
    }

    /// Describes a stage between two versions.
    ///
    /// - Parameters:
    ///   - from: The version at which the stage begins.
    ///   - to: The version to which the stage leads.
    ///   - kind: The stage's kind, which shows whether the app's code runs.
    ///   - title: The title for people.
    ///   - rowEffects: What happens to rows, by entity.
    ///   - isRepeatable: Whether an interrupted stage can simply run again.
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
    /// The number of rows does not change.
    case kept
    /// The entity had another name before the stage, and the number of rows does not change.
    case renamed(from: String)
    /// The number of rows may change, for this reason: a unique constraint that merges rows, or code that deletes some.
    case mayChange(String)
    /// The entity and its rows are removed.
    case removed
    /// The entity is new, so any number of rows is valid.
    case created
  }
}

extension MigrationPlanDescription {
  var known: [Version] { retired + versions }
}

extension MigrationPlanDescription.Version {
  /// The version for comparison with a store. It has only what a store's tables show.
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
