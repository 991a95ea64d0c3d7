import Foundation
import SchemaWorkspace
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat
@testable import StoreTools

/// Copies of stores without their values: no value is left, and everything else is.
///
/// `ANONYMISED_STORES` is the number of random ones.
@Suite struct AnonymiseTests {
  private static let seeds =
    ProcessInfo.processInfo.environment["ANONYMISED_STORES"].flatMap { Int($0) }.map { 0..<$0 }
    ?? Checkout.seeds(60)

  @Test("No original value remains in the copy of a random store", arguments: seeds)
  func nothingLeft(_ seed: Int) throws {
    try withTemporaryFolder { folder in
      var random = RandomStores(seed: UInt64(seed))
      try random.write(to: folder)
      let before = try Self.contents(folder)
      let summary = try Self.anonymise(folder, seed: seed)
      #expect(try Self.contents(folder).filter { before[$0.key] != nil } == before)
      try Self.check(folder, summary)
    }
  }

  @Test(
    "No original value remains in copies of Apple's stores", .enabled(if: AppleStores.folder != nil)
  )
  func appleStores() throws {
    guard let stores = AppleStores.folder else { return }
    for name in try FileManager.default.contentsOfDirectory(atPath: stores.path).sorted()
    where name.hasSuffix(".store") || name.hasSuffix(".sqlite") {
      try withTemporaryFolder { folder in
        try FileManager.default.copyItem(
          atPath: stores.path + "/" + name, toPath: folder + "/a.store")
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o644], ofItemAtPath: folder + "/a.store")
        try Self.check(folder, Self.anonymise(folder))
      }
    }
  }

  /// Every file, including those in subfolders.
  private static func contents(_ folder: String) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      contents[name] = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
    }
    return contents
  }

  private static func anonymise(_ folder: String, seed: Int = 0) throws -> StoreCopy.Summary {
    var copy = StoreCopy(
      of: URL(filePath: folder + "/a.store"), to: URL(filePath: folder + "/b.store"))
    copy.digest = [UInt8(seed & 0xFF), UInt8(seed >> 8 & 0xFF)]
    return try copy.write()
  }

  // MARK: Held against the original

  private static func check(_ folder: String, _ summary: StoreCopy.Summary) throws {
    // As SQLite reads it, with the log.
    let old = try SQLite(path: copied(folder), access: .readWrite)
    let new = try SQLite(path: folder + "/b.store", access: .readOnly)
    #expect(try new.texts("PRAGMA integrity_check") == ["ok"])
    #expect(try schema(old) == schema(new))
    #expect(try line(folder + "/a.store") == line(folder + "/b.store"))
    try checkBytes(old, folder)
    try checkShapes(old, new)
  }

  /// A copy that may be opened as in an app, with its log.
  private static func copied(_ folder: String) throws -> String {
    let path = folder + "/opened"
    for suffix in ["", "-wal"]
    where FileManager.default.fileExists(atPath: folder + "/a.store" + suffix) {
      try FileManager.default.copyItem(
        atPath: folder + "/a.store" + suffix, toPath: path + suffix)
    }
    return path
  }

  private static func schema(_ database: SQLite) throws -> [String] {
    try database.texts(
      "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master ORDER BY 1")
  }

  private static func line(_ path: String) throws -> String {
    let facts = try Stores.facts(path)
    return StoreLine(InspectionReport(path: "store", facts: facts, candidates: nil)).json
      .replacing(/"(bytes|logBytes|freeBytes)":(null|\d+)/, with: "")
  }

  private static let tables =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY 1"

  /// Searches for every telling value of the original in the copy's bytes, by other means than the command's.
  private static func checkBytes(_ old: SQLite, _ folder: String) throws {
    var needles: Set<Data> = []
    for table in try old.texts(tables) where !["Z_MODELCACHE", "Z_PRIMARYKEY"].contains(table) {
      try old.forEach("SELECT * FROM \(SQLite.quoted(table))") { statement in
        for place in 0..<(try columns(table, old).count) {
          gather(statement.value(at: place), table, &needles)
        }
        return true
      }
    }
    for file in try files(folder, ".a_SUPPORT") {
      gather(.blob(try Data(contentsOf: file)), "", &needles)
      gather(.text(file.lastPathComponent), "", &needles)
    }
    let schema = try Data(schema(old).joined().utf8) + self.cache(old)
    needles = needles.filter { schema.range(of: $0) == nil }
    let written = [URL(filePath: folder + "/b.store")] + (try files(folder, ".b_SUPPORT"))
    for file in written {
      let left = occurring(needles, in: [UInt8](try Data(contentsOf: file)))
      #expect(left.isEmpty, "\(left.map { String(decoding: $0, as: UTF8.self) })")
    }
  }

  private static func cache(_ database: SQLite) throws -> Data {
    guard case .blob(let cache)? = try database.value("SELECT Z_CONTENT FROM Z_MODELCACHE") else {
      return Data()
    }
    return cache
  }

  private static func files(_ folder: String, _ support: String) throws -> [URL] {
    let path = folder + "/" + support + "/_EXTERNAL_DATA"
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
      .map { URL(filePath: path + "/" + $0) }
  }

  private static func columns(_ table: String, _ database: SQLite) throws -> [String] {
    try database.rows("SELECT name FROM pragma_table_info(?)", [.text(table)]) { $0.text(at: 0) }
  }

  private static func gather(_ value: StoredValue, _ table: String, _ needles: inout Set<Data>) {
    switch value {
    case .text(let text): gather(text, &needles)
    case .blob(let data):
      // The byte that marks a value inside the store.
      if data.first == 1 { gather(.blob(Data(data.dropFirst())), table, &needles) }
      if let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
        data.starts(with: Data("bplist".utf8))
      {
        gather(list, isMetadata: table == "Z_METADATA", &needles)
      } else if let text = String(data: data, encoding: .utf8), data.count != 16, data.first != 1 {
        gather(text, &needles)
      } else if data.count >= 6, data.first != 1 {
        needles.insert(data.prefix(24))
      }
    case .real(let number):
      let bytes = withUnsafeBytes(of: number.bitPattern.bigEndian) { Data($0) }
      // Not a short decimal, of which there are few, nor a number that stays.
      if number.isFinite, number != .greatestFiniteMagnitude, Set(bytes).count > 5 {
        needles.insert(bytes)
      }
    case .integer(let number):
      if number.magnitude >= 1 << 47, number != .max, number != .min {
        needles.insert(withUnsafeBytes(of: number.bigEndian) { Data($0) })
      }
    case .null: break
    }
  }

  private static func gather(_ text: String, _ needles: inout Set<Data>) {
    if let data = text.data(using: .utf8), ["{", "["].contains(text.first),
      let json = try? JSONSerialization.jsonObject(with: data)
    {
      return gather(json, isMetadata: false, &needles)
    }
    let told = text.unicodeScalars.filter {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || $0.value > 0x1F000
    }
    guard told.count >= 4, text.utf8.count >= 4, text != "the same", !text.hasPrefix("👨") else {
      return
    }
    needles.insert(Data(text.utf8.prefix(60)))
  }

  private static func gather(_ value: Any, isMetadata: Bool, _ needles: inout Set<Data>) {
    switch value {
    case let text as String: gather(text, &needles)
    case let list as [Any]:
      for item in list { gather(item, isMetadata: false, &needles) }
    case let members as [String: Any]:
      for (key, item) in members
      where !key.hasPrefix("$") && !key.hasPrefix("NS") && !key.hasPrefix("_") {
        gather(item, isMetadata: false, &needles)
      }
    case let data as Data: gather(.blob(data), "", &needles)
    default: break
    }
  }

  private static func occurring(_ needles: Set<Data>, in bytes: [UInt8]) -> [Data] {
    var heads: [UInt64: [[UInt8]]] = [:]
    func head(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    for needle in needles where needle.count >= 4 {
      heads[head(needle.prefix(4)), default: []].append(Array(needle))
    }
    var found: [Data] = []
    var current: UInt64 = 0
    for place in bytes.indices {
      current = (current << 8 | UInt64(bytes[place])) & 0xFFFF_FFFF
      for needle in heads[current] ?? [] where place >= 3 {
        let start = place - 3
        if start + needle.count <= bytes.count,
          bytes[start..<start + needle.count].elementsEqual(needle)
        {
          found.append(Data(needle))
        }
      }
    }
    return found
  }

  /// Row by row: nil stays nil, keys and links stay, and texts become texts of the same kind; equal ones stay equal,
  /// and different ones different.
  private static func checkShapes(_ old: SQLite, _ new: SQLite) throws {
    var texts: [String: String] = [:]
    for table in try old.texts(tables) {
      let columns = try columns(table, old)
      let names = columns.map(SQLite.quoted).joined(separator: ", ")
      let query = "SELECT \(names) FROM \(SQLite.quoted(table)) NOT INDEXED"
      func read(_ database: SQLite) throws -> [[StoredValue]] {
        try database.rows(query) { row in columns.indices.map { row.value(at: $0) } }
      }
      let (rows, changed) = (try read(old), try read(new))
      if ["ANSCK", "ACHANGE", "ATRANSACTION", "Notebook"].contains(where: table.hasPrefix) {
        #expect(changed.isEmpty)
        continue
      }
      try #require(rows.count == changed.count, "\(table)")
      for (row, made) in zip(rows, changed) {
        for (place, column) in columns.enumerated() {
          try check(
            row[place], made[place], "\(table).\(column)",
            &texts)
        }
      }
    }
    #expect(Set(texts.values).count == texts.count)
  }

  private static func check(
    _ value: StoredValue, _ made: StoredValue, _ place: String,
    _ texts: inout [String: String]
  ) throws {
    let name = place.split(separator: ".")[1]
    if name.hasPrefix("Z_") && !["Z_UUID", "Z_PLIST"].contains(name) || name == "ZTRIP"
      || name.hasPrefix("Z3") || name.hasPrefix("Z1")
    {
      return #expect(value == made, "\(place)")
    }
    switch (value, made) {
    case (.null, .null): break
    case (.text(let text), .text(let new)):
      #expect(texts.updateValue(new, forKey: text) ?? new == new, "\(place)")
      try check(text, new, place)
    case (.blob(let data), .blob(let new)): #expect(data.count == new.count, "\(place)")
    case (.integer(let number), .integer(let new)):
      #expect(number.signum() == new.signum(), "\(place)")
      #expect((Int32(exactly: number) == nil) == (Int32(exactly: new) == nil), "\(place)")
      #expect((Int16(exactly: number) == nil) == (Int16(exactly: new) == nil), "\(place)")
      if (-1...1).contains(number) { #expect(number == new, "\(place)") }
    case (.real(let number), .real(let new)):
      #expect(number.isFinite == new.isFinite && (number < 0) == (new < 0), "\(place)")
      #expect(
        (number.rounded() == number) == (new.rounded() == new), "\(place): \(number) \(new)")
    default: Issue.record("\(place): \(value) became \(made)")
    }
  }

  private static func check(_ text: String, _ new: String, _ place: String) throws {
    let shown = "\(place): '\(text)' became '\(new)'"
    #expect(text.utf8.count == new.utf8.count && text.utf16.count == new.utf16.count, "\(shown)")
    #expect(text.unicodeScalars.count == new.unicodeScalars.count, "\(shown)")
    #expect(text.isEmpty == new.isEmpty)
    #expect((UUID(uuidString: text) == nil) == (UUID(uuidString: new) == nil), "\(shown)")
    #expect((Int64(text) == nil) == (Int64(new) == nil), "\(shown)")
    #expect((Double(text) == nil) == (Double(new) == nil), "\(shown)")
    func structure(_ value: Any) -> String {
      switch value {
      case let list as [Any]: "[" + list.map(structure).joined(separator: ",") + "]"
      case let members as [String: Any]:
        "{" + members.sorted { $0.key < $1.key }.map { $0.key + ":" + structure($0.value) }.joined()
          + "}"
      case is String: "text"
      case is NSNull: "null"
      default: "number"
      }
    }
    if let json = try? JSONSerialization.jsonObject(with: Data(text.utf8)) {
      let changed = try? JSONSerialization.jsonObject(with: Data(new.utf8))
      #expect(changed.map(structure) == structure(json), "\(shown)")
    }
  }
}
