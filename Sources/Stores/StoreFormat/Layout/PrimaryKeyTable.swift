package import ManagedModels

/// `Z_PRIMARYKEY`: the numbers of entities and the highest used key of each.
///
/// The highest key of a tree is in its root's row. Subentities have 0 there (likely, from published stores).
package struct PrimaryKeyTable {
  package let database: SQLite

  package init(database: SQLite) { self.database = database }

  /// The model's entities; those of the history begin at 16001 (docs/facts/store-format.md#history-tables).
  package func entities() throws -> [StoreStructure.Entity] {
    try database.query(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT"
    ) {
      StoreStructure.Entity(
        number: $0.integer(at: 0), name: $0.text(at: 1), superNumber: $0.integer(at: 2))
    }
  }

  package func maximum(of root: ModelGraph.Node) throws -> Int64? {
    let value = try database.value(
      "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(Int64(root.number))])
    guard case .integer(let maximum)? = value else { return nil }
    return maximum
  }
}
