internal import CStoreLibraries
internal import Foundation
internal import ManagedModels
internal import StoreFormat

/// The tables of a damaged store, on their way into a file.
struct SalvagedStore {
  private let database: SQLite
  private let attempts: Int
  private let tables: [Table]
  private let version: String?

  private struct Table {
    var name: String
    var entity: String
    var isLink: Bool
    var columns: [Column]
    /// Of a table that several entities share: their names, by number.
    var entities: [Int64: String]
    /// What `Z_ENT` of its rows can be; none where that is not known.
    var numbers: Set<Int64>
  }

  private struct Column {
    var name: String
    var isDate: Bool
    /// What the value is called, by the names of the entities that have it.
    var properties: [(name: String, entities: Set<String>)]
  }

  init(_ database: SQLite, _ plan: MigrationPlanDescription?, _ attempts: Int) {
    self.database = database
    self.attempts = attempts
    let structure = StoreStructure(ofDamaged: database)
    let layouts = (plan?.known ?? []).map { StoredVersion($0.candidate, in: structure) }
    // Any version that has the right columns names them right.
    let nearest = layouts.reversed().min {
      $0.differences(hashed: []).count < $1.differences(hashed: []).count
    }
    version = nearest?.name
    tables = structure.tables.keys.sorted().map { Self.table($0, structure, nearest, database) }
  }

  private static func table(
    _ name: String, _ structure: StoreStructure, _ layout: StoredVersion?, _ database: SQLite
  ) -> Table {
    let types = structure.tables[name] ?? [:]
    // In the order of the table.
    let names =
      (try? database.rows("SELECT name FROM pragma_table_info(?)", [.text(name)]) { $0.text(at: 0) })
      ?? types.keys.sorted()
    let places = (layout?.entities.values.filter { $0.table == name } ?? [])
      .sorted { $0.number < $1.number }
    let stored = structure.entities.filter { "Z" + $0.name.uppercased() == name }
    let isShared = places.count > 1
    let columns = names.map { column in
      let found = layout?.columns.filter { $0.table == name && $0.column == column } ?? []
      return Column(
        name: column, isDate: types[column] == "TIMESTAMP",
        properties: found.map { place in
          let isElement = place.element != place.property
          let having = places.filter {
            layout?.lineage(of: $0.name).contains(place.entity) ?? false
          }
          let isHidden = having.isEmpty
          return (
            isHidden ? column : isElement ? "\(place.property).\(place.element)" : place.property,
            Set((isHidden ? places : having).map(\.name))
          )
        })
    }
    return Table(
      name: name, entity: places.first?.name ?? stored.first?.name ?? name,
      isLink: name.hasPrefix("Z_"), columns: columns,
      entities: isShared
        ? Dictionary(places.map { ($0.number, $0.name) }) { first, _ in first } : [:],
      numbers: Set(
        places.filter { place in structure.entities.contains { $0.name == place.name } }.map(
          \.number)
          + stored.map(\.number)))
  }

  // MARK: - Writing

