public import Foundation

/// A SQLite store laid out as Core Data lays it out: opened, created, read, written and migrated.
///
/// Not thread-safe: its owner serialises. Every writing call is one SQLite transaction.
public final class StoreFile {
  /// Where a store is.
  public enum Location: Hashable, Sendable {
    case file(URL)
    case memory
  }

  /// What opening found.
  public enum Contents: Hashable, Sendable {
    /// A new or empty database: no model yet.
    case empty
    /// Written by this code, which left its model in the metadata.
    case portable(ManagedModel)
    /// Written by Core Data: known by tables, columns and metadata only.
    case apple(versionIdentifiers: [String], entityNames: [String])
  }

  /// Opens the database; creates the file, but nothing in it. Throws `StoreError` for what is
  /// not a database, is damaged, or cannot be read.
  public init(at location: Location, isReadOnly: Bool = false) throws {
    fatalError("stub")
  }

  public var contents: Contents { fatalError("stub") }

  /// The model that rows are read and written by; `nil` until `create`, `adopt` or `migrate`.
  public var model: ManagedModel? { fatalError("stub") }

  /// Distinct for each store; stays through migrations. `Z_METADATA.Z_UUID`.
  public var identifier: String { fatalError("stub") }

  /// Lays out an empty database by a model.
  public func create(_ model: ManagedModel) throws { fatalError("stub") }

  /// Whether the store is of this model: by identity for a portable store, by tables, columns,
  /// their types, unique indexes and entity names for one of Apple's.
  public func matches(_ model: ManagedModel) -> Bool { fatalError("stub") }

  /// From here on rows are read and written by this model. Throws unless it `matches`.
  public func adopt(_ model: ManagedModel) throws { fatalError("stub") }

  /// One inference from `model` to another and its execution, in one transaction.
  public func migrate(to target: ManagedModel) throws { fatalError("stub") }

  // MARK: Reading

  /// Rows of an entity in the order of their keys, subentities' among them if wanted.
  /// `after`: keys greater than this one only.
  public func rows(
    of entity: String, includingSubentities: Bool = true, after: Int64? = nil, limit: Int? = nil
  ) throws -> [StoreRow] { fatalError("stub") }

  /// The row with a key in the table of an entity's root; its `id` has the entity that it really is of.
  public func row(_ id: ObjectID) throws -> StoreRow? { fatalError("stub") }

  public func count(of entity: String, includingSubentities: Bool = true) throws -> Int {
    fatalError("stub")
  }

  /// The rows at the other end of a to-many relationship, in the order of their keys.
  public func related(_ id: ObjectID, by relationship: String) throws -> [ObjectID] {
    fatalError("stub")
  }

  /// The row that has these values in these properties (attributes or to-one relationships), for
  /// the upsert of a unique constraint. A null matches nothing.
  public func row(
    of entity: String, where values: [String: StoredValue]
  ) throws -> ObjectID? { fatalError("stub") }

  // MARK: Writing

  /// Keys for new rows, never given before in this store; `Z_PRIMARYKEY.Z_MAX`.
  public func allocateKeys(of entity: String, count: Int) throws -> ClosedRange<Int64> {
    fatalError("stub")
  }

  /// Inserts, updates, deletes and links, in one transaction; throws `StoreError.notUnique` and leaves
  /// all as it was when a constraint is broken.
  public func apply(_ changes: StoreChanges) throws { fatalError("stub") }

  /// The columns of an entity's rows; for a model that is adopted.
  public func layout(of entity: String) -> EntityLayout { fatalError("stub") }
}

/// One row: attributes, composite elements and to-one relationships, by the slots of its entity's layout.
public struct StoreRow: Hashable, Sendable {
  public var id: ObjectID
  /// `EntityLayout.slots`: in that order.
  public var values: [StoredValue]

  public init(id: ObjectID, values: [StoredValue]) {
    self.id = id
    self.values = values
  }
}

/// Which value stands where in an entity's rows.
public struct EntityLayout: Hashable, Sendable {
  /// One value of a row.
  public struct Slot: Hashable, Sendable {
    /// "name", "address.street" for an element of a composite, "category" for a to-one relationship
    /// (whose value is the destination's `Z_PK`, or null).
    public var path: String
    /// The type of an attribute; `nil` for a to-one relationship.
    public var type: AttributeType?
    /// The column's name in SQLite.
    public var column: String
  }

  public var entity: String
  public var table: String
  /// Inherited ones first, each class's own in order of declaration, attributes before to-ones.
  public var slots: [Slot]
  /// Path → index in `slots`.
  public var index: [String: Int]
}

/// What one save writes.
public struct StoreChanges: Sendable {
  public var inserted: [StoreRow] = []
  public var updated: [StoreRow] = []
  public var deleted: [ObjectID] = []
  /// Links that no to-one column holds: many-to-many, and to-many without an inverse.
  public var links: [Link] = []

  /// The whole new content of one to-many relationship of one row.
  public struct Link: Hashable, Sendable {
    public var source: ObjectID
    public var relationship: String
    public var destinations: [ObjectID]

    public init(source: ObjectID, relationship: String, destinations: [ObjectID]) {
      self.source = source
      self.relationship = relationship
      self.destinations = destinations
    }
  }

  public init() {}
}

extension StoreFile {
  /// The greatest key in the table of an entity; 0 for an empty one.
  public func lastKey(of entity: String) throws -> Int64 { fatalError("stub") }
}
