import Foundation
import SwiftData
import Synchronization
import Testing

@testable import ExtrasModels

/// Functions that generated migrations call for rows and for the log.
@Suite struct MigrationSupportTests {
  private func memory() throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: ActiveSchema.schema, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  @Test("Iterating over a table keeps at most one batch of rows in memory")
  func memoryOfBatches() throws {
    let context = try memory()
    let count = 3 * MigrationBatch.size + 1
    for _ in 0..<count { context.insert(ActiveNoteModel(id: UUID())) }
    try context.save()
    let reader = ModelContext(context.container)
    var most = 0
    var rows = 0
    try MigrationBatch.forEach(ActiveNoteModel.self, in: reader) { row in
      row.text = "changed"
      rows += 1
      most = max(most, reader.registeredCount)
    }
    #expect(rows == count)
    #expect(most == MigrationBatch.size)
    #expect(reader.registeredCount == 0)
    #expect(!reader.hasChanges)
  }

  @Test("Rows deleted or inserted during an iteration do not disturb it")
  func rowsThatGo() throws {
    let context = try memory()
    let count = 2 * MigrationBatch.size
    for number in 0..<count { context.insert(ActiveNoteModel(id: UUID(), text: "\(number)")) }
    try context.save()
    let last = "\(count - 1)"
    var seen: [String] = []
    try MigrationBatch.forEach(ActiveNoteModel.self, in: context) { row in
      if seen.isEmpty {
        try context.delete(model: ActiveNoteModel.self, where: #Predicate { $0.text == last })
        context.insert(ActiveNoteModel(id: UUID(), text: "new"))
      }
      seen.append(row.text)
    }
    #expect(seen == (0..<count - 1).map { "\($0)" })
  }

  @Test("Duplicates are found even among unsaved rows, and only duplicates are kept in memory")
  func duplicates() throws {
    let context = try memory()
    let count = 3 * MigrationBatch.size
    for number in 0..<count { context.insert(ActiveNoteModel(id: UUID(), text: "\(number / 2)")) }
    var groups = 0
    try MigrationBatch.duplicates(
      ActiveNoteModel.self, in: context, keys: { [$0.text] },
      resolve: { rows in
        #expect(rows.count == 2)
        context.delete(rows[1])
        groups += 1
      })
    #expect(groups == count / 2)
    #expect(try context.fetchCount(FetchDescriptor<ActiveNoteModel>()) == count / 2)
    #expect(!context.hasChanges)
  }

  @Test(
    "Numbers that JSON cannot express are written and read back",
    arguments: [Double.infinity, -.infinity, .nan, 0.1])
  func numbers(_ number: Double) throws {
    let bytes = try StoredJSON.encoded(["x": number])
    let read = try #require(StoredJSON.decode([String: Double].self, from: bytes)?["x"])
    #expect(read.isNaN ? number.isNaN : read == number)
    let date = Date(timeIntervalSinceReferenceDate: number)
    let again = StoredJSON.decode([Date].self, from: try StoredJSON.encodedText([date]))
    #expect(again?.first.map { $0 == date || number.isNaN } == true)
  }

  @Test("A union has the members of both lists, each once")
  func union() {
    let (one, two, three) = (
      ActiveNoteModel(id: UUID()), ActiveNoteModel(id: UUID()), ActiveNoteModel(id: UUID())
    )
    #expect(MigrationBatch.union([one, two], [two, three, three]) == [one, two, three])
  }

  @Test("Values that take a fallback are logged, once per property")
  func fallbacks() throws {
    let context = try memory()
    for text in ["one", "other", "?", "??"] {
      context.insert(ActiveNoteModel(id: UUID(), text: text))
    }
    let lines = Mutex<[String]>([])
    let listener: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
    try MigrationLog.$listener.withValue(listener) {
      let fallbacks = MigrationFallbacks("Note")
      try MigrationBatch.forEach(ActiveNoteModel.self, in: context) { row in
        _ = (Kind(rawValue: row.text) ?? fallbacks.count("kind", .other)) as Kind
        #expect((Int(row.text) ?? fallbacks.count("size", where: row.text == "??", -1)) == -1)
      }
      let empty: String? = ""
      for json in [nil, empty, "[1]", "{"] {
        let value = fallbacks.decode([Int].self, from: json, of: "tags") ?? []
        #expect(value == (json == "[1]" ? [1] : []))
      }
      #expect(fallbacks.decode([Int].self, from: Data(), of: "none") == nil)
      fallbacks.log()
    }
    #expect(
      lines.withLock { $0 }.filter { $0.contains("fallback") } == [
        "⚠️ [Migration] Note.kind: 2 values took the fallback",
        "⚠️ [Migration] Note.size: 1 value took the fallback",
        "⚠️ [Migration] Note.tags: 1 value took the fallback",
      ])
  }

  private enum Kind: String { case one, other }

  @Test("A step logs its start, rows, end and duration")
  func log() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appending(path: "default.store")
    try SchemaFixtures.Version.v1.makeStore(at: store)
    let lines = Mutex<[String]>([])
    let listener: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
    try MigrationLog.$listener.withValue(listener) {
      _ = try ActiveSchema.container(
        configurations: [ModelConfiguration(url: store, cloudKitDatabase: .none)])
    }
    #expect(
      lines.withLock { $0 }.map { $0.replacing(/[0-9]+ ms/, with: "… ms") } == [
        "🔄 [Migration] Opening the store as V3",
        "🔄 [Migration] Starting V1 → V2: Prices in cents, ratings as numbers",
        "🔄 [Migration] WriterModel: 3 rows, … ms",
        "🔄 [Migration] BookModel: 3 rows, … ms",
        "🔄 [Migration] BookModel: 3 rows, … ms",
        "✅ [Migration] V1 → V2: Prices in cents, ratings as numbers: done in … ms",
        "✅ [Migration] The store is V3, opened in … ms",
      ])
  }

  @Test("An error is logged with domain and code, without values of rows")
  func errors() throws {
    let inner = NSError(
      domain: "NSSQLiteErrorDomain", code: 19, userInfo: [NSLocalizedDescriptionKey: "Anna"])
    let outer = NSError(
      domain: NSCocoaErrorDomain, code: 134110,
      userInfo: [NSUnderlyingErrorKey: inner, "rows": ["Anna"]])
    let lines = Mutex<[String]>([])
    let listener: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
    MigrationLog.$listener.withValue(listener) {
      #expect(throws: NSError.self) { try MigrationStep.run("V1 → V2") { throw outer } }
      #expect(throws: NSError.self) { _ = try MigrationStep.opening("V3") { throw inner } }
    }
    #expect(
      lines.withLock { $0 }.filter { $0.hasPrefix("❌") } == [
        "❌ [Migration] V1 → V2: NSCocoaErrorDomain 134110, under it NSSQLiteErrorDomain 19",
        "❌ [Migration] Opening the store as V3: NSSQLiteErrorDomain 19",
      ])
  }
}
