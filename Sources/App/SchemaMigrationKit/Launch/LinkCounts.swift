internal import ManagedModels
internal import StoreFormat

/// The number of links in each many-to-many relationship of a version.
///
/// A link to a missing row is not counted: it cannot be followed, so losing it loses nothing.
struct LinkCounts {
  /// The counts, by each of the two relationships of a link, as `Entity.property`.
  private(set) var counts: [String: Int] = [:]

  init(_ version: StoredVersion, _ structure: StoreStructure, _ database: SQLite) throws {
    for join in version.joins {
      let ends = join.columns.compactMap { column -> String? in
        guard let place = version.entities[column.entity], structure.tables[place.table] != nil
        else { return nil }
        return """
          EXISTS (SELECT 1 FROM \(SQLite.quoted(place.table)) AS there
          WHERE there.Z_PK = here.\(SQLite.quoted(column.name)))
          """
      }
      guard let table = join.table, ends.count == join.columns.count else { continue }
      let count = try database.number(
        """
        SELECT COUNT(*) FROM \(SQLite.quoted(table)) AS here
        WHERE \(ends.joined(separator: " AND "))
        """)
      for side in join.sides { counts[side] = Int(count) }
    }
  }
}
