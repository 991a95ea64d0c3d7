public import Foundation

/// The schema of a store: what Core Data calls a managed object model.
///
/// It is a value, created from Swift types by PortableSwiftData or read from a store.
public struct ManagedModel: Codable, Hashable, Sendable {
  /// The entities in any order. Names are unique.
  public var entities: [ManagedEntity]
  /// The `Schema.Version` as a string, "1.0.0". It is only a hint, which recognition never relies on
  /// (docs/facts/identity.md#recognised-by-hashes).
  public var versionIdentifier: String

  public init(entities: [ManagedEntity], versionIdentifier: String) {
    self.entities = entities
    self.versionIdentifier = versionIdentifier
  }

  /// The entities by name. The first of several with the same name is kept.
  public var entitiesByName: [String: ManagedEntity] {
    Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
  }
}

/// One entity: a model class without its Swift type.
public struct ManagedEntity: Codable, Hashable, Sendable {
  public var name: String
  /// The name of the superentity, whose properties are not repeated here.
  public var superentity: String?
  /// Own attributes, in order of declaration.
  public var attributes: [ManagedAttribute]
  /// Own relationships, in order of declaration.
  public var relationships: [ManagedRelationship]
  /// The property names of each uniqueness constraint, from `.unique` or `#Unique`.
  public var uniqueness: [[String]]
  public var indexes: [ManagedIndex]
  /// Core Data only: SwiftData's entities are never abstract, and have no hash modifier.
  public var isAbstract = false
  public var hashModifier: String?
  /// Elements that Core Data may store differently, so the entity's hash may differ.
  public var unknowns: [HashDoubt] = []

  public init(
    name: String, superentity: String? = nil, attributes: [ManagedAttribute] = [],
    relationships: [ManagedRelationship] = [], uniqueness: [[String]] = [],
    indexes: [ManagedIndex] = []
  ) {
    self.name = name
    self.superentity = superentity
    self.attributes = attributes
    self.relationships = relationships
    self.uniqueness = uniqueness
    self.indexes = indexes
  }
}

/// One stored attribute. Transient properties are not in the store and are left out.
public struct ManagedAttribute: Codable, Hashable, Sendable {
  public var name: String
  /// The attribute's name in older stores; `nil` if it is the same.
  public var originalName: String?
  public var type: AttributeType
  public var isOptional: Bool
  /// The value that old rows get if a migration adds the attribute: one constant, which is never evaluated again.
  public var defaultValue: StoredValue?
  public var hashModifier: String?
  public var isExternal: Bool
  public var isPreservedOnDeletion: Bool
  /// The columns of a `composite`. An enum with raw values has a single column with the attribute's name. That column
  /// is optional even if the attribute is not (docs/facts/identity.md#enum-leaf-is-optional).
  public var elements: [ManagedAttribute]
  /// Core Data only: the expression that derives the value, as text; empty if the text is unknown.
  public var derivation: String?

  public init(
    name: String, originalName: String? = nil, type: AttributeType, isOptional: Bool = false,
    defaultValue: StoredValue? = nil, hashModifier: String? = nil, isExternal: Bool = false,
    isPreservedOnDeletion: Bool = false, elements: [ManagedAttribute] = []
  ) {
    self.name = name
    self.originalName = originalName
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.hashModifier = hashModifier
    self.isExternal = isExternal
    self.isPreservedOnDeletion = isPreservedOnDeletion
    self.elements = elements
  }

  /// The only element of an enum with raw values, which has the attribute's name.
  package var rawValueElement: ManagedAttribute? {
    guard type == .composite, elements.count == 1 else { return nil }
    return elements.first { $0.name == name && $0.type != .composite }
  }
}

/// Core Data's attribute types, with their codes in a store's model cache (docs/facts/store-format.md#type-codes).
public enum AttributeType: Int, Codable, Hashable, Sendable, CaseIterable {
  /// Core Data only, and rare: SwiftData's models never have it.
  case undefined = 0
  case integer16 = 100
  case integer32 = 200
  case integer64 = 300
  case decimal = 400
  case double = 500
  case float = 600
  case string = 700
  case boolean = 800
  case date = 900
  case binary = 1000
  case uuid = 1100
  case uri = 1200
  case transformable = 1800
  case composite = 2100

