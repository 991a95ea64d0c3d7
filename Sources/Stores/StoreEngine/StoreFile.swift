public import Foundation
public import ManagedModels
public import StoreFormat

/// A SQLite store in Core Data's layout, which can be opened, created, read, written and migrated.
///
/// It is not thread-safe: its owner serialises calls. Every writing call is one SQLite transaction.
public final class StoreFile {
  /// The place of a store.
  public enum Location: Hashable, Sendable {
    case file(URL)
    case memory
  }

  /// The contents found on opening.
  public enum Contents: Hashable, Sendable {
    /// A new or empty database without a model.
    case empty
    /// A store written by schemagen, with its model in the metadata.
    case portable(ManagedModel)
    /// A store written by Core Data, known by tables, columns and metadata only.
    case apple(versionIdentifiers: [String], entityNames: [String])
  }

  let database: SQLite
  var metadata: StoreMetadata
  var layout: StoreLayout? {
    didSet {
      readers = [:]
      database.forgetStatements()
    }
  }
  var readers: [RowReader.Key: RowReader] = [:]
  private var isPrepared = false

  /// The present contents. They become portable with `create`, `migrate` and the first write to a store written by
  /// Apple.
  public internal(set) var contents: Contents

  /// Opens the database. If there is no file, this creates an empty one. Throws `StoreError` if the file is not a
  /// database, is damaged, or cannot be read.
  ///
  /// Opening a store read-only creates no other file. While the store is open, no process may begin to write to it,
  /// unless another process had it open before.
  public init(at location: Location, isReadOnly: Bool = false) throws {
    switch location {
    case .memory: database = try SQLite(path: ":memory:", access: .readWrite)
    case .file(let url):
      database = try SQLite(path: url.path, access: Self.access(to: url, isReadOnly: isReadOnly))
    }
    let tables = try database.query("SELECT name FROM sqlite_master WHERE type = 'table'") {
      $0.text(at: 0)
    }
    if case .file(let url) = location { try Self.checkIsWhole(url, database) }
    guard !tables.isEmpty else {
      metadata = StoreMetadata()
      contents = .empty
      return
    }
    guard tables.contains("Z_METADATA"), tables.contains("Z_PRIMARYKEY") else {
      throw StoreError(
        .notAStore, "the database is not a Core Data store: it has no Z_METADATA")
    }
    metadata = try StoreMetadata(of: database)
    if let model = try metadata.model() {
      contents = .portable(model)
    } else {
      contents = .apple(
        versionIdentifiers: metadata.versionIdentifiers,
        entityNames: try PrimaryKeyTable(database: database).entities().map(\.name).sorted())
    }
  }

  /// Throws if the size is not a whole number of pages: SQLite takes a file of a few bytes for an empty database and
  /// would overwrite it, and it reads a truncated page as if zeros followed.
  private static func checkIsWhole(_ url: URL, _ database: SQLite) throws {
    // Only sizes are read: opening and closing the file would drop the locks of other connections.
    func size(_ suffix: String) -> Int64 {
      let attributes = try? FileManager.default.attributesOfItem(atPath: url.path + suffix)
      return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }
    // If there is a log, SQLite restores an incomplete page from it after a crash.
    guard size("-wal") == 0, case .integer(let page)? = try database.value("PRAGMA page_size"),
      !size("").isMultiple(of: page)
    else { return }
    throw StoreError(
      .notAStore, "the file is not a database, or was cut off after \(size("")) bytes")
  }

  private static func access(to url: URL, isReadOnly: Bool) -> SQLite.Access {
    guard isReadOnly else { return .readWrite }
    let isInUse = ["-wal", "-journal"].contains {
      FileManager.default.fileExists(atPath: url.path + $0)
    }
    return isInUse ? .readOnly : .immutable
  }

  /// The model with which rows are read and written; nil until `create`, `adopt` or `migrate`.
  public var model: ManagedModel? { layout?.graph.model }

  /// The store's UUID (`Z_METADATA.Z_UUID`), which migrations keep.
  public var identifier: String { metadata.identifier }

  // MARK: Models

  /// Creates the tables of a model in an empty database. Throws `StoreError.incompatibleModel` if the database is not
  /// empty, or the model is invalid.
  public func create(_ model: ManagedModel) throws {
    guard contents == .empty else {
      throw StoreError(.incompatibleModel, "the store has a model already")
    }
    let layout = try StoreLayout(model)
    var metadata = metadata
    try metadata.mark(with: model)
    try write(checkpoints: .create) {
      for table in layout.tables { try database.execute(table.statement) }
      for join in layout.joins { try database.execute(join.statement) }
      try database.execute(PrimaryKeyTable.statement)
      try database.execute(StoreMetadata.statement)
      for index in layout.tables.flatMap(\.indexes) { try database.execute(index.statement) }
      for join in layout.joins { try database.execute(join.indexStatement) }
      try PrimaryKeyTable(database: database).write(layout.graph, maximums: [:])
      try metadata.write(to: database)
    }
    self.metadata = metadata
    self.layout = layout
    contents = .portable(model)
  }

