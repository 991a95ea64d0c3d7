/// `Z_PRIMARYKEY`: the numbers of entities and the highest key that each has given.
///
/// The highest key of a tree stands in its root's row; subentities have 0 there (L: published stores).
struct PrimaryKeyTable {
  static let statement =
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"

  let database: SQLite

  /// Of the model: the history's entities begin at 16001 (docs/facts/store-format.md#history-tables).
  func entities() throws -> [(number: Int64, name: String, superNumber: Int64)] {
    try database.query(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT"
    ) { ($0.integer(at: 0), $0.text(at: 1), $0.integer(at: 2)) }
  }

  /// The highest key of a tree; `nil` when the table does not have its root.
  func maximum(of root: ModelGraph.Node) throws -> Int64? {
    let value = try database.value(
      "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(Int64(root.number))])
    guard case .integer(let maximum)? = value else { return nil }
    return maximum
  }

  /// Never lowers it: a key is not given again, also when its row is gone.
  func raiseMaximum(of root: ModelGraph.Node, to key: Int64) throws {
    try database.run(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2 AND Z_MAX < ?1",
      [.integer(key), .integer(Int64(root.number))])
  }

  /// The rows of a model instead of those that are there; `maximums` by the names of roots.
  func write(_ graph: ModelGraph, maximums: [String: Int64]) throws {
    try database.run("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < 16000")
    for node in graph.nodes {
      try database.run(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
        [
          .integer(Int64(node.number)), .text(node.name), .integer(Int64(node.superNumber)),
          .integer(maximums[node.name] ?? 0),
        ])
    }
  }
}
