internal import Foundation
internal import ManagedModels
internal import StoreFormat

/// Reads the tables of a damaged store and writes them to a file.
struct SalvagedStore {
  private let database: SQLite
  private let tables: [Table]

  private struct Table {
    var name: String
    var entity: String
    var columns: [Column]
    /// The entities' names by number, if several entities share the table.
    var entities: [Int64: String]

    var isLink: Bool { name.hasPrefix("Z_") }
  }

  private struct Column {
    var name: String
    var isDate: Bool
  }

  init(_ database: SQLite) {
    self.database = database
    let structure = StoreStructure(ofDamaged: database)
    tables = structure.tables.sorted { $0.key < $1.key }.map { name, types in
      let names = try? database.rows("SELECT name FROM pragma_table_info(?)", [.text(name)]) {
        $0.text(at: 0)
      }
      let root = structure.entities.first { "Z" + $0.name.uppercased() == name }
      let isShared = structure.entities.contains { $0.superNumber == root?.number }
      return Table(
        name: name, entity: root?.name ?? name,
        columns: (names ?? types.keys.sorted()).map {
          Column(name: $0, isDate: types[$0] == "TIMESTAMP")
        },
        entities: isShared
          ? Dictionary(structure.entities.map { ($0.number, $0.name) }) { first, _ in first } : [:])
    }
  }

  // MARK: - Writing

  func write(
    _ output: SalvageOutput, name: String, _ report: inout SalvageReport,
    _ progress: (String, Int) throws -> Void
  ) throws {
    try output.write("{\n  \"format\": 1,\n  \"store\": ")
    try output.write(Self.quoted(name))
    for isLink in [false, true] {
      try output.write(isLink ? ",\n  \"links\": {" : ",\n  \"entities\": {")
      var isFirst = true
      for table in tables where table.isLink == isLink {
        try output.write(isFirst ? "\n    " : ",\n    ")
        isFirst = false
        try output.write(Self.quoted(table.entity))
        try output.write(": {\n      \"table\": \(Self.quoted(table.name)),\n      \"rows\": [")
        let found = try read(table, output, progress)
        try output.write(found.read > 0 ? "\n      ]" : "]")
        let expected = found.expected.map(String.init) ?? "null"
        let lost = found.lost.map(String.init) ?? "null"
        try output.write(
          ",\n      \"read\": \(found.read), \"expected\": \(expected), \"lost\": \(lost)\n    }")
        report.tables.append(found)
      }
      try output.write(isFirst ? "}" : "\n  }")
    }
    try output.write("\n}\n")
  }

  /// A range of a table's keys that was not read yet. Both ends are excluded.
  private struct Gap {
    var after: Int64
    var before: Int64

    var width: Int64 {
      let (difference, isOverflow) = before.subtractingReportingOverflow(after)
      return isOverflow ? .max : difference - 1
    }
  }

  /// The most ranges of a table to read after damage.
  private static let attempts = 1000

  /// Reads forwards until damage, backwards until damage, and then from the middle of the widest remaining range.
  private func read(
    _ table: Table, _ output: SalvageOutput, _ progress: (String, Int) throws -> Void
  ) throws -> SalvageReport.Table {
    var found = SalvageReport.Table(entity: table.entity, table: table.name)
    // Count by the smallest index if there is one, since the index may be intact if the table is not. The limits
    // matter: damaged pages that refer to each other have endless rows.
    database.restrictToSize(heedsCancellation: true)
    let count = "SELECT COUNT(rowid) FROM \(SQLite.quoted(table.name))"
    do {
      found.expected = Int(try database.number(count))
    } catch is StoreError {
      found.expected = nil
    }
    // Rows are read in the order of their keys, so this ends even if reading must restart many times.
    database.restrict(steps: .max, valueSize: .max, heedsCancellation: true)
    var gaps = [Gap(after: .min, before: .max)]
    var left = Self.attempts
    while left > 0, let widest = gaps.indices.max(by: { gaps[$0].width < gaps[$1].width }) {
      gaps.swapAt(widest, gaps.count - 1)
      var gap = gaps.removeLast()
      left -= 1
      if try scan(table, &gap, isForward: true, output, &found, progress) { continue }
      if try scan(table, &gap, isForward: false, output, &found, progress) { continue }
      // The damage is between two consecutive rows.
      if gap.width <= 0 { continue }
      found.isComplete = false
      if gap.width == 1 { continue }
      let middle = gap.after / 2 + gap.before / 2 + (gap.after % 2 + gap.before % 2) / 2
      gaps.append(Gap(after: gap.after, before: middle + 1))
      gaps.append(Gap(after: middle, before: gap.before))
    }
    // Every row was read after all, or the damage was between rows.
    if let expected = found.expected, found.read >= expected { found.isComplete = true }
    return found
  }

