public import Foundation
internal import ManagedModels

extension StoreFacts {
  /// Receives progress: the number of tables whose rows have been counted, and the number of all tables.
  public typealias Counting = (_ done: Int, _ total: Int) -> Void

  /// Reads a store's description of itself.
  ///
  /// Nothing is written to the store or its log, and no file is created. A store that others have open is read between
  /// two of their transactions. Memory does not grow with the store. Throws `StoreError` with the reason if the file is
  /// not a store, or cannot be read.
  ///
  /// It must not be used for a store that this process has open: closing a file drops the process's locks on it
  /// (POSIX).
  public init(ofStoreAt url: URL, counting: Counting? = nil) throws {
    self = try Self.examine(url, counting: counting) { _, _ in }.facts
  }

  /// Reads a store's description of itself and queries its rows, like `init(ofStoreAt:)`, in one transaction.
  ///
  /// - Parameter asking: The queries; repeated from the start if the store was written to meanwhile.
  public static func examine<Answers>(
    _ url: URL, counting: Counting? = nil, asking: (StoreFacts, StoreSurvey) throws -> Answers
  ) throws -> (facts: StoreFacts, answers: Answers) {
    let url = url.resolvingSymlinksInPath()
    // If another process begins to write meanwhile, the files change, and the store is read again.
    for _ in 0..<3 {
      let before = try StoreFiles(url)
      do {
        let found = try read(before, counting, asking)
        if try StoreFiles(url) == before || found.facts.access == .shared { return found }
      } catch {
        guard try StoreFiles(url) != before else { throw error }
      }
    }
    throw StoreError(.cannotOpen, "the store is being written to continuously: try again later")
  }

  /// Throws, before reading anything, if a path cannot be a store's file: a FIFO, a device, a folder, or nothing.
  package static func checkFiles(ofStoreAt url: URL) throws {
    _ = try StoreFiles(url.resolvingSymlinksInPath())
  }

  private static func read<Answers>(
    _ files: StoreFiles, _ counting: Counting?,
    _ asking: (StoreFacts, StoreSurvey) throws -> Answers
  ) throws -> (facts: StoreFacts, answers: Answers) {
    guard files.mainSize > 0 else { throw StoreError(.notAStore, "the file is empty") }
    if files.hasJournal { return try readBesideJournal(files, counting, asking) }
    guard let logSize = files.logSize, logSize > 0 else {
      // A store with write-ahead logging but without a log is not open anywhere. Without write-ahead logging, locks
      // must be taken.
      let isLogging = try files.isLogging()
      return try Examination(files, isLogging ? .immutable : .readOnly, .alone, counting)
        .examine(asking)
    }
    // If no process has the store open, the shared memory is invalid, and SQLite would wait for another process to set
    // it up.
    guard files.hasSharedMemory, files.sharesLog() else {
      return try readCopy(of: files, counting, asking)
    }
    do {
      return try Examination(files, .observing, .shared, counting).examine(asking)
    } catch let error as StoreError where error.kind == .sqlite {
      // The shared memory has no mark for readers, so SQLite creates one, which is safe next to other connections.
      return try Examination(files, .readOnly, .shared, counting).examine(asking)
    }
  }

  /// Reads a store next to a journal, which belongs to a transaction in progress or to an interrupted one. SQLite tells
  /// the two apart by the writer's lock.
  private static func readBesideJournal<Answers>(
    _ files: StoreFiles, _ counting: Counting?,
    _ asking: (StoreFacts, StoreSurvey) throws -> Answers
  ) throws -> (facts: StoreFacts, answers: Answers) {
    do {
      return try Examination(files, .readOnly, .shared, patience: 2_000, counting).examine(asking)
    } catch let error as StoreError where error.failure?.needsWriting == true {
      throw StoreError(
        .cannotOpen,
        "a transaction was interrupted and must be rolled back: open the store with its app first"
      )
    } catch let error as StoreError where error.failure?.isBusy == true {
      throw StoreError(
        .cannotOpen, "another process is writing to the store: close the app, or try again later")
    }
  }

