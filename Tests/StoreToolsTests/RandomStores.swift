import Foundation
import TestSupport

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// Stores as Core Data writes them, from random models with random rows: hostile texts, scripts, JSON, archives,
/// external files, a history, CloudKit's records, free pages, and a log that was not checkpointed. A seed always gives
/// the same store.
struct RandomStores {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  // MARK: Values

  private static let alphabets: [[Character]] = [
    "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", "àéîõüçñßø",
    "абвгдежзик", "ΑΒΓΔαβγδε", "漢字仮名交学校日本", "ひらがなカタカナ", "한국어서울가나다", "עבריתשלום",
    "مرحبابكم", "हिन्दीमें", "😀🚀🌱🐙🍎", "ไทยกขคง",
  ].map(Array.init)

  private mutating func word(_ length: ClosedRange<Int>) -> String {
    let alphabet = random.pick(Self.alphabets)
    return String(
      (0..<length.lowerBound + random.below(length.count)).map { _ in random.pick(alphabet) })
  }

  mutating func text() -> String {
    switch random.below(20) {
    case 0: return ""
    case 1: return (0..<6).map { _ in word(1...8) }.joined(separator: "\n\t ")
    case 2: return String((0..<3_000).map { _ in random.pick(Self.alphabets[0]) })
    case 3: return "e\u{301}" + word(4...9).decomposedStringWithCanonicalMapping + "\u{308}"
    case 4: return json(0)
    case 5: return uuid().uuidString
    case 6: return uuid().uuidString.lowercased()
    case 7: return "https://\(word(4...8)).example.org:8443/\(word(3...9))?q=\(word(3...5))#%C3%A9"
    case 8:
      return
        "20\(10 + random.below(80))-0\(1 + random.below(9))-1\(random.below(10))T09:41:0\(random.below(10)).25Z"
    case 9: return "\(random.next() % 100_000_000_000)"
    case 10: return "\(random.below(2_000)).\(random.below(9) + 1)"
    case 11: return "👨‍👩‍👧‍👦🇩🇪👍🏽 \(word(5...9))"
    case 12: return word(4...9) + "@example.org"
    case 13: return "  \(word(2...12))\u{0}\(word(2...8))\u{200D} "
    default: return word(3...14) + " " + word(2...14)
    }
  }

