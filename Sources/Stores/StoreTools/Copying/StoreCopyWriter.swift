internal import Foundation
internal import ManagedModels
internal import SchemaModel
internal import StoreFormat

/// Writes one copy of a store whose source is open in a transaction.
final class StoreCopyWriter {
  private let copy: StoreCopy
  private let facts: StoreFacts
  private let survey: StoreSurvey
  private let files: CopiedFiles
  private let tables: StoreTables
  private let sample: RowSample?
  private let database: SQLite
  /// The folder of the source's external values.
  private let external: URL
  private var summary = StoreCopy.Summary()
  /// Rows that were written, by `Z_ENT`.
  private var counts: [Int64: Int64] = [:]
  /// Files that were copied, by their names.
  private var copiedFiles: Set<String> = []
  private var missingFiles = 0

  init(
    _ copy: StoreCopy, _ facts: StoreFacts, _ survey: StoreSurvey, _ files: CopiedFiles
  ) throws {
    self.copy = copy
    self.facts = facts
    self.survey = survey
    self.files = files
    guard try survey.connection().value("PRAGMA encoding") == .text("UTF-8") else {
      throw StoreError(.notAStore, "its texts are not UTF-8, as those of Core Data's stores are")
    }
    let tables = StoreTables(facts, try copy.model(of: facts))
    self.tables = tables
    sample = try copy.rows.map { try RowSample(of: survey, tables, limit: $0) }
    external = CopiedFiles.support(of: copy.source.resolvingSymlinksInPath())
      .appending(path: "_EXTERNAL_DATA")
    database = try SQLite(path: files.database.path, access: .readWrite)
  }

  /// - Parameter isLogging: Whether the store is written through a write-ahead log.
  func write(isLogging: Bool, _ progress: StoreCopy.Progress) throws -> StoreCopy.Summary {
    do {
      try prepare()
      try database.execute("BEGIN")
      try writeTables(progress)
      try makeOthers()
      try database.execute("COMMIT")
      // The header says so; nothing is left of the log when the connection is closed.
      if isLogging { try database.execute("PRAGMA journal_mode = WAL") }
    } catch let error as StoreError where error.failure?.path == files.database.path {
      throw StoreError(.cannotOpen, "the copy cannot be written: \(error.reason)")
    }
    for entity in facts.entities {
      summary.models.append(
        StoreCopy.Summary.Model(
          name: entity.name, rows: counts[entity.number] ?? 0, total: entity.rowCount ?? 0))
    }
    summary.externalFiles = copiedFiles.count
    if missingFiles > 0 {
      summary.notes.append(
        "\(counted(missingFiles, "value")) kept beside the store \(missingFiles == 1 ? "is" : "are") missing there, and in the copy"
      )
    }
    return summary
  }

  private func prepare() throws {
    let source = survey.connection()
    func number(_ name: String) throws -> Int64 { try source.number("PRAGMA \(name)") }
    try database.execute(
      """
      PRAGMA page_size = \(try number("page_size"));
      PRAGMA auto_vacuum = \(try number("auto_vacuum"));
      PRAGMA journal_mode = MEMORY;
      PRAGMA synchronous = OFF;
      PRAGMA user_version = \(try number("user_version"));
      PRAGMA application_id = \(try number("application_id"));
      """)
    if let limit = copy.pageLimit { try database.execute("PRAGMA max_page_count = \(limit)") }
    try database.distrustSchema()
    restrict()
  }

  /// The source's schema is run here: whatever it says ends.
  private func restrict() {
    let size = facts.size.main + (facts.size.log ?? 0)
    database.restrict(steps: Int(clamping: size / 2 * 512 + 100_000_000), valueSize: 1 << 30)
  }

  // MARK: Structure

  private struct Element {
    var type: String
    var name: String
    var sql: String
  }

  private func elements(_ types: String...) throws -> [Element] {
    try survey.connection().rows(
      """
      SELECT type, name, sql FROM sqlite_master
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
      """
    ) { Element(type: $0.text(at: 0), name: $0.text(at: 1), sql: $0.text(at: 2)) }
    .filter { types.contains($0.type) }
  }

