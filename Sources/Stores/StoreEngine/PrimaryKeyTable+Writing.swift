internal import ManagedModels
internal import StoreFormat

extension PrimaryKeyTable {
  static let statement =
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"

  /// Raises the maximum and never lowers it, so that a key is not used again even if its row is deleted.
  func raiseMaximum(of root: ModelGraph.Node, to key: Int64) throws {
    try database.run(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2 AND Z_MAX < ?1",
      [.integer(key), .integer(Int64(root.number))])
  }

  /// Replaces all rows by those of a model; `maximums` are by root name.
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
