public import ManagedModels

/// Queries a store's rows without changing it: counts, and a few examples. No row is kept.
///
/// Each query may take a number of steps in proportion to the file's size, so that queries of a hostile file end, too.
public final class StoreSurvey {
  let database: SQLite
  private let steps: Int
  private let valueSize: Int
  private(set) var layout: StoreLayout?

  /// SQLite instructions per byte of the file: a row has at least ten bytes, and sorting it by a few columns takes some
  /// hundred.
  private static let stepsPerByte: Int64 = 64

  init(_ database: SQLite, size: Int64, _ valueSize: Int) {
    self.database = database
    let most = min(size, .max / 2 / Self.stepsPerByte) * Self.stepsPerByte
    steps = Int(clamping: most + 50_000_000)
    self.valueSize = valueSize
  }

  /// The connection, in the examination's transaction, for reading whole tables. Each call allows as many further steps
  /// as a query has.
  package func connection() -> SQLite {
    database.restrict(steps: steps, valueSize: valueSize)
    return database
  }

  /// Uses the entities and properties of this model from now on. The store must match the model.
  public func adopt(_ model: ManagedModel) throws { layout = try StoreLayout(model) }

  /// The distinct values of a column except NULL, in SQLite's order; nil if there are more than `limit`.
  ///
  /// - Parameter path: `name`, or `address.street` for an element of a composite.
  public func values(of entity: String, _ path: String, limit: Int) throws -> [StoredValue]? {
    let place = try place(of: entity, path)
    let values = try query(
      """
      SELECT * FROM (
        SELECT DISTINCT \(place.column) FROM \(place.table)
        WHERE \(place.column) IS NOT NULL\(place.filter) LIMIT \(limit + 1)
      ) ORDER BY 1
      """
    ) { $0.value(at: 0) }
    guard values.count <= limit else { return nil }
    return values
  }

  package func copy(to path: String) throws {
    let destination = try SQLite(path: path, access: .readWrite)
    try database.copy(to: destination, pagesAtOnce: 1_024) { _, _ in }
  }

  // MARK: Places

  /// The column of a value, and the rows of its table that belong to the entity.
  struct Place {
    var table: String
    var column: String
    var filter: String
    var type: AttributeType?
  }

  func place(of entity: String, _ path: String) throws -> Place {
    guard let layout, let node = layout.graph[entity], let columns = layout.entities[entity],
      let index = columns.index[path]
    else {
      throw StoreError(.incompatibleModel, "the store has no column for '\(entity).\(path)'")
    }
    return Place(
      table: columns.table, column: columns.slots[index].column, filter: filter(node),
      type: columns.slots[index].type)
  }

  /// The condition for rows of an entity and its subentities, beginning with ` AND `; or empty.
  func filter(_ node: ModelGraph.Node) -> String {
    guard let layout else { return "" }
    return RowReader.filter(layout, node, includingSubentities: true).map { " AND \($0)" } ?? ""
  }

  func query<Element>(
    _ sql: String, _ transform: (Statement) throws -> Element
  ) throws -> [Element] {
    var found: [Element] = []
    try each(sql) { found.append(try transform($0)) }
    return found
  }

  func each(_ sql: String, _ work: (Statement) throws -> Void) throws {
    database.restrict(steps: steps, valueSize: valueSize)
    defer { database.forgetStatements() }
    let statement = try database.prepare(sql)
    defer { statement.reset() }
    while try statement.step() { try work(statement) }
  }
}
