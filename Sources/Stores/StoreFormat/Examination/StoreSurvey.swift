public import ManagedModels

/// Asks a store about its rows without changing it: counts, and a few of them. Nothing of a row is kept.
///
/// Each question may take a number of steps that grows with the file, so that a file that means harm ends too.
public final class StoreSurvey {
  let database: SQLite
  private let steps: Int
  private let valueSize: Int
  private(set) var layout: StoreLayout?

  /// Instructions of SQLite's machine for each byte of the file: a row takes ten bytes at least, and sorting it by a
  /// few columns takes some hundred.
  private static let stepsPerByte: Int64 = 64

  /// - Parameter size: Of the database and its log, in bytes.
  init(_ database: SQLite, size: Int64, _ valueSize: Int) {
    self.database = database
    let most = min(size, .max / 2 / Self.stepsPerByte) * Self.stepsPerByte
    steps = Int(clamping: most + 50_000_000)
    self.valueSize = valueSize
  }

  /// The connection itself, in the transaction of the examination, for who reads whole tables; each time it is asked for,
  /// it may take as many steps again as a question.
  package func connection() -> SQLite {
    database.restrict(steps: steps, valueSize: valueSize)
    return database
  }

  /// From here on entities and properties are those of this model, which the store is of.
  public func adopt(_ model: ManagedModel) throws { layout = try StoreLayout(model) }

  /// Different values of a column, NULL left out, in SQLite's order; nil where there are more than `limit`.
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

  /// Writes the store, with what its log has, into a new file: page by page as it stands now.
  package func copy(to path: String) throws {
    let destination = try SQLite(path: path, access: .readWrite)
    try database.copy(to: destination, pagesAtOnce: 1_024) { _, _ in }
  }

  // MARK: Places

  /// Where a column's values are, and which rows of its table are the entity's.
  struct Place {
    var table: String
    var column: String
    /// ` AND …`, or nothing.
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

  /// What picks the rows of an entity and of its subentities; ` AND …`, or nothing.
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

  /// Goes through the rows of a query, none of which is kept.
  func each(_ sql: String, _ work: (Statement) throws -> Void) throws {
    database.restrict(steps: steps, valueSize: valueSize)
    // A statement for each question is not worth keeping.
    defer { database.forgetStatements() }
    let statement = try database.prepare(sql)
    defer { statement.reset() }
    while try statement.step() { try work(statement) }
  }
}