  /// The properties of a type, in addition to its code.
  package struct Row: Sendable {
    /// The Swift type that SwiftData stores this way, or a word such as `composite` if there is none.
    package let swift: String
    package let coreData: String
    /// The declared type of a column with this type (docs/facts/store-format.md#tables-and-columns).
    package let column: String
    /// Whether the column was seen in stores written by Apple's code.
    package var isSeen = true
  }

  package var row: Row {
    switch self {
    case .undefined:
      Row(swift: "undefined", coreData: "Undefined", column: "BLOB", isSeen: false)
    case .integer16: Row(swift: "Int16", coreData: "Integer 16", column: "INTEGER")
    case .integer32: Row(swift: "Int32", coreData: "Integer 32", column: "INTEGER")
    case .integer64: Row(swift: "Int", coreData: "Integer 64", column: "INTEGER")
    case .decimal: Row(swift: "Decimal", coreData: "Decimal", column: "DECIMAL", isSeen: false)
    case .double: Row(swift: "Double", coreData: "Double", column: "FLOAT")
    case .float: Row(swift: "Float", coreData: "Float", column: "FLOAT")
    case .string: Row(swift: "String", coreData: "String", column: "VARCHAR")
    case .boolean: Row(swift: "Bool", coreData: "Boolean", column: "INTEGER")
    case .date: Row(swift: "Date", coreData: "Date", column: "TIMESTAMP")
    case .binary: Row(swift: "Data", coreData: "Binary", column: "BLOB")
    case .uuid: Row(swift: "UUID", coreData: "UUID", column: "BLOB")
    case .uri: Row(swift: "URL", coreData: "URI", column: "VARCHAR", isSeen: false)
    case .transformable:
      Row(swift: "transformable", coreData: "Transformable", column: "BLOB", isSeen: false)
    case .composite: Row(swift: "composite", coreData: "Composite", column: "BLOB", isSeen: false)
    }
  }

  /// Whether it is a number or boolean. The engine converts these types into each other
  /// (docs/facts/migration.md#number-types).
  package var isNumeric: Bool { ["INTEGER", "DECIMAL", "FLOAT"].contains(row.column) }
}

/// One relationship, at the entity that declares it.
public struct ManagedRelationship: Codable, Hashable, Sendable {
  public var name: String
  public var originalName: String?
  /// The entity at the other end.
  public var destination: String
  /// The relationship at the other end of the same link.
  public var inverse: String?
  public var isToMany: Bool
  /// Whether it may be nil: `T?` and `[T]?`.
  public var isOptional: Bool
  public var minimumCount: Int
  public var maximumCount: Int
  public var deleteRule: DeleteRule
  public var hashModifier: String?
  /// Core Data only: SwiftData's relationships are never ordered.
  public var isOrdered = false

  public enum DeleteRule: String, Codable, Hashable, Sendable {
    case noAction
    case nullify
    case cascade
    case deny
  }

  public init(
    name: String, originalName: String? = nil, destination: String, inverse: String? = nil,
    isToMany: Bool, isOptional: Bool = true, minimumCount: Int = 0, maximumCount: Int = 0,
    deleteRule: DeleteRule = .nullify, hashModifier: String? = nil
  ) {
    self.name = name
    self.originalName = originalName
    self.destination = destination
    self.inverse = inverse
    self.isToMany = isToMany
    self.isOptional = isOptional
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
    self.deleteRule = deleteRule
    self.hashModifier = hashModifier
  }
}

/// One index of `#Index`. It is not part of an entity's identity (docs/facts/identity.md#index-not-hashed).
public struct ManagedIndex: Codable, Hashable, Sendable {
  public var properties: [String]
  public var isRTree: Bool

  public init(properties: [String], isRTree: Bool = false) {
    self.properties = properties
    self.isRTree = isRTree
  }
}

/// A value as stored in SQLite.
public enum StoredValue: Codable, Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)
}

/// The identifier of a row in its store: its entity and its `Z_PK`.
///
/// Keys are unique among the entities of one inheritance tree, which share a table.
public struct ObjectID: Codable, Hashable, Sendable {
  public var entity: String
  public var key: Int64

  public init(entity: String, key: Int64) {
    self.entity = entity
    self.key = key
  }
}
