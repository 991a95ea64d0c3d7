internal import ManagedModels
internal import StoreFormat

extension StoreFile {
  /// Reserves keys for new rows, which were never used in this store, and updates `Z_PRIMARYKEY.Z_MAX`. `count` must be
  /// at least 1.
  public func allocateKeys(of entity: String, count: Int) throws -> ClosedRange<Int64> {
    precondition(count > 0, "no keys were requested")
    let layout = try adopted()
    let root = try layout.graph.node(layout.graph.node(entity).root)
    return try writeMarked {
      let keys = PrimaryKeyTable(database: database)
      guard var last = try keys.maximum(of: root) else {
        throw StoreError(.notAStore, "Z_PRIMARYKEY has no row for '\(root.name)'")
      }
      let used = try database.value("SELECT MAX(Z_PK) FROM \(layout.table(of: entity).name)")
      if case .integer(let used)? = used { last = max(last, used) }
      let (end, isOverflow) = last.addingReportingOverflow(Int64(count))
      guard !isOverflow else { throw StoreError(.sqlite, "'\(root.name)' has no keys left") }
      try keys.raiseMaximum(of: root, to: end)
      return (last + 1)...end
    }
  }

  /// Deletes, updates, inserts and links, in this order and in one transaction. If a constraint is violated, throws
  /// `StoreError.notUnique` or `.missingValue` and changes nothing.
  ///
  /// To-one columns that refer to a deleted row are unchanged: delete rules are the caller's task.
  public func apply(_ changes: StoreChanges) throws {
    let layout = try adopted()
    try writeMarked(checkpoints: .apply) {
      let writer = ChangeWriter(layout, database)
      try writer.write(changes)
      for (root, key) in writer.maximums {
        try PrimaryKeyTable(database: database)
          .raiseMaximum(of: layout.graph.node(root), to: key)
      }
    }
  }

  /// Runs one transaction. This makes a store written by Apple portable: the store's hashes and model cache are no
  /// longer valid, so Core Data must refuse the store.
  private func writeMarked<Result>(
    checkpoints: Checkpoints? = nil, _ body: () throws -> Result
  ) throws -> Result {
    guard case .apple = contents, let model else {
      return try write(checkpoints: checkpoints, body)
    }
    var metadata = metadata
    try metadata.mark(with: model)
    let result = try write(checkpoints: checkpoints) {
      let result = try body()
      try mark(metadata)
      return result
    }
    self.metadata = metadata
    contents = .portable(model)
    return result
  }

  /// Writes the metadata, and removes Core Data's copy of the model.
  func mark(_ metadata: StoreMetadata) throws {
    try database.execute("DROP TABLE IF EXISTS Z_MODELCACHE")
    try metadata.write(to: database)
  }
}

/// Writes one save's changes, with one prepared statement per entity and kind.
private final class ChangeWriter {
  private let layout: StoreLayout
  private let database: SQLite
  private var writers: [String: RowWriter] = [:]
  private var erasers: [String: [Statement]] = [:]
  private(set) var maximums: [String: Int64] = [:]

  init(_ layout: StoreLayout, _ database: SQLite) {
    self.layout = layout
    self.database = database
  }

  func write(_ changes: StoreChanges) throws {
    for id in changes.deleted { try delete(id) }
    for row in changes.updated { try update(row) }
    for patch in changes.patched { try write(patch) }
    for row in changes.inserted { try insert(row) }
    for link in changes.links { try write(link) }
  }

  /// The statements for one entity. It is a class, so that writing a million rows does not copy it a million times.
  private final class RowWriter {
    let node: ModelGraph.Node
    let insert: Statement
    let slots: [EntityLayout.Slot]
    let required: [Int]
    /// The statement for the slots written last, since a change of many rows usually sets the same slots.
    var update: (slots: [Int], statement: Statement)?