  /// Reads a copy of a store that has a log but no shared memory. No process has such a store open, and SQLite would
  /// have to write in order to read it.
  private static func readCopy<Answers>(
    of files: StoreFiles, _ counting: Counting?,
    _ asking: (StoreFacts, StoreSurvey) throws -> Answers
  ) throws -> (facts: StoreFacts, answers: Answers) {
    try withScratchFolder { folder in
      let copy = folder.appending(path: "store")
      do {
        for suffix in ["", "-wal"] {
          try FileManager.default.copyItem(
            at: URL(filePath: files.url.path + suffix), to: URL(filePath: copy.path + suffix))
        }
      } catch {
        throw StoreError(.cannotOpen, "the store cannot be copied: \(error.localizedDescription)")
      }
      var copied = files
      copied.url = copy
      return try Examination(copied, .readOnly, .copied, counting).examine(asking)
    }
  }
}

package func withScratchFolder<Result>(_ work: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(
    path: "schemagen-store-\(UUID().uuidString)")
  do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  } catch {
    throw StoreError(
      .cannotOpen, "no folder for a copy can be created: \(error.localizedDescription)")
  }
  defer { try? FileManager.default.removeItem(at: folder) }
  return try work(folder)
}

/// The state of a store's files; comparing two states shows whether someone wrote.
private struct StoreFiles: Equatable {
  var url: URL
  var mainSize: Int64
  private var changed: Date?
  var logSize: Int64?
  private var logChanged: Date?
  var hasSharedMemory: Bool
  var hasJournal: Bool

  init(_ url: URL) throws {
    self.url = url
    func attributes(_ suffix: String) -> [FileAttributeKey: Any]? {
      try? FileManager.default.attributesOfItem(atPath: url.path + suffix)
    }
    func size(_ attributes: [FileAttributeKey: Any]) -> Int64 {
      (attributes[.size] as? NSNumber)?.int64Value ?? 0
    }
    guard let main = attributes("") else {
      // A path that is not UTF-8 arrives with a replacement character, and does not exist.
      throw StoreError(
        .cannotOpen,
        url.path.unicodeScalars.contains("\u{FFFD}")
          ? "a file whose name is not UTF-8 cannot be opened: rename it, or make a link to it"
          : "there is no such file")
    }
    switch main[.type] as? FileAttributeType {
    case .typeRegular?: break
    case .typeDirectory?: throw StoreError(.cannotOpen, "that is a folder, not a store")
    default: throw StoreError(.cannotOpen, "that is not a regular file")
    }
    // Opening a FIFO next to the store would wait forever, and a link would lead to another store's file.
    for suffix in ["-wal", "-shm", "-journal"] {
      guard let beside = attributes(suffix), beside[.type] as? FileAttributeType != .typeRegular
      else { continue }
      throw StoreError(
        .cannotOpen, "'\(url.lastPathComponent)\(suffix)' next to the store is not a regular file")
    }
    mainSize = size(main)
    changed = main[.modificationDate] as? Date
    let log = attributes("-wal")
    logSize = log.map(size)
    logChanged = log?[.modificationDate] as? Date
    hasSharedMemory = attributes("-shm") != nil
    hasJournal = attributes("-journal").map { size($0) > 0 } ?? false
  }

  /// Why SQLite does not read the log next to the store; nil if it does, or there is no log.
  func unusedLog() -> String? {
    guard let size = logSize, size > 0,
      let file = try? FileHandle(forReadingFrom: URL(filePath: url.path + "-wal"))
    else { return nil }
    defer { try? file.close() }
    let header = (try? file.read(upToCount: 32)) ?? Data()
    let isLog =
      header.count == 32 && header.starts(with: [0x37, 0x7F, 0x06]) && header[3] & 0xFE == 0x82
    return isLog
      ? nil : "the '-wal' file is not a log, and was not read: \(size) bytes"
  }

  /// Whether the file next to the store is shared memory for its log. Shared memory describes the log twice,
  /// identically unless it is being written.
  func sharesLog() -> Bool {
    for _ in 0..<100 {
      guard let file = try? FileHandle(forReadingFrom: URL(filePath: url.path + "-shm")) else {
        return false
      }
      defer { try? file.close() }
      let header = (try? file.read(upToCount: 96)) ?? Data()
      guard header.count == 96 else { return false }
      if header.prefix(48).elementsEqual(header.suffix(48)) { return header[12] != 0 }
      usleep(1_000)
    }
    return false
  }