  /// Reads rows from one end of a gap. Returns whether the other end was reached. If it was not, the gap becomes the
  /// range that remains.
  private func scan(
    _ table: Table, _ gap: inout Gap, isForward: Bool, _ output: SalvageOutput,
    _ found: inout SalvageReport.Table, _ progress: (String, Int) throws -> Void
  ) throws -> Bool {
    let list = (["rowid"] + table.columns.map { SQLite.quoted($0.name) }).joined(separator: ", ")
    let query = """
      SELECT \(list) FROM \(SQLite.quoted(table.name)) WHERE rowid > ? AND rowid < ?
      ORDER BY rowid \(isForward ? "ASC" : "DESC")
      """
    var isInOrder = true
    do {
      try database.forEach(query, [.integer(gap.after), .integer(gap.before)]) { row in
        let key = row.integer(at: 0)
        // A damaged page can refer to any other page, even in a circle.
        guard key > gap.after, key < gap.before else {
          isInOrder = false
          return false
        }
        if isForward { gap.after = key } else { gap.before = key }
        let values = table.columns.indices.map { row.value(at: $0 + 1) }
        try output.write(found.read == 0 ? "\n        " : ",\n        ")
        try output.write(Self.json(values, table))
        found.read += 1
        if found.read % 1000 == 0 {
          if Task.isCancelled { throw CancellationError() }
          try progress(table.entity, found.read)
        }
        return true
      }
      return isInOrder
    } catch is StoreError {
      return false
    }
  }

  // MARK: - One row

  private static func json(_ values: [StoredValue], _ table: Table) -> String {
    let columns = zip(table.columns, values)
    var members: [String] = []
    if !table.entities.isEmpty,
      case .integer(let number)? = columns.first(where: { $0.0.name == "Z_ENT" })?.1
    {
      members.append("\"entity\": \(table.entities[number].map(quoted) ?? "null")")
    }
    // Leave out columns that only Core Data needs.
    for (column, value) in columns where column.name != "Z_OPT" && column.name != "Z_ENT" {
      members.append("\(quoted(column.name)): \(json(value, isDate: column.isDate))")
    }
    return "{\(members.joined(separator: ", "))}"
  }

  private static func json(_ value: StoredValue, isDate: Bool) -> String {
    switch value {
    case .null: return "null"
    case .text(let text): return quoted(text)
    case .blob(let data): return "{\"base64\": \"\(data.base64EncodedString())\"}"
    case .integer(let number): return json("\(number)", date: isDate ? Double(number) : nil)
    case .real(let number):
      // JSON cannot express infinite numbers or NaN.
      return json(number.isFinite ? "\(number)" : "\"\(number)\"", date: isDate ? number : nil)
    }
  }

  /// The JSON of a number. A date is also written in ISO 8601, for years from 1 to 9999.
  private static func json(_ number: String, date seconds: Double?) -> String {
    guard let seconds else { return number }
    let isNamed = (-63_113_904_000..<252_455_616_000).contains(seconds)
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let date = Date(timeIntervalSinceReferenceDate: isNamed ? seconds : 0).ISO8601Format(format)
    return "{\"date\": \(isNamed ? quoted(date) : "null"), \"raw\": \(number)}"
  }

  private static func quoted(_ text: String) -> String {
    var bytes = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: bytes += "\\u00\([byte].hexadecimal)".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
  }
}

extension StoreStructure {
  /// Whether a table may contain rows of models, and does not belong to Core Data, its history or its mirroring.
  static func isModels(_ table: String) -> Bool {
    let own: Set = [
      "Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE", "ACHANGE", "ATRANSACTION",
      "ATRANSACTIONSTRING",
    ]
    return !own.contains(table) && !table.hasPrefix("sqlite_") && !table.hasPrefix("ANSCK")
  }

  init(ofDamaged database: SQLite) {
    var names: [String] = []
    // The names before the damage are still read.
    try? database.forEach("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0") {
      names.append($0.text(at: 0))
      return true
    }
    var tables: [String: [String: String]] = [:]
    for name in names where Self.isModels(name) {
      let columns = try? database.rows(
        "SELECT name, type FROM pragma_table_info(?)", [.text(name)]
      ) { ($0.text(at: 0), $0.text(at: 1).uppercased()) }
      tables[name] = Dictionary(columns ?? []) { first, _ in first }
    }
    let entities = try? PrimaryKeyTable(database: database).entities()
    self.init(tables: tables, entities: entities ?? [])
  }
}

/// A file that is written from its beginning to its end.
final class SalvageOutput {
  private let path: String
  private var file: Int32
  private var buffer = Data()

  init(_ path: String) throws {
    self.path = path
    file = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemFailure(code: errno, path: path) }
  }

  deinit { if file >= 0 { Foundation.close(file) } }

  func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= 64 << 10 { try flush() }
  }

  private func flush() throws {
    try buffer.withUnsafeBytes { try Disk.write($0, to: file, path) }
    buffer.removeAll(keepingCapacity: true)
  }

  func close() throws {
    try flush()
    Foundation.close(file)
    file = -1
    try Disk.synchronize(path)
  }
}