  private mutating func uuid() -> UUID {
    let bytes = (0..<16).map { _ in UInt8(random.below(256)) }
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6] & 15 | 0x40, bytes[7],
        bytes[8] & 0x3F | 0x80, bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14],
        bytes[15]
      ))
  }

  /// JSON texts as apps write them, with escapes and numbers.
  mutating func json(_ depth: Int) -> String {
    let members = (0..<1 + random.below(4)).map { index -> String in
      let value: String
      switch random.below(depth < 3 ? 9 : 7) {
      case 0: value = "null"
      case 1: value = random.chance(50) ? "true" : "false"
      case 2: value = "\(Int64(bitPattern: random.next()) / 1_000_003)"
      case 3: value = "\(random.below(1_000)).\(1 + random.below(99))e2"
      case 4: value = "\"\(word(4...12))\\n\\\"\(word(4...9))\\u00e9\\ud83d\\ude80\""
      case 5: value = "\"\""
      case 6: value = "\"\(word(6...16))\""
      case 7: value = json(depth + 1)
      default: value = "[" + json(depth + 1) + ", \"\(word(6...9))\" ]"
      }
      return "\"key\(index)\" : \(value)"
    }
    return "{ " + members.joined(separator: ", ") + " }"
  }

  mutating func data() -> Data {
    switch random.below(8) {
    case 0: return Data()
    case 1: return Data(json(0).utf8)
    case 2: return Data((0..<16).map { _ in UInt8(random.below(256)) })
    case 3, 4:
      let list: [String: Any] = [
        "$archiver": "NSKeyedArchiver", "$version": 100_000, "name": word(7...20),
        "number": Int(random.next() >> 20), "real": Double(random.below(1_000_000)) / 977,
        "date": Date(timeIntervalSinceReferenceDate: Double(random.below(700_000_000)) + 0.25),
        "data": Data(json(0).utf8), "list": [word(6...8), word(6...8), ""],
        "flag": random.chance(50),
      ]
      return
        (try? PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
        ?? Data()
    case 5: return Data(text().utf8)
    default: return Data((0..<7 + random.below(300)).map { _ in UInt8(random.below(256)) })
    }
  }

  private mutating func number() -> Int64 {
    switch random.below(8) {
    case 0: return random.pick([0, 1, -1, .max, .min, 32_767, -32_768, 2_147_483_647])
    case 1: return Int64(bitPattern: random.next()) >> 8
    case 2: return -Int64(random.below(100_000))
    default: return Int64(random.below(5_000))
    }
  }

  private mutating func real() -> Double {
    switch random.below(8) {
    case 0:
      return random.pick([0, -0.0, 1, -1, .infinity, -.infinity, .greatestFiniteMagnitude])
    case 1: return Double(random.below(100_000)) / 100
    case 2: return Double(Float(random.below(100_000)) / 7)
    case 3: return -Double(random.below(1_000_000)) / 977
    case 4: return 1e300 * Double(random.below(100) + 2)
    default: return Double(random.next() >> 11) / 3e7
    }
  }

  private mutating func value(of type: AttributeType) -> StoredValue {
    switch type {
    case .integer16, .integer32, .integer64: .integer(number())
    case .boolean: .integer(Int64(random.below(2)))
    case .double, .float, .decimal: .real(real())
    case .date:
      random.pick([
        .real(Double(random.below(900_000_000))), .real(Double(random.next() >> 12) / 6e6),
        .real(-63_114_076_800), .real(0), .real(-Double(random.below(2_000_000_000)) - 0.125),
      ])
    case .string, .uri: .text(text())
    case .uuid: .blob(withUnsafeBytes(of: uuid().uuid) { Data($0) })
    case .binary, .transformable, .composite, .undefined: .blob(data())
    }
  }

  // MARK: Models

  private mutating func model() -> ManagedModel {
    let types: [AttributeType] = [
      .integer16, .integer64, .decimal, .double, .float, .string, .string, .string, .boolean, .date,
      .binary, .binary, .uuid, .uri, .transformable,
    ]
    var entities = ["Trip", "Stop", "Note"].prefix(1 + random.below(3)).map {
      ManagedEntity(name: $0)
    }
    for index in entities.indices {
      for place in 0..<1 + random.below(6) {
        let type = random.pick(types)
        entities[index].attributes.append(
          ManagedAttribute(
            name: "part\(place)", type: type, isOptional: true,
            isExternal: type == .binary && random.chance(50)))
      }
      entities[index].attributes.append(ManagedAttribute(name: "code", type: .string))
      entities[index].uniqueness = [["code"]]
      entities[index].indexes = [ManagedIndex(properties: ["part0"])]
    }
    if entities.count > 1 {
      entities[0].relationships.append(
        ManagedRelationship(name: "stops", destination: "Stop", inverse: "trip", isToMany: true))
      entities[1].relationships.append(
        ManagedRelationship(name: "trip", destination: "Trip", inverse: "stops", isToMany: false))
    }
    if entities.count > 2 {
      entities[2].superentity = random.chance(40) ? "Stop" : nil
      entities[2].relationships.append(
        ManagedRelationship(name: "trips", destination: "Trip", inverse: "notes", isToMany: true))
      entities[0].relationships.append(
        ManagedRelationship(name: "notes", destination: "Note", inverse: "trips", isToMany: true))
      if entities[2].superentity != nil {
        // These are inherited.
        entities[2].attributes.removeAll { $0.name == "code" || $0.name.hasPrefix("part") }
        entities[2].attributes.append(
          ManagedAttribute(name: "own", type: .string, isOptional: true))
        entities[2].uniqueness = []
        entities[2].indexes = []
      }
    }
    return ManagedModel(entities: entities, versionIdentifier: "1.0.0")
  }

  // MARK: Stores

  /// Writes a store with its external files into a folder as `a.store`.
  mutating func write(to folder: String) throws {
    let model = model()
    let live = folder + "/live.store"
    let store = try StoreFile(at: .file(URL(filePath: live)))
    try store.create(model)
    try fill(store, model)
    try Stores.disguise(store, model)
    try addTables(store.database)
    try makeExternal(store.database, model, folder)
    let table = try store.database.texts("SELECT name FROM sqlite_master WHERE name = 'ZTRIP'")[0]
    try store.database.execute("DELETE FROM \(table) WHERE Z_PK % 7 = 3")
    if random.chance(50) {
      _ = try store.database.value("PRAGMA wal_checkpoint(TRUNCATE)")
      try store.database.execute("UPDATE \(table) SET ZCODE = ZCODE || ' later' WHERE Z_PK = 1")
    }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: live + suffix, toPath: folder + "/a.store" + suffix)
    }
    withExtendedLifetime(store) {}
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: live + suffix)
    }
  }

  private mutating func fill(_ store: StoreFile, _ model: ManagedModel) throws {
    var changes = StoreChanges()
    let graph = try ModelGraph(model)
    let count = 1 + random.below(40)
    var codes: Set<String> = []
    for node in graph.nodes {
      for key in try store.allocateKeys(of: node.name, count: count) {
        let values = store.layout(of: node.name).slots.map { slot -> StoredValue in
          guard let type = slot.type else {
            return random.chance(70) ? .integer(Int64(1 + random.below(count))) : .null
          }
          if slot.path == "code" {
            var code = text()
            while !codes.insert(code).inserted || code.isEmpty { code = text() + "-\(key)" }
            return .text(code)
          }
          if random.chance(12) { return .null }
          // Equal values in several rows and columns.
          return type == .string && random.chance(20) ? .text("the same") : value(of: type)
        }
        changes.inserted.append(StoreRow(id: ObjectID(entity: node.name, key: key), values: values))
        for relationship in node.relationships
        where relationship.name == "notes" && random.chance(40) {
          changes.links.append(
            StoreChanges.Link(
              source: ObjectID(entity: node.name, key: key), relationship: "notes",
              destinations: [ObjectID(entity: "Note", key: Int64(1 + random.below(count)))]))
        }
      }
    }
    try store.apply(changes)
  }

  private mutating func addTables(_ database: SQLite) throws {
    try database.execute(
      """
      DROP TABLE ACHANGE;
      CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB, ZTOMBSTONE0 VARCHAR );
      CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZQUERYGEN BLOB );
      CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
      CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC);
      CREATE TABLE ANSCKRECORDMETADATA ( Z_PK INTEGER PRIMARY KEY, ZCKRECORDNAME VARCHAR, ZENCODEDRECORD BLOB );
      CREATE TABLE Notebook ( title TEXT );
      """)
    for key in Int64(1)...4 {
      try database.run(
        "INSERT INTO ACHANGE VALUES (?, 16001, 1, 2, 1, 3, 1, X'05', ?)",
        [.integer(key), .text(word(6...12))])
      try database.run(
        "INSERT INTO ATRANSACTION VALUES (?, 16002, 1, 1, ?, ?, ?)",
        [
          .integer(key), .real(Double(random.below(800_000_000)) + 0.5), .text(word(6...9)),
          .blob(data()),
        ])
      try database.run(
        "INSERT INTO ATRANSACTIONSTRING VALUES (?, 16003, 1, ?)",
        [.integer(key), .text(word(6...9) + "\(key)")])
      try database.run(
        "INSERT INTO ANSCKRECORDMETADATA VALUES (?, ?, ?)",
        [.integer(key), .text(uuid().uuidString), .blob(data())])
      try database.run("INSERT INTO Notebook VALUES (?)", [.text(word(6...20))])
    }
    guard case .blob(let list)? = try database.value("SELECT Z_PLIST FROM Z_METADATA"),
      var properties = try PropertyListSerialization.propertyList(from: list, format: nil)
        as? [String: Any]
    else { return }
    properties["owner"] = [
      "name": word(8...14), "since": Date(timeIntervalSinceReferenceDate: 7_654_321.5),
    ]
    try database.run(
      "UPDATE Z_METADATA SET Z_PLIST = ?",
      [
        .blob(
          try PropertyListSerialization.data(
            fromPropertyList: properties, format: .binary, options: 0))
      ])
  }

  /// Some values in files beside the store, others after the byte that marks them as inside the store.
  private mutating func makeExternal(
    _ database: SQLite, _ model: ManagedModel, _ folder: String
  ) throws {
    let files = folder + "/.a_SUPPORT/_EXTERNAL_DATA"
    for entity in model.entities {
      for attribute in entity.attributes where attribute.isExternal {
        let table = "Z" + entity.name.uppercased()
        let column = "Z" + attribute.name.uppercased()
        guard
          try database.number(
            "SELECT COUNT(*) FROM pragma_table_info('\(table)') WHERE name = '\(column)'") > 0
        else { continue }
        try database.run(
          "UPDATE \(table) SET \(column) = CAST(X'01' || \(column) AS BLOB) WHERE \(column) IS NOT NULL"
        )
        let name = uuid().uuidString
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        try data().write(to: URL(filePath: files + "/" + name))
        try database.run(
          "UPDATE \(table) SET \(column) = ? WHERE Z_PK = 2",
          [.blob(Data([2] + Array(name.utf8) + [0]))])
      }
    }
  }
}
