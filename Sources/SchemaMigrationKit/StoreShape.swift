internal import Foundation

/// What a store's database has: entities, tables, columns, unique indexes, and what its metadata say.
///
/// Core Data's own tables, the history (A…) and CloudKit's (ANSCK…) are no part of it.
struct StoreShape {
  /// A row of `Z_PRIMARYKEY`.
  struct Entity {
    var number: Int64
    var name: String
    var parentNumber: Int64
  }

  /// In the order of their numbers.
  var entities: [Entity] = []
  /// Declared types by column, by table.
  var tables: [String: [String: String]] = [:]
  /// Columns in the index's order, by its name.
  var uniqueIndexes: [String: (table: String, columns: [String])] = [:]
  /// `NSStoreModelVersionIdentifiers`: a hint, and no more.
  var identifiers: [String] = []
  /// Core Data's hash of each entity; none in a store of the portable runtime.
  var hashes: [String: Data] = [:]

  /// Of the property list, in bytes: more than a thousand entities have.
  private static let metadataLimit = 32 << 20

  /// Why a database has no shape.
  enum Trouble: Error {
    /// It has no tables: Core Data will lay it out.
    case empty
    case notAStore(String)
    case damaged(String)
  }

  init(of database: DatabaseConnection) throws {
    let all = try database.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name"
    ) { $0.text(0) }
    guard !all.isEmpty else { throw Trouble.empty }
    guard all.contains("Z_METADATA"), all.contains("Z_PRIMARYKEY") else {
      throw Trouble.notAStore("it is a database, but not one of Core Data's: it has no metadata")
    }
    try readMetadata(database)
    // The history's entities, and CloudKit's, begin at 16001.
    entities = try database.rows(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT"
    ) { Entity(number: $0.integer(0), name: $0.text(1), parentNumber: $0.integer(2)) }
    let own: Set = ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"]
    // The tables of R-tree indexes have small letters.
    for table in all where table.hasPrefix("Z") && table == table.uppercased() {
      guard !own.contains(table) else { continue }
      try readTable(table, database)
    }
  }

  private mutating func readMetadata(_ database: DatabaseConnection) throws {
    let lists = try database.rows("SELECT Z_PLIST FROM Z_METADATA LIMIT 1") { $0.blob(0) }
    guard let list = lists.first, list.count <= Self.metadataLimit,
      let found = try? PropertyListSerialization.propertyList(from: list, format: nil),
      let properties = found as? [String: Any]
    else { throw Trouble.damaged("its metadata cannot be read") }
    identifiers = properties["NSStoreModelVersionIdentifiers"] as? [String] ?? []
    hashes = (properties["NSStoreModelVersionHashes"] as? [String: Any] ?? [:])
      .compactMapValues { $0 as? Data }
  }

  private mutating func readTable(_ table: String, _ database: DatabaseConnection) throws {
    let columns = try database.rows(
      "SELECT name, type FROM pragma_table_info(?)", [.text(table)]
    ) { ($0.text(0), $0.text(1).uppercased()) }
    tables[table] = Dictionary(columns) { first, _ in first }
    let indexes = try database.rows(
      """
      SELECT list.name, info.name FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info
      WHERE list."unique" AND list.origin = 'c' ORDER BY list.name, info.seqno
      """, [.text(table)]
    ) { ($0.text(0), $0.text(1)) }
    for (index, column) in indexes {
      uniqueIndexes[index, default: (table, [])].columns.append(column)
    }
  }

  func number(of entity: String) -> Int64? { entities.first { $0.name == entity }?.number }
}
