package import ManagedModels

/// The queries for an entity's rows, and how to create rows from their results.
package struct RowReader {
  /// The entity and options that a reader is for.
  package struct Key: Hashable {
    package var entity: String
    package var includingSubentities: Bool

    package init(entity: String, includingSubentities: Bool) {
      self.entity = entity
      self.includingSubentities = includingSubentities
    }
  }

  /// The columns of the query that are an entity's slots, in order.
  private struct Shape {
    var entity: String
    var columns: [(place: Int, type: AttributeType?)]
  }

  package let page: String
  package let single: String
  package let count: String
  /// The shape of the requested entity, also used for rows with an unknown `Z_ENT`.
  private let shape: Shape
  private let shapes: [Int64: Shape]

  package init(_ layout: StoreLayout, _ node: ModelGraph.Node, includingSubentities: Bool) {
    let family = includingSubentities ? node.family : [node.name]
    let table = layout.table(of: node.name).name
    var places: [String: Int] = [:]
    var columns: [String] = []
    for slot in family.compactMap({ layout.entities[$0] }).flatMap(\.slots)
    where places[slot.column] == nil {
      places[slot.column] = 2 + columns.count
      columns.append(slot.column)
    }
    func shape(of name: String) -> Shape {
      Shape(
        entity: name,
        columns: (layout.entities[name]?.slots ?? []).map { (places[$0.column] ?? 0, $0.type) })
    }
    let filter = Self.filter(layout, node, includingSubentities: includingSubentities)
    let selection = (["Z_PK", "Z_ENT"] + columns).joined(separator: ", ")
    let condition = filter.map { " AND \($0)" } ?? ""
    page = "SELECT \(selection) FROM \(table) WHERE Z_PK > ?\(condition) ORDER BY Z_PK LIMIT ?"
    single = "SELECT \(selection) FROM \(table) WHERE Z_PK = ?"
    count = "SELECT COUNT(*) FROM \(table)" + (filter.map { " WHERE \($0)" } ?? "")
    self.shape = shape(of: node.name)
    shapes = Dictionary(
      family.compactMap { layout.graph[$0] }.map { (Int64($0.number), shape(of: $0.name)) }
    ) { first, _ in first }
  }

  package func row(_ statement: Statement) -> StoreRow {
    let shape = shapes[statement.integer(at: 1)] ?? shape
    return StoreRow(
      id: ObjectID(entity: shape.entity, key: statement.integer(at: 0)),
      values: shape.columns.map { statement.value(at: $0.place, as: $0.type) })
  }

  /// The condition for an entity's rows in its table; nil if the table has no other rows.
  package static func filter(
    _ layout: StoreLayout, _ node: ModelGraph.Node, includingSubentities: Bool
  ) -> String? {
    let all = layout.graph[node.root]?.family.count ?? 1
    let numbers = includingSubentities ? layout.numbers(ofFamily: node) : [node.number]
    if numbers.count == all { return nil }
    if numbers.count == 1 { return "Z_ENT = \(numbers[0])" }
    // The plus keeps SQLite from using Z_ENT's index, which would return rows in another order, so SQLite would have to
    // sort them.
    return "+Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))"
  }
}