  /// Whether the store matches this model: by identity for a portable store, by tables, columns, their types, unique
  /// indexes and entity names for one written by Apple.
  public func matches(_ model: ManagedModel) -> Bool {
    switch contents {
    case .empty: false
    case .portable(let own): own == model || own.versionHashes == model.versionHashes
    case .apple: (try? StoreStructure(of: database).isOf(StoreLayout(model))) ?? false
    }
  }

  /// Reads and writes rows with this model from now on. Throws `StoreError.incompatibleModel` unless the store
  /// `matches` it.
  public func adopt(_ model: ManagedModel) throws {
    let layout = try StoreLayout(model)
    guard matches(model) else {
      throw StoreError(
        .incompatibleModel, "the store does not have the model '\(model.versionIdentifier)'")
    }
    self.layout = layout
  }

  /// The columns of an entity's rows. A model with the entity must be adopted.
  public func layout(of entity: String) -> EntityLayout {
    guard let layout = layout?.entities[entity] else {
      preconditionFailure("no adopted model has an entity '\(entity)'")
    }
    return layout
  }

  func adopted() throws -> StoreLayout {
    guard let layout else {
      throw StoreError(.incompatibleModel, "the store has no model yet")
    }
    return layout
  }

  // MARK: Transactions

  /// The places during a write at which tests can kill the process.
  struct Checkpoints {
    var before: StaticString
    var committing: StaticString
    var after: StaticString

    static let create = Checkpoints(
      before: "before creating", committing: "before the store is created", after: "created")
    static let apply = Checkpoints(
      before: "before saving", committing: "before changes are committed", after: "saved")
    static let migrate = Checkpoints(
      before: "before migrating", committing: "before the migration is committed",
      after: "migrated")
  }

  /// Runs one transaction: all of `body` or nothing.
  func write<Result>(checkpoints: Checkpoints? = nil, _ body: () throws -> Result) throws -> Result
  {
    try prepareForWriting()
    if let checkpoints { Checkpoint.reached(checkpoints.before) }
    try database.execute("BEGIN IMMEDIATE")
    let result: Result
    do {
      result = try body()
      if let checkpoints { Checkpoint.reached(checkpoints.committing) }
      try database.execute("COMMIT")
    } catch {
      // This fails only if SQLite has already rolled back.
      try? database.execute("ROLLBACK")
      throw error
    }
    if let checkpoints { Checkpoint.reached(checkpoints.after) }
    return result
  }

  /// Turns on write-ahead logging, as in Core Data. The log is only synchronised when it is written into the database.
  /// A power cut may lose the last commits but never breaks the store, and the end of a process loses no commits.
  /// `secure_delete = FAST` keeps some systems' SQLite from overwriting the pages of dropped tables.
  ///
  /// This is not done on opening, since it writes to the file.
  private func prepareForWriting() throws {
    guard !isPrepared else { return }
    _ = try database.value("PRAGMA journal_mode = WAL")
    try database.execute("PRAGMA synchronous = NORMAL; PRAGMA secure_delete = FAST")
    isPrepared = true
  }
}

/// What one save writes.
public struct StoreChanges: Sendable {
  /// New rows, with keys from `allocateKeys`.
  public var inserted: [StoreRow] = []
  /// Rows with all their values.
  public var updated: [StoreRow] = []
  /// Rows of which only some values are written.
  public var patched: [Patch] = []
  /// Rows to delete, with their `links`.
  public var deleted: [ObjectID] = []
  /// Links that are in no to-one column: many-to-many, and to-many without an inverse.
  public var links: [Link] = []

  /// New values for some of a row's slots. Indexes of other columns are not updated, which would be most of the cost of
  /// writing a row.
  public struct Patch: Hashable, Sendable {
    /// The row.
    public var id: ObjectID
    /// Indices in `EntityLayout.slots`; empty if only `Z_OPT` should record a change.
    public var slots: [Int]
    /// One value for each slot.
    public var values: [StoredValue]

    /// Some of a row's new values.
    public init(id: ObjectID, slots: [Int], values: [StoredValue]) {
      self.id = id
      self.slots = slots
      self.values = values
    }
  }

  /// The complete new contents of one to-many relationship of one row.
  public struct Link: Hashable, Sendable {
    /// The row that has the relationship.
    public var source: ObjectID
    /// The relationship of that row. Its inverse changes, too.
    public var relationship: String
    /// The destinations in any order. Repetitions count once.
    public var destinations: [ObjectID]

    /// The new destinations of a relationship.
    public init(source: ObjectID, relationship: String, destinations: [ObjectID]) {
      self.source = source
      self.relationship = relationship
      self.destinations = destinations
    }
  }

  /// No changes.
  public init() {}
}
