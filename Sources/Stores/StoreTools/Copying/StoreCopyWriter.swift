internal import Foundation
internal import ManagedModels
internal import SchemaModel
internal import SchemaWorkspace
internal import StoreFormat

/// Writes one copy of a store that is open in a transaction.
final class StoreCopyWriter {
  private let copy: StoreCopy
  private let facts: StoreFacts
  private let survey: StoreSurvey
  private let files: CopiedFiles
  private let tables: StoreTables
  private let mask: ValueMask
  private let database: SQLite
  private let external: URL
  private var summary = StoreCopy.Summary()
  private var copiedFiles: Set<String> = []
  private var missingFiles = 0

  init(
    _ copy: StoreCopy, _ facts: StoreFacts, _ survey: StoreSurvey, _ files: CopiedFiles,
    _ mask: ValueMask
  ) throws {
    self.copy = copy
    self.facts = facts
    self.survey = survey
    self.files = files
    self.mask = mask
    guard try survey.connection().value("PRAGMA encoding") == .text("UTF-8") else {
      throw StoreError(.notAStore, "its strings are not UTF-8, unlike those of Core Data's stores")
    }
    tables = StoreTables(facts, try copy.model(of: facts))
    external = CopiedFiles.support(of: copy.source.resolvingSymlinksInPath())
      .appending(path: "_EXTERNAL_DATA")
    database = try SQLite(path: files.database.path, access: .readWrite)
  }