  func write(
    _ output: JSONOutput, name: String, _ report: inout SalvageReport,
    _ progress: (String, Int) throws -> Void
  ) throws {
    report.version = version
    try output.write("{\n  \"format\": 1,\n  \"store\": ")
    try output.write(text: name)
    try output.write(",\n  \"version\": ")
    if let version { try output.write(text: version) } else { try output.write("null") }
    for isLink in [false, true] {
      try output.write(isLink ? ",\n  \"links\": {" : ",\n  \"entities\": {")
      var isFirst = true
      for table in tables where table.isLink == isLink {
        try output.write(isFirst ? "\n    " : ",\n    ")
        isFirst = false
        try output.write(text: table.entity)
        try output.write(": {\n      \"table\": ")
        try output.write(text: table.name)
        try output.write(",\n      \"rows\": [")
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

  /// A part of a table's keys of which nothing is known yet; both ends are left out.
  private struct Gap {
    var after: Int64
    var before: Int64

    /// How many keys are in it.
    var width: Int64 {
      let (difference, isOverflow) = before.subtractingReportingOverflow(after)
      return isOverflow ? .max : difference - 1
    }
  }

  /// Forwards until damage, backwards until damage, and then from the middle of what is left, the widest gap first.
  private func read(
    _ table: Table, _ output: JSONOutput, _ progress: (String, Int) throws -> Void
  ) throws -> SalvageReport.Table {
    var found = SalvageReport.Table(entity: table.entity, table: table.name)
    // Of the smallest index, where there is one: it may be whole when the table is not. Pages that lead to each other
    // have rows without end.
    database.restrictToSize(heedsCancellation: true)
    let count = "SELECT COUNT(rowid) FROM \(SQLite.quoted(table.name))"
    do {
      found.expected = Int(try database.number(count))
    } catch is StoreError {
      found.expected = nil
    }
    // Rows are read in the order of their keys, so they end by themselves, however often they have to be begun anew.
    database.restrict(steps: .max, valueSize: .max, heedsCancellation: true)
    var gaps = [Gap(after: .min, before: .max)]
    var unread: [Gap] = []
    var left = attempts
    while let widest = gaps.indices.max(by: { gaps[$0].width < gaps[$1].width }) {
      gaps.swapAt(widest, gaps.count - 1)
      var gap = gaps.removeLast()
      if left <= 0 {
        found.isComplete = false
        unread += gaps + [gap]
        break
      }
      left -= 2
      if try scan(table, &gap, isForward: true, output, &found, progress) { continue }
      if try scan(table, &gap, isForward: false, output, &found, progress) { continue }
      // Damage between two rows that follow each other.
      if gap.width <= 0 { continue }
      found.isComplete = false
      if gap.width == 1 {
        left -= table.columns.count
        if try !readParts(table, key: gap.after + 1, output, &found) { unread.append(gap) }
        continue
      }
      let middle = gap.after / 2 + gap.before / 2 + (gap.after % 2 + gap.before % 2) / 2
      gaps.append(Gap(after: gap.after, before: middle + 1))
      gaps.append(Gap(after: middle, before: gap.before))
    }
    if !unread.isEmpty { try readPages(table, unread, output, &found, progress) }
    // All rows were read in the end, or the damage was between them.
    if let expected = found.expected, found.read >= expected { found.isComplete = true }
    return found
  }

  /// Reads rows from one end of a gap. Says whether it came to the other end; otherwise the gap is what is left.
  private func scan(
    _ table: Table, _ gap: inout Gap, isForward: Bool, _ output: JSONOutput,
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
        // A damaged page can lead anywhere, in a circle too.
        guard key > gap.after, key < gap.before else {
          isInOrder = false
          return false
        }
        if isForward { gap.after = key } else { gap.before = key }
        try write(
          table.columns.indices.map { ($0, row.value(at: $0 + 1)) }, table, output, found.read)
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

  /// Reads what values of a row can be read, one at a time.
  private func readParts(
    _ table: Table, key: Int64, _ output: JSONOutput, _ found: inout SalvageReport.Table
  ) throws -> Bool {
    let before = found.read
    var readable: [Int] = []
    for (place, column) in table.columns.enumerated() {
      let query =
        "SELECT rowid, \(SQLite.quoted(column.name)) FROM \(SQLite.quoted(table.name)) WHERE rowid = ?"
      do {
        let rows = try database.rows(query, [.integer(key)]) { row in row.integer(at: 0) == key }
        if rows.first == true { readable.append(place) }
      } catch is StoreError {
        continue
      }
    }
    guard !readable.isEmpty else { return false }
    let list = readable.map { SQLite.quoted(table.columns[$0].name) }.joined(separator: ", ")
    do {
      try database.forEach(
        "SELECT rowid, \(list) FROM \(SQLite.quoted(table.name)) WHERE rowid = ?", [.integer(key)]
      ) { row in
        let values = readable.enumerated().map { ($0.element, row.value(at: $0.offset + 1)) }
        try write(values, table, output, found.read)
        found.read += 1
        found.partial += 1
        return false
      }
    } catch is StoreError {
      // It is read no more than it was before.
    }
    return found.read > before
  }

  /// Reads rows that no page of keys leads to any more from the pages of rows themselves.
  ///
  /// The table is known by the number of the row's entity. Rows that were deleted may still be on such pages: only those
  /// with keys that are missing are taken, and of several with one key the first.
  private func readPages(
    _ table: Table, _ unread: [Gap], _ output: JSONOutput, _ found: inout SalvageReport.Table,
    _ progress: (String, Int) throws -> Void
  ) throws {
    guard !table.numbers.isEmpty, let reader = PageReader(database),
      let entityPlace = table.columns.firstIndex(where: { $0.name == "Z_ENT" }),
      let keyPlace = table.columns.firstIndex(where: { $0.name == "Z_PK" })
    else { return }
    let gaps = unread.sorted { $0.after < $1.after }
    func isMissing(_ key: Int64) -> Bool {
      // The last gap that begins before the key; they may overlap by what lies between their ends only.
      var (low, high) = (0, gaps.count)
      while low < high {
        let middle = (low + high) / 2
        if gaps[middle].after < key { low = middle + 1 } else { high = middle }
      }
      return low > 0 && key < gaps[low - 1].before
    }
    var taken: Set<Int64> = []
    func isWanted(_ key: Int64) -> Bool { isMissing(key) && !taken.contains(key) }
    try reader.forEachRow(isWanted: isWanted) { key, values in
      guard values.count > max(entityPlace, keyPlace), values.count <= table.columns.count,
        case .integer(let number) = values[entityPlace], table.numbers.contains(number),
        case .null = values[keyPlace]
      else { return }
      taken.insert(key)
      var row = values.enumerated().map { (column: $0.offset, value: $0.element) }
      row[keyPlace].value = .integer(key)
      try write(row, table, output, found.read)
      found.read += 1
      found.fromPages += 1
      if found.read % 1000 == 0 {
        if Task.isCancelled { throw CancellationError() }
        try progress(table.entity, found.read)
      }
    }
  }

  // MARK: - One row

  /// - Parameter values: Which of the table's columns has which value.
  private func write(
    _ values: [(column: Int, value: StoredValue)], _ table: Table, _ output: JSONOutput,
    _ number: Int
  ) throws {
    try output.write(number == 0 ? "\n        {" : ",\n        {")
    var isFirst = true
    func begin(_ name: String) throws {
      if !isFirst { try output.write(", ") }
      isFirst = false
      try output.write(text: name)
      try output.write(": ")
    }
    var entity: String?
    if !table.entities.isEmpty {
      for (column, value) in values where table.columns[column].name == "Z_ENT" {
        if case .integer(let number) = value { entity = table.entities[number] }
      }
      try begin("entity")
      if let entity { try output.write(text: entity) } else { try output.write("null") }
    }
    for (index, value) in values {
      let column = table.columns[index]
      // What Core Data needs and nobody else.
      if column.name == "Z_OPT" || column.name == "Z_ENT" { continue }
      let owner = entity ?? table.entity
      let property = column.properties.first { $0.entities.contains(owner) }
      // A column of another entity's in the same table.
      if property == nil, !column.properties.isEmpty, case .null = value { continue }
      try begin(property?.name ?? column.name)
      try write(value, isDate: column.isDate, output)
    }
    try output.write("}")
  }

  private func write(_ value: StoredValue, isDate: Bool, _ output: JSONOutput) throws {
    switch value {
    case .null: try output.write("null")
    case .text(let text): try output.write(text: text)
    case .blob(let data):
      try output.write("{\"base64\": \"")
      try output.write(data.base64EncodedString())
      try output.write("\"}")
    case .integer(let number):
      try write(String(number), date: isDate ? Double(number) : nil, output)
    case .real(let number): try write(Self.json(number), date: isDate ? number : nil, output)
    }
  }

  private func write(_ number: String, date: Double?, _ output: JSONOutput) throws {
    guard let date else { return try output.write(number) }
    let text = Self.date(date).map { "\"\($0)\"" } ?? "null"
    try output.write("{\"date\": \(text), \"raw\": \(number)}")
  }

  /// JSON has no numbers for what is not finite.
  private static func json(_ value: Double) -> String {
    if value.isFinite { return "\(value)" }
    return value.isNaN ? "\"nan\"" : value < 0 ? "\"-inf\"" : "\"inf\""
  }

  /// ISO 8601, for years from 1 to 9999.
  private static func date(_ seconds: Double) -> String? {
    guard seconds.isFinite, (-63_113_904_000..<252_455_616_000).contains(seconds) else {
      return nil
    }
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    return date.ISO8601Format(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

extension StoreStructure {
  /// Whether a table can have rows of models: it is none of Core Data's own, its history's or its mirroring's.
  static func isModels(_ table: String) -> Bool {
    let own: Set = [
      "Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE", "ACHANGE", "ATRANSACTION",
      "ATRANSACTIONSTRING",
    ]
    return !own.contains(table) && !table.hasPrefix("sqlite_") && !table.hasPrefix("ANSCK")
  }

  /// What can be told of a damaged store; every table that is none of Core Data's own.
  init(ofDamaged database: SQLite) {
    var names: [String] = []
    // Names that come before damage are known.
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
final class JSONOutput {
  private let path: String
  private var file: Int32
  private var buffer: [UInt8] = []
  private static let bufferLength = 64 << 10

  init(_ path: String) throws {
    self.path = path
    file = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemFailure(code: errno, path: path) }
    buffer.reserveCapacity(Self.bufferLength)
  }

  deinit { if file >= 0 { Foundation.close(file) } }

  func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.bufferLength { try flush() }
  }

  /// Writes a string of JSON's.
  func write(text: String) throws {
    buffer.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        buffer.append(UInt8(ascii: "\\"))
        buffer.append(byte)
      case 0..<0x20:
        buffer.append(contentsOf: "\\u00\([byte].hexadecimal)".utf8)
      default: buffer.append(byte)
      }
    }
    buffer.append(UInt8(ascii: "\""))
    if buffer.count >= Self.bufferLength { try flush() }
  }

  private func flush() throws {
    try buffer.withUnsafeBytes { try Disk.write($0, to: file, path) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes what is left, to the disk itself.
  func close() throws {
    try flush()
    Foundation.close(file)
    file = -1
    try Disk.synchronize(path)
  }
}
