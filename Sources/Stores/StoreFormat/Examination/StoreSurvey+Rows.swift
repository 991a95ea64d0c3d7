public import ManagedModels

extension StoreSurvey {
  /// The number of rows with something in common, and the first few of them.
  public struct Tally: Hashable, Sendable {
    public var rows: Int64
    public var examples: [ObjectID]

    /// The default is no rows.
    public init(rows: Int64 = 0, examples: [ObjectID] = []) {
      self.rows = rows
      self.examples = examples
    }
  }

  /// Rows with equal values.
  public struct Duplicates: Hashable, Sendable {
    /// The number of different values that are in more than one row.
    public var values: Int64 = 0
    /// The number of rows with one of these values.
    public var rows: Int64 = 0
    /// Two rows of each of the first few values.
    public var examples: [ObjectID] = []
  }

  /// The number of an entity's rows, including subentities'.
  public func rowCount(of entity: String) throws -> Int64 {
    let (node, table) = try node(entity)
    return try query("SELECT SUM(1) FROM \(table) WHERE 1\(filter(node))") {
      $0.integer(at: 0)
    }.first ?? 0
  }

  /// Rows in which a property is nil, or is not nil. A composite is nil if all of its elements are.
  ///
  /// - Parameter path: An attribute, an element of one, or a to-one relationship.
  public func tally(of entity: String, _ path: String, isNull: Bool) throws -> Tally {
    let columns = try columns(of: entity, [path])
    let test = columns.map { "\($0) IS \(isNull ? "" : "NOT ")NULL" }
      .joined(separator: isNull ? " AND " : " OR ")
    return try tally(of: entity, where: "(\(test))")
  }

  /// Rows whose value is not nil and satisfies a condition. All rows are read.
  public func tally(
    of entity: String, _ path: String, where isWanted: (StoredValue) -> Bool
  ) throws -> Tally {
    let place = try place(of: entity, path)
    var tally = Tally()
    try each(
      """
      SELECT Z_PK, \(place.column) FROM \(place.table)
      WHERE \(place.column) IS NOT NULL\(place.filter) ORDER BY Z_PK
      """
    ) { statement in
      if isWanted(statement.value(at: 1, as: place.type)) { tally.add(statement, entity) }
    }
    return tally
  }

  /// Rows with one of some values; none if there are no values.
  public func tally(of entity: String, _ path: String, in values: [StoredValue]) throws -> Tally {
    let wanted = Set(values)
    return try tally(of: entity, path) { wanted.contains($0) }
  }

  /// Rows with equal values in some properties, none of them nil, as a unique index compares them.
  public func duplicates(of entity: String, _ paths: [String]) throws -> Duplicates {
    let (node, table) = try node(entity)
    let columns = try columns(of: entity, paths)
    let tests = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    var found = Duplicates()
    try each(
      """
      SELECT MIN(Z_PK), MAX(Z_PK), COUNT(*) FROM \(table) WHERE \(tests)\(filter(node))
      GROUP BY \(columns.joined(separator: ", ")) HAVING COUNT(*) > 1
      """
    ) { statement in
      found.values += 1
      found.rows += statement.integer(at: 2)
      if found.examples.count < Tally.exampleCount {
        found.examples += [0, 1].map {
          ObjectID(entity: entity, key: statement.integer(at: $0))
        }
      }
    }
    return found
  }

  // MARK: Links

  /// Rows whose number of linked rows is outside `bounds`. Links to missing rows do not count.
  public func tally(
    of entity: String, linksBy relationship: String, outside bounds: ClosedRange<Int>
  ) throws -> Tally {
    let count = try linkCount(of: entity, relationship)
    return try tally(
      of: entity, where: "\(count) NOT BETWEEN \(bounds.lowerBound) AND \(bounds.upperBound)")
  }

  /// Rows whose to-one relationship leads to a missing row.
  public func orphans(of entity: String, by relationship: String) throws -> Tally {
    guard case .own(let column) = try storage(of: entity, relationship).storage else {
      return Tally()
    }
    let count = try linkCount(of: entity, relationship)
    return try tally(of: entity, where: "\(column) IS NOT NULL AND \(count) = 0")
  }

  /// Rows that several rows link to.
  public func sharedDestinations(of entity: String, by relationship: String) throws -> Tally {
    let (storage, destination) = try storage(of: entity, relationship)
    let (node, table) = try node(entity)
    let key: String
    let rows: String
    switch storage {
    case .own(let column):
      key = column
      rows = "\(table) WHERE \(column) IS NOT NULL\(filter(node))"
    case .join(let table, _, let far, _):
      key = far
      rows = table
    // A column in the destination's table refers to one row only.
    case .destination: return Tally()
    }
    var tally = Tally()
    try each("SELECT \(key) FROM \(rows) GROUP BY \(key) HAVING COUNT(*) > 1") {
      tally.add($0, destination)
    }
    return tally
  }

  /// An expression for the number of rows that a row of table `main` links to.
  private func linkCount(of entity: String, _ relationship: String) throws -> String {
    let (storage, destination) = try storage(of: entity, relationship)
    let (node, far) = try node(destination)
    // The alias `other` is the table at the other end.
    let filter = filter(node).replacing("Z_ENT", with: "other.Z_ENT")
    switch storage {
    case .own(let column):
      return "(SELECT COUNT(*) FROM \(far) AS other WHERE other.Z_PK = main.\(column)\(filter))"
    case .destination(let table, let column, _):
      return "(SELECT COUNT(*) FROM \(table) AS other WHERE other.\(column) = main.Z_PK\(filter))"
    case .join(let table, let own, let farColumn, _):
      return """
        (SELECT COUNT(*) FROM \(table) AS pair JOIN \(far) AS other ON other.Z_PK = pair.\(farColumn)
        WHERE pair.\(own) = main.Z_PK\(filter))
        """
    }
  }

  private func storage(
    of entity: String, _ relationship: String
  ) throws -> (storage: LinkStorage, destination: String) {
    let (node, _) = try node(entity)
    guard let declared = node.relationships.first(where: { $0.name == relationship }),
      let storage = layout?.storage(of: relationship, in: node)
    else {
      throw StoreError(
        .incompatibleModel, "the store has no relationship '\(entity).\(relationship)'")
    }
    return (storage, declared.destination)
  }

  // MARK: Queries

  private func node(_ entity: String) throws -> (node: ModelGraph.Node, table: String) {
    guard let layout, let node = layout.graph[entity] else {
      throw StoreError(.incompatibleModel, "the store has no entity '\(entity)'")
    }
    return (node, layout.table(of: entity).name)
  }

  private func columns(of entity: String, _ paths: [String]) throws -> [String] {
    let (node, _) = try node(entity)
    return try paths.flatMap { path in
      let columns = layout?.columns(of: [path], in: node) ?? []
      guard !columns.isEmpty else {
        throw StoreError(.incompatibleModel, "the store has no column for '\(entity).\(path)'")
      }
      return columns
    }
  }

  private func tally(of entity: String, where condition: String) throws -> Tally {
    let (node, table) = try node(entity)
    var tally = Tally()
    try each(
      """
      SELECT Z_PK FROM \(table) AS main WHERE \(condition)\(filter(node)) ORDER BY Z_PK
      """
    ) { tally.add($0, entity) }
    return tally
  }
}

extension StoreSurvey.Tally {
  fileprivate static let exampleCount = 5

  fileprivate mutating func add(_ statement: Statement, _ entity: String) {
    rows += 1
    if examples.count < Self.exampleCount {
      examples.append(ObjectID(entity: entity, key: statement.integer(at: 0)))
    }
  }
}