  /// Whether the store is written through a write-ahead log, like Core Data's stores. Throws if it is not a database.
  func isLogging() throws -> Bool {
    let header: Data
    do {
      let file = try FileHandle(forReadingFrom: url)
      defer { try? file.close() }
      header = try file.read(upToCount: 100) ?? Data()
    } catch {
      throw StoreError(.cannotOpen, "the file cannot be read: \(error.localizedDescription)")
    }
    let isDatabase = header.starts(with: Data("SQLite format 3\0".utf8))
    guard !isDatabase || header.count == 100 else {
      throw StoreError(.notAStore, "the file was cut off after \(header.count) bytes")
    }
    guard isDatabase else {
      throw StoreError(
        .notAStore,
        header.allSatisfy { $0 >= 0x20 && $0 < 0x7F || (9...13).contains($0) }
          ? "the file is text, not a SQLite database"
          : "the file is not a SQLite database, or an encrypted one")
    }
    // Byte 18 is the version for writing, byte 19 the one for reading, which SQLite uses. In a valid file they are
    // equal.
    return header[18] == 2 || header[19] == 2
  }
}

/// Reads the facts from one open database.
private struct Examination {
  let files: StoreFiles
  let access: StoreFacts.Access
  let database: SQLite
  let size: Int64
  let counting: StoreFacts.Counting?

  private enum Limit {
    static let tables = 20_000
    static let value = 64 << 20
    /// The number of instructions per byte: a row has at least ten bytes, and counting it takes about as many
    /// instructions.
    static let stepsPerByte: Int64 = 8
    static let steps: Int64 = 50_000_000
  }

  init(
    _ files: StoreFiles, _ mode: SQLite.Access, _ access: StoreFacts.Access,
    patience: Int32 = 10_000, _ counting: StoreFacts.Counting?
  ) throws {
    self.files = files
    self.counting = counting
    self.access = access
    size = files.mainSize + (files.logSize ?? 0)
    database = try SQLite(path: files.url.path, access: mode, patience: patience)
    // Divided first to avoid overflow, since a file may claim any size.
    let steps = min(size, .max / 2 / Limit.stepsPerByte) * Limit.stepsPerByte + Limit.steps
    database.restrict(steps: Int(clamping: steps), valueSize: Limit.value)
    try database.distrustSchema()
  }

  func examine<Answers>(
    _ asking: (StoreFacts, StoreSurvey) throws -> Answers
  ) throws -> (facts: StoreFacts, answers: Answers) {
    // One transaction excludes changes by others.
    try database.execute("BEGIN")
    defer { try? database.execute("COMMIT") }
    let facts = try facts()
    return (facts, try asking(facts, StoreSurvey(database, size: size, Limit.value)))
  }