    init(
      _ node: ModelGraph.Node, insert: Statement, slots: [EntityLayout.Slot], required: [Int]
    ) {
      self.node = node
      self.insert = insert
      self.slots = slots
      self.required = required
    }
  }

  private func writer(of entity: String) throws -> RowWriter {
    if let writer = writers[entity] { return writer }
    let node = try layout.graph.node(entity)
    let slots = layout.entities[entity]?.slots ?? []
    let columns = slots.map(\.column)
    let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns).joined(separator: ", ")
    let marks = columns.map { _ in ", ?" }.joined()
    let table = layout.table(of: entity).name
    // Core Data has no NOT NULL columns: only the model knows what is required. An element of a composite is optional
    // in the store (docs/facts/store-format.md#no-not-null).
    let isRequired = Set(
      node.attributes.filter { !$0.isOptional && $0.type != .composite }.map(\.name))
    let writer = RowWriter(
      node,
      insert: try database.prepare(
        "INSERT INTO \(table) (\(names)) VALUES (?, \(node.number), 1\(marks))"),
      slots: slots,
      required: slots.indices.filter { isRequired.contains(slots[$0].path) })
    writers[entity] = writer
    return writer
  }

  private func check(_ row: StoreRow, _ writer: RowWriter) throws {
    guard row.values.count == writer.slots.count else {
      throw StoreError(
        .incompatibleModel,
        "'\(row.id.entity)' \(row.id.key) has \(row.values.count) values for \(writer.slots.count) columns"
      )
    }
    for index in writer.required where row.values[index] == .null {
      throw Self.missingValue(of: row.id, in: writer.slots[index])
    }
  }

  private static func missingValue(of id: ObjectID, in slot: EntityLayout.Slot) -> StoreError {
    StoreError(
      .missingValue, "'\(id.entity)' \(id.key) has no value in '\(slot.path)', which is required")
  }

  private func insert(_ row: StoreRow) throws {
    let writer = try writer(of: row.id.entity)
    try check(row, writer)
    try naming(row.id, writer) {
      defer { writer.insert.reset() }
      try writer.insert.bind(.integer(row.id.key), at: 1)
      for (index, value) in row.values.enumerated() {
        try writer.insert.bind(value, at: index + 2)
      }
      _ = try writer.insert.step()
    }
    let root = writer.node.root
    maximums[root] = max(maximums[root] ?? row.id.key, row.id.key)
  }

  private func update(_ row: StoreRow) throws {
    let writer = try writer(of: row.id.entity)
    try check(row, writer)
    try update(row.id, Array(writer.slots.indices), row.values, writer)
  }

  private func write(_ patch: StoreChanges.Patch) throws {
    let writer = try writer(of: patch.id.entity)
    guard patch.slots.count == patch.values.count,
      patch.slots.allSatisfy(writer.slots.indices.contains)
    else {
      throw StoreError(
        .incompatibleModel,
        "the patch of '\(patch.id.entity)' \(patch.id.key) names unknown slots, or has more or fewer values than slots"
      )
    }
    for (slot, value) in zip(patch.slots, patch.values)
    where value == .null && writer.required.contains(slot) {
      throw Self.missingValue(of: patch.id, in: writer.slots[slot])
    }
    try update(patch.id, patch.slots, patch.values, writer)
  }

  private func update(
    _ id: ObjectID, _ slots: [Int], _ values: [StoredValue], _ writer: RowWriter
  ) throws {
    let statement = try updateStatement(for: slots, writer)
    try naming(id, writer) {
      defer { statement.reset() }
      for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
      try statement.bind(.integer(id.key), at: values.count + 1)
      _ = try statement.step()
    }
    guard database.changeCount == 1 else {
      throw StoreError(.sqlite, "'\(id.entity)' \(id.key) cannot be updated: it does not exist")
    }
  }

  private func updateStatement(for slots: [Int], _ writer: RowWriter) throws -> Statement {
    if let update = writer.update, update.slots == slots { return update.statement }
    let table = layout.table(of: writer.node.name).name
    let assignments = slots.map { ", \(writer.slots[$0].column) = ?" }.joined()
    let statement = try database.prepare(
      "UPDATE \(table) SET Z_OPT = Z_OPT + 1\(assignments) WHERE Z_PK = ?")
    writer.update = (slots, statement)
    return statement
  }

  /// Adds entity and properties to SQLite's error about a violated constraint.
  private func naming(_ id: ObjectID, _ writer: RowWriter, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as StoreError where error.kind == .notUnique {
      let table = layout.table(of: id.entity)
      let index = table.indexes.first { index in
        let columns = index.columns.map { "\(table.name).\($0)" }.joined(separator: ", ")
        return index.isUnique && error.reason.hasSuffix(": \(columns)")
      }
      guard let index, let entity = index.entity else {
        throw StoreError(.notUnique, "'\(id.entity)' \(id.key) already exists")
      }
      let properties = index.properties.map { "'\(entity).\($0)'" }.joined(separator: ", ")
      throw StoreError(
        .notUnique, "'\(id.entity)' \(id.key) has the same values as another row in \(properties)")
    }
  }

  // MARK: Deleting

  private func delete(_ id: ObjectID) throws {
    for statement in try eraser(of: layout.graph.node(id.entity).root) {
      try statement.run([.integer(id.key)])
    }
  }

  /// The statements that delete a row of a tree, and the row's links that other tables store.
  private func eraser(of root: String) throws -> [Statement] {
    if let eraser = erasers[root] { return eraser }
    var queries = ["DELETE FROM \(layout.table(of: root).name) WHERE Z_PK = ?"]
    // The statements cover all entities of the tree: keys are unique in the tree, and the caller may only know the
    // root.
    let family = try layout.graph.node(root).family.compactMap { layout.graph[$0] }
    for node in family {
      for relationship in node.entity.relationships {
        switch layout.storage(of: relationship.name, in: node) {
        case .destination(let table, let column, isHidden: true):
          queries.append("UPDATE \(table) SET \(column) = NULL WHERE \(column) = ?")
        case .join(let table, let own, let far, let isReflexive):
          queries.append("DELETE FROM \(table) WHERE \(own) = ?")
          if isReflexive { queries.append("DELETE FROM \(table) WHERE \(far) = ?") }
        default: break
        }
      }
    }
    let eraser = try queries.map { try database.prepare($0) }
    erasers[root] = eraser
    return eraser
  }

  // MARK: Linking

  private func write(_ link: StoreChanges.Link) throws {
    let node = try layout.graph.node(link.source.entity)
    let source = StoredValue.integer(link.source.key)
    switch layout.storage(of: link.relationship, in: node) {
    case .destination(let table, let column, isHidden: true):
      try database.run("UPDATE \(table) SET \(column) = NULL WHERE \(column) = ?", [source])
      let statement = try database.prepare("UPDATE \(table) SET \(column) = ? WHERE Z_PK = ?")
      for destination in link.destinations {
        try statement.run([source, .integer(destination.key)])
      }
    case .join(let table, let own, let far, let isReflexive):
      try database.run("DELETE FROM \(table) WHERE \(own) = ?", [source])
      if isReflexive {
        try database.run("DELETE FROM \(table) WHERE \(far) = ?", [source])
      }
      let statement = try database.prepare(
        "INSERT OR IGNORE INTO \(table) (\(own), \(far)) VALUES (?, ?)")
      for destination in link.destinations {
        let key = StoredValue.integer(destination.key)
        try statement.run([source, key])
        // A relationship that is its own inverse links both ways.
        if isReflexive { try statement.run([key, source]) }
      }
    default:
      throw StoreError(
        .incompatibleModel,
        "the links of '\(node.name).\(link.relationship)' are in a to-one column, and cannot be written separately"
      )
    }
  }
}
