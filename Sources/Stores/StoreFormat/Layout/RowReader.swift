package import ManagedModels

/// The queries for an entity's rows, and how to make rows of what they give.
package struct RowReader {
  /// What a reader reads.
  package struct Key: Hashable {
    package var entity: String
    package var includingSubentities: Bool

    package init(entity: String, includingSubentities: Bool) {
      self.entity = entity
      self.includingSubentities = includingSubentities
    }
  }

  /// Which columns of the query are an entity's slots, in their order.
  private struct Shape {
    var entity: String
    var columns: [(place: Int, type: AttributeType?)]
  }

  /// Asks for rows after a key, so many at most.
  package let page: String
  /// Asks for the row of a key.
  package let single: String
  /// Asks how many rows the entity has.
  package let count: String
  /// The shape of the requested entity, also used for rows whose `Z_ENT` means nothing.
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

  /// What picks an entity's rows out of its table; `nil` where the table has no others.
  package static func filter(
    _ layout: StoreLayout, _ node: ModelGraph.Node, includingSubentities: Bool
  ) -> String? {
    let all = layout.graph[node.root]?.family.count ?? 1
    let numbers = includingSubentities ? layout.numbers(ofFamily: node) : [node.number]
    if numbers.count == all { return nil }
    if numbers.count == 1 { return "Z_ENT = \(numbers[0])" }
    // The plus keeps SQLite from Z_ENT's index: rows would come out of order and had to be sorted.
    return "+Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))"
  }
}