  private func facts() throws -> StoreFacts {
    let names = try tableNames()
    guard !names.isEmpty else {
      throw StoreError(.notAStore, "the database has no tables: nothing was ever stored in it")
    }
    try checkIsWhole()
    for name in ["Z_METADATA", "Z_PRIMARYKEY"] where !names.contains(name) {
      throw StoreError(
        .notAStore, "\(StoreError.foreignDatabase): it has no \(name)")
    }
    let entityCount = try database.value(
      "SELECT COUNT(*) FROM (SELECT 1 FROM Z_PRIMARYKEY LIMIT \(Limit.tables + 1))")
    if case .integer(let count)? = entityCount, count > Limit.tables {
      throw StoreError(.notAStore, "the store has more than \(Limit.tables) entities")
    }
    let metadata = try StoreMetadata(of: database)
    let structure = try StoreStructure(of: database, metadata)
    var notes: [String] = []
    let portable = try metadata.model()
    var cached: ManagedModel?
    if names.contains("Z_MODELCACHE") {
      do {
        cached = try modelCache(&notes)
      } catch let error as StoreError {
        notes.append(error.reason)
      }
    }
    let model = portable ?? cached
    for (name, former) in structure.formerNames.sorted(by: { $0.key < $1.key }) {
      notes.append(
        "Z_PRIMARYKEY still has the name that '\(name)' had before a migration: '\(former)'")
    }
    var facts = StoreFacts(
      writer: portable == nil ? .coreData : .portable, access: access,
      identifier: metadata.identifier, versionIdentifiers: metadata.versionIdentifiers,
      frameworkVersion: metadata.frameworkVersion, hashesVersion: metadata.hashesVersion,
      checksum: metadata.checksum, digest: metadata.digest, hashes: metadata.hashes,
      entities: [], indexes: try indexes(structure), tables: structure.tables,
      otherTables: names.subtracting(structure.tables.keys)
        .subtracting(["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"]).sorted(),
      size: try sizes(), model: model,
      modelSource: portable != nil ? .metadata : cached != nil ? .modelCache : nil,
      notes: notes, damage: [], structure: structure)
    if let model {
      // A cache without the store's hashes belongs to another version.
      let made = model.versionHashes.entities
      if facts.hashes.allSatisfy({ made[$0] == $1 }) {
        facts.damage += facts.columnDamage(from: model)
      }
      for line in facts.tableDifferences(from: model).prefix(20) {
        facts.notes.append("the tables do not match the store's own model: \(line)")
      }
    }
    if let reason = files.unusedLog() { facts.notes.append(reason) }
    try count(&facts, metadata)
    // Counting rows does not read all of their pages.
    if facts.damage.isEmpty {
      do {
        facts.damage += try database.damage().map { "SQLite's quick_check: \($0)" }
      } catch let error as StoreError {
        // SQLite may lack a collation that only Core Data has. That error says nothing about the pages.
        facts.notes.append("SQLite's quick_check cannot be run: \(error.reason)")
      }
    }
    return facts
  }

  /// The names of tables in their original case, without virtual tables and views.
  private func tableNames() throws -> Set<String> {
    do {
      let names = try database.query(
        """
        SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0
        LIMIT \(Limit.tables + 1)
        """
      ) { $0.text(at: 0) }
      guard names.count <= Limit.tables else {
        throw StoreError(.notAStore, "the database has more than \(Limit.tables) tables")
      }
      return Set(names)
    } catch let error as StoreError where error.kind == .notAStore {
      guard files.logSize == nil else { throw error }
      // SQLite reports a truncated file as malformed.
      try checkIsWhole()
      throw error
    }
  }

  /// Throws if the file was cut off, since SQLite reads a truncated page as if zeros followed.
  private func checkIsWhole() throws {
    guard (files.logSize ?? 0) == 0,
      case .integer(let page)? = try database.value("PRAGMA page_size"),
      page > 0, !files.mainSize.isMultiple(of: page)
    else { return }
    throw StoreError(.notAStore, "the file was cut off after \(files.mainSize) bytes")
  }

  private func sizes() throws -> StoreFacts.Size {
    func number(_ name: String) throws -> Int64 {
      guard case .integer(let value)? = try database.value("PRAGMA \(name)") else { return 0 }
      return value
    }
    return StoreFacts.Size(
      main: files.mainSize, log: files.logSize, page: try number("page_size"),
      pageCount: try number("page_count"), freePageCount: try number("freelist_count"))
  }

  private func modelCache(_ notes: inout [String]) throws -> ManagedModel? {
    let rows = try database.query("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1") { $0.value(at: 0) }
    guard let row = rows.first else { return nil }
    guard case .blob(let content) = row else {
      throw StoreError(.notAStore, "the store's model cache cannot be read: it is not a blob")
    }
    let cache = try ModelCache(content)
    // A model that cannot be laid out cannot be compared either.
    do {
      _ = try StoreLayout(cache.model)
    } catch let error as StoreError {
      throw StoreError(.notAStore, "the store's model cache is not valid: \(error.reason)")
    }
    notes += cache.notes
    return cache.model
  }