  func write(isLogging: Bool, _ progress: StoreCopy.Progress) throws -> StoreCopy.Summary {
    try learn(progress)
    do {
      try prepare()
      try database.execute("BEGIN")
      try writeTables(progress)
      try makeOthers()
      try database.execute("COMMIT")
      // The header records the journal mode. The log itself is removed when the connection is closed.
      if isLogging { try database.execute("PRAGMA journal_mode = WAL") }
    } catch let error as StoreError where error.failure?.path == files.database.path {
      throw FileSystemError(
        path: copy.destination.path, reason: "cannot be written: \(error.reason)")
    }
    summary.models = facts.entities.map {
      StoreCopy.Summary.Model(name: $0.name, rows: $0.rowCount ?? 0)
    }
    if !mask.keepsValues, facts.model?.hasEnums == true {
      summary.notes.append(
        "raw values of enums are changed, too, so code does not know them: without manifests, schemagen cannot tell which values are raw values"
      )
    }
    if mask.hasForeignKeys {
      summary.notes.append(
        "keys of dictionaries are not changed, and the user may have entered some: check the JSON in the copy before you share it"
      )
    }
    summary.externalFiles = copiedFiles.count
    summary.changedValues = mask.changes
    if missingFiles > 0 {
      summary.notes.append(
        "\(counted(missingFiles, "value")) in files next to the store \(missingFiles == 1 ? "is" : "are") missing, also in the copy"
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

  /// Limits the source's schema, because its SQL is executed here.
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

  /// Virtual tables, which are R-trees in Core Data's stores and only make searching faster. Their contents have
  /// another format.
  private lazy var virtual: [String] =
    (try? survey.connection().texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage = 0 ORDER BY name")) ?? []

  private func isOfVirtual(_ name: String) -> Bool {
    virtual.contains { name == $0 || name.hasPrefix($0 + "_") }
  }

  /// Runs one statement of the source's schema, and ignores anything after the statement.
  private func make(_ element: Element) throws {
    guard element.sql.uppercased().hasPrefix("CREATE ") else {
      throw StoreError(
        .notAStore, "its schema is invalid: its SQL does not create '\(element.name)'")
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
        "'\(name)', an index that SQLite keeps in separate tables, is left out")
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

  /// Why a table is empty in the copy, as a clause; nil if it is not.
  private func reasonToEmpty(_ name: String) -> String? {
    switch name {
    case "Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE": nil
    case "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING": "a copy has no history"
    case let name where name.hasPrefix("ANSCK"): "nothing of it may reach CloudKit"
    case let name where tables.contents(of: name, []) == nil:
      "it is not in the model"
    default: nil
    }
  }

  private func contents(of name: String, _ columns: [String]) -> [StoreTables.Content] {
    switch name {
    case "Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE": columns.map { _ in .own }
    default:
      tables.contents(of: name, columns) ?? columns.map { _ in .value(nil, isExternal: false) }
    }
  }

  private func columns(of table: String) throws -> [String] {
    try survey.connection().rows(
      "SELECT name FROM pragma_table_info(?) ORDER BY cid", [.text(table)]
    ) { $0.text(at: 0) }
  }

  private func writeRows(of name: String) throws {
    let quoted = SQLite.quoted(name)
    let columns = try columns(of: name)
    if let reason = reasonToEmpty(name) {
      let count = try survey.connection().number("SELECT COUNT(*) FROM \(quoted)")
      if count > 0 { summary.notes.append("'\(name)' is empty in the copy: \(reason)") }
      return
    }
    let names = columns.map(SQLite.quoted).joined(separator: ", ")
    let insert = try database.prepare(
      "INSERT INTO \(quoted) (\(names)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    )
    defer { database.forgetStatements() }
    let contents = contents(of: name, columns)
    // Rows are read in the order of the file, since an index would give another order.
    try survey.connection().forEach("SELECT \(names) FROM \(quoted) NOT INDEXED") { statement in
      for (place, content) in contents.enumerated() {
        let made =
          name == "Z_METADATA"
          ? try metadata(statement, place, columns[place]) : try value(statement, place, content)
        if let made {
          try insert.bind(made, at: place + 1)
        } else {
          try insert.bind(place, of: statement, at: place + 1)
        }
      }
      try insert.run()
      return true
    }
  }

  /// The copy's value at a place in a row; nil to keep the store's value.
  ///
  /// - Parameter isCopied: Whether the copy has the row, and the files that the row names.
  private func value(
    _ statement: Statement, _ place: Int, _ content: StoreTables.Content,
    isCopied: Bool = true
  ) throws -> StoredValue? {
    guard case .value(let type, let isExternal) = content else { return nil }
    if let reference = ExternalReference(statement.bytes(at: place)) {
      return .blob(ExternalReference.bytes(try copyFile(reference.name, isCopied: isCopied)))
    }
    let bytes = statement.isText(at: place) ? statement.bytes(at: place) : []
    if String(wholeUTF8: bytes) == nil { return .text(mask.masked(brokenText: bytes)) }
    let value = statement.value(at: place)
    // The first byte indicates that the value is not in a separate file.
    if isExternal, facts.writer == .coreData, case .blob(let data) = value, data.first == 1 {
      return .blob([1] + Data(mask.masked(Array(data.dropFirst()))))
    }
    return mask.masked(value, type)
  }

  // MARK: Metadata

  /// Core Data's keys whose values identify the model of the store.
  private static let ownKeys: Set = [
    "NSPersistenceFrameworkVersion", "NSPersistenceMaximumFrameworkVersion",
    "NSStoreModelVersionChecksumKey", "NSStoreModelVersionHashes",
    "NSStoreModelVersionHashesDigest", "NSStoreModelVersionHashesVersion",
    "NSStoreModelVersionIdentifiers", "NSStoreType", "_NSAutoVacuumLevel", StoreMetadata.mark,
  ]

  private func metadata(_ statement: Statement, _ place: Int, _ name: String) throws -> StoredValue?
  {
    switch name {
    case "Z_UUID": return mask.masked(statement.value(at: place))
    case "Z_PLIST":
      guard var list = PropertyListLeaves(statement.bytes(at: place)) else {
        throw StoreError(.notAStore, "its metadata cannot be changed: the layout is unexpected")
      }
      list.keptRoots = Self.ownKeys
      for text in list.keptTexts { mask.keep(text.utf8) }
      return .blob(Data(list.masked(mask)))
    default: return nil
    }
  }

  // MARK: Learning

  /// Passes every value of the store to the mask, including values that are not copied, because no value of the store
  /// may be left in the copy.
  private func learn(_ progress: StoreCopy.Progress) throws {
    let tables = try elements("table")
    for (place, element) in tables.enumerated() {
      progress("reading values", place, tables.count)
      if !virtual.contains(element.name) { try learn(element.name) }
    }
    for element in try elements("table", "index", "trigger", "view") { mask.keep(element.sql.utf8) }
    mask.endLearning()
  }

  private func learn(_ name: String) throws {
    let columns = try columns(of: name)
    let contents = contents(of: name, columns)
    let names = columns.map(SQLite.quoted).joined(separator: ", ")
    guard !columns.isEmpty else { return }
    try survey.connection().forEach("SELECT \(names) FROM \(SQLite.quoted(name)) NOT INDEXED") {
      statement in
      for (place, content) in contents.enumerated() {
        switch name {
        case "Z_METADATA": _ = try metadata(statement, place, columns[place])
        case "Z_PRIMARYKEY", "Z_MODELCACHE": mask.keep(statement.bytes(at: place))
        default: _ = try value(statement, place, content, isCopied: false)
        }
      }
      return true
    }
  }

  // MARK: External values

  private func file(_ name: String) -> Data? {
    let file = external.appending(path: name)
    // A link would copy a file from another folder.
    guard
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
      attributes[.type] as? FileAttributeType == .typeRegular
    else { return nil }
    return try? Data(contentsOf: file)
  }

  private func copyFile(_ name: String, isCopied: Bool) throws -> String {
    let new = mask.masked(name)
    guard !copiedFiles.contains(name) else { return new }
    guard let bytes = file(name) else {
      if isCopied { missingFiles += 1 }
      return new
    }
    let made = Data(mask.masked(Array(bytes)))
    guard isCopied else { return new }
    copiedFiles.insert(name)
    try files.write(made, named: new)
    return new
  }
}

/// What Core Data stores in a column in place of a large value: the name of a file, between two bytes.
struct ExternalReference {
  let name: String

  init?(_ bytes: [UInt8]) {
    guard bytes.count == 38, bytes.first == 2, bytes.last == 0 else { return nil }
    let name = String(decoding: bytes[1..<37], as: UTF8.self)
    guard UUID(uuidString: name) != nil else { return nil }
    self.name = name
  }

  static func bytes(_ name: String) -> Data { Data([2] + Array(name.utf8) + [0]) }
}

extension ManagedModel {
  fileprivate var hasEnums: Bool {
    func isEnum(_ attribute: ManagedAttribute) -> Bool {
      attribute.rawValueElement != nil || attribute.elements.contains(where: isEnum)
    }
    return entities.contains { $0.attributes.contains(where: isEnum) }
  }
}