  /// Virtual tables, which are R-trees in Core Data's stores: they only make searching faster. What they consist of has
  /// values in a form of its own.
  private lazy var virtual: [String] =
    (try? survey.connection().texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage = 0 ORDER BY name")) ?? []

  private func isOfVirtual(_ name: String) -> Bool {
    virtual.contains { name == $0 || name.hasPrefix($0 + "_") }
  }

  /// Runs one statement of the source's schema; whatever may follow in its text is none.
  private func make(_ element: Element) throws {
    guard element.sql.uppercased().hasPrefix("CREATE ") else {
      throw StoreError(.notAStore, "its schema makes no sense: '\(element.name)' is not created")
    }
    try database.run(element.sql)
    database.forgetStatements()
  }

  private func makeOthers() throws {
    for element in try elements("index", "view", "trigger") {
      restrict()
      let isLost = virtual.contains { element.sql.contains($0) }
      if isLost || isOfVirtual(element.name) { continue }
      try make(element)
    }
    for name in virtual {
      summary.notes.append(
        "'\(name)', an index that SQLite keeps in tables of its own, is left out")
    }
  }

  // MARK: Rows

  private func writeTables(_ progress: StoreCopy.Progress) throws {
    let tables = try elements("table").filter { !isOfVirtual($0.name) }
    for (place, element) in tables.enumerated() {
      progress("copying tables", place, tables.count)
      try make(element)
      restrict()
      try writeRows(of: element.name)
    }
  }

  /// What a table is for.
  private enum Purpose {
    case metadata
    case own
    case entity(StoreTables.Table)
    case join(StoreTables.Join)
    case history
    case cloud
    case unknown
  }

  private func purpose(of name: String) -> Purpose {
    switch name {
    case "Z_METADATA": return .metadata
    case "Z_PRIMARYKEY", "Z_MODELCACHE": return .own
    case "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING": return .history
    case let name where name.hasPrefix("ANSCK"): return .cloud
    default: break
    }
    if let table = tables.entityTables.first(where: { $0.name == name }) { return .entity(table) }
    if let join = tables.joins.first(where: { $0.name == name }) { return .join(join) }
    return .unknown
  }

  private func writeRows(of name: String) throws {
    let quoted = SQLite.quoted(name)
    let columns = try survey.connection().rows(
      "SELECT name FROM pragma_table_info(?) ORDER BY cid", [.text(name)]
    ) { $0.text(at: 0) }
    let purpose = purpose(of: name)
    guard try isCopied(purpose, name) else { return }
    let names = columns.map(SQLite.quoted).joined(separator: ", ")
    let insert = try database.prepare(
      "INSERT INTO \(quoted) (\(names)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    )
    defer { database.forgetStatements() }
    let row = try RowPlan(purpose, columns, sample)
    // In the order of the file: an index would give another.
    try survey.connection().forEach("SELECT \(names) FROM \(quoted) NOT INDEXED") { statement in
      guard row.isKept(statement) else { return true }
      if let place = row.number { counts[statement.integer(at: place), default: 0] += 1 }
      for place in columns.indices { try write(statement, place, row, insert) }
      try insert.run()
      return true
    }
  }

  /// Whether a table's rows are copied; that they are not is told.
  private func isCopied(_ purpose: Purpose, _ name: String) throws -> Bool {
    let reason: String
    switch purpose {
    case .metadata, .own, .entity, .join: return true
    case .history where sample == nil, .cloud where sample == nil, .unknown where sample == nil:
      return true
    case .history: reason = "a sample has no history"
    case .cloud: reason = "a sample knows nothing of CloudKit"
    case .unknown: reason = "the model does not have it"
    }
    let count = try survey.connection().number("SELECT COUNT(*) FROM \(SQLite.quoted(name))")
    if count > 0 { summary.notes.append("'\(name)' is empty in the copy: \(reason)") }
    return false
  }

  /// How the rows of one table are copied.
  private struct RowPlan {
    /// Where `Z_ENT` stands; nil of a table that is no entity's.
    var number: Int?
    var contents: [StoreTables.Column.Content]
    private var ends: [(place: Int, table: String)] = []
    private let sample: RowSample?

    init(_ purpose: Purpose, _ columns: [String], _ sample: RowSample?) throws {
      self.sample = sample
      contents = columns.map { _ in .own }
      switch purpose {
      case .entity(let table):
        number = columns.firstIndex(of: "Z_ENT")
        let known = Dictionary(table.columns.map { ($0.name, $0.content) }) { first, _ in first }
        contents = columns.map { known[$0] ?? .value(nil, isExternal: false) }
        if let key = columns.firstIndex(of: "Z_PK") { ends = [(key, table.name)] }
      case .join(let join):
        ends = join.ends.compactMap { end in
          columns.firstIndex(of: end.column).map { ($0, end.table) }
        }
      case .metadata, .own, .history, .cloud, .unknown: break
      }
    }

    func isKept(_ statement: Statement) -> Bool {
      guard let sample else { return true }
      return ends.allSatisfy { sample.contains(statement.integer(at: $0.place), of: $0.table) }
    }
  }

  private func write(
    _ statement: Statement, _ place: Int, _ row: RowPlan, _ insert: Statement
  ) throws {
    if case .value = row.contents[place], let name = ExternalReference(statement.bytes(at: place)) {
      try copyFile(name.name)
    }
    try insert.bind(place, of: statement, at: place + 1)
  }

  // MARK: External values

  private func copyFile(_ name: String) throws {
    guard copiedFiles.insert(name).inserted else { return }
    let file = external.appending(path: name)
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    // A link would bring a file of another folder along.
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let bytes = try? Data(contentsOf: file)
    else {
      copiedFiles.remove(name)
      missingFiles += 1
      return
    }
    try files.write(bytes, named: name)
  }
}

/// What Core Data leaves in a column in place of a large value: the name of a file, between two bytes.
struct ExternalReference {
  /// A UUID.
  let name: String

  init?(_ bytes: [UInt8]) {
    guard bytes.count == 38, bytes.first == 2, bytes.last == 0 else { return nil }
    let name = String(decoding: bytes[1..<37], as: UTF8.self)
    guard UUID(uuidString: name) != nil else { return nil }
    self.name = name
  }
}