  private func indexes(_ structure: StoreStructure) throws -> [StoreFacts.Index] {
    var found: [StoreFacts.Index] = []
    for table in structure.tables.keys.sorted() {
      let rows = try database.query(
        """
        SELECT list.name, list."unique", info.name
        FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info
        WHERE list.origin = 'c' ORDER BY list.name, info.seqno
        """, [.text(table)]
      ) { ($0.text(at: 0), $0.integer(at: 1) != 0, $0.text(at: 2)) }
      for (name, isUnique, column) in rows {
        if found.last?.name == name {
          found[found.count - 1].columns.append(column)
        } else {
          found.append(
            StoreFacts.Index(name: name, table: table, columns: [column], isUnique: isUnique))
        }
      }
    }
    return found
  }

  // MARK: Rows

  private func count(_ facts: inout StoreFacts, _ metadata: StoreMetadata) throws {
    let known = facts.structure.entities
    let superNumbers = Dictionary(known.map { ($0.number, $0.superNumber) }) { first, _ in first }
    let names = Dictionary(known.map { ($0.number, $0.name) }) { first, _ in first }
    let layout = facts.model.flatMap { try? StoreLayout($0) }
    var families: [String: [Int]] = [:]
    for entity in known {
      var root = entity.number
      // The loop is bounded, since the superentities of a damaged store may form a cycle.
      for _ in 0..<64 {
        guard let above = superNumbers[root], above != 0 else { break }
        root = above
      }
      let name = names[root] ?? entity.name
      let table =
        layout.flatMap { $0.graph[entity.name] == nil ? nil : $0.table(of: entity.name).name }
        ?? "Z" + name.uppercased()
      let isThere = facts.tables[table] != nil
      if isThere {
        families[table, default: []].append(facts.entities.count)
      } else {
        // The store cannot be read with its own model: Core Data fails with 'no such table'.
        let line =
          "'\(entity.name)' has no table '\(table)': the app fails with 'no such table: \(table)'"
        if metadata.hashes[entity.name] != nil {
          facts.damage.append(line)
        } else {
          facts.notes.append(line)
        }
      }
      facts.entities.append(
        StoreFacts.Entity(
          name: entity.name, number: entity.number, table: isThere ? table : nil,
          hash: metadata.hashes[entity.name]))
    }
    // Core Data's own entities for the history have no hashes.
    let lacking = Set(metadata.hashes.keys).subtracting(known.map(\.name)).sorted()
    // If Z_PRIMARYKEY has as many entities as the metadata, no row is missing: the table has names from before a
    // migration.
    if known.count(where: { $0.number < 16_000 }) < metadata.hashes.count {
      for name in lacking {
        facts.damage.append(
          "Z_PRIMARYKEY has no row for '\(name)': the app cannot identify the model's rows, or number new rows"
        )
      }
    }
    for (place, (table, indices)) in families.sorted(by: { $0.key < $1.key }).enumerated() {
      counting?(place, families.count)
      do {
        try count(table, indices, &facts)
      } catch let error as StoreError {
        facts.damage.append("the rows of '\(table)' cannot be counted: \(error.reason)")
      }
      database.forgetStatements()
    }
  }

  private func count(_ table: String, _ indices: [Int], _ facts: inout StoreFacts) throws {
    guard indices.count <= 500 else {
      facts.notes.append(
        "the rows of '\(table)' are not counted: they belong to \(indices.count) entities, and the limit is 500"
      )
      return
    }
    // COUNT(*) alone uses an optimisation that cannot be interrupted.
    let sums = indices.map { "SUM(Z_ENT IS \(facts.entities[$0].number))" }.joined(separator: ", ")
    let quoted = table.replacingOccurrences(of: "\"", with: "\"\"")
    let counts = try database.query("SELECT COUNT(*), \(sums) FROM \"\(quoted)\"") { statement in
      (0...indices.count).map { statement.integer(at: $0) }
    }.first
    guard let counts else { return }
    for (place, index) in indices.enumerated() {
      facts.entities[index].rowCount = counts[place + 1]
    }
    let strangers = counts[0] - counts.dropFirst().reduce(0, +)
    if strangers != 0 {
      facts.damage.append(
        "'\(table)' has rows of no known entity, which no app will ever see: \(strangers)")
    }
  }
}

extension StoreError {
  fileprivate static let foreignDatabase = "the database is not a Core Data store"

  package var isOfForeignDatabase: Bool { reason.hasPrefix(Self.foreignDatabase) }
}
