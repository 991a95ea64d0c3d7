import ExtrasModels
import Foundation
import SwiftData
import Testing

/// The generated importer, fixtures and debug report, run on stores.
@Suite(.serialized) struct StoreExtrasTests {
  private func withFolder(_ work: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try work(folder)
  }

  private func open(_ url: URL) throws -> ModelContext {
    ModelContext(
      try ActiveSchema.container(
        configurations: [ModelConfiguration(url: url, cloudKitDatabase: .none)]))
  }

  // MARK: Converters

  /// Inserting a second row with the same id would replace the first one with its links; hence `update(from:)`.
  @Test("Updating a row from an entity keeps its links")
  func updates() throws {
    try imported { context, _, _ in
      let book = try #require(try context.fetch(FetchDescriptor<ActiveBookModel>()).first)
      book.internalNote = "kept"
      var entity = book.toEntity()
      entity.name = "Two"
      entity.history = [Place(city: "Rome")]
      try book.update(from: entity)
      try context.save()
      let rows = try context.fetch(FetchDescriptor<ActiveBookModel>())
      #expect(rows.map(\.name) == ["Two"] && rows[0].internalNote == "kept")
      #expect(rows[0].toEntity() == entity)
      #expect(rows[0].author?.name == "Bob" && rows[0].shelves.count == 1)
      #expect(rows[0].notes.count == 1)

      context.insert(ActiveBookModel.fromEntity(entity))
      try context.save()
      let replaced = try context.fetch(FetchDescriptor<ActiveBookModel>())
      #expect(replaced.count == 1 && replaced[0].author == nil && replaced[0].shelves.isEmpty)
    }
  }

  @Test("Updating a row from an entity sets the links that the closures return")
  func links() throws {
    try imported { context, _, _ in
      let book = try #require(try context.fetch(FetchDescriptor<ActiveBookModel>()).first)
      let notes = book.notes
      var entity = book.toEntity()
      entity.authorID = UUID(uuidString: Self.ada)
      entity.notes.append(Note(id: UUID(), text: "a", readerID: nil))
      func author(_ id: UUID) throws -> ActiveAuthorModel? {
        try context.fetch(FetchDescriptor<ActiveAuthorModel>(predicate: #Predicate { $0.id == id }))
          .first
      }
      try book.update(
        from: entity, author: author,
        notes: { entities in
          entities.map { note in
            notes.first { $0.id == note.id } ?? ActiveNoteModel.fromEntity(note)
          }
        })
      try context.save()
      #expect(book.author?.id.uuidString == Self.ada)
      #expect(try context.fetchCount(FetchDescriptor<ActiveNoteModel>()) == 2)
      #expect(book.toEntity().notes.map(\.text) == ["a", "n"], "sortedBy: text")

      entity.authorID = nil
      try book.update(from: entity, author: author, notes: { _ in [] })
      #expect(book.author == nil && book.notes.isEmpty)
    }
  }

  @Test("A row stays unchanged if a closure for its links throws")
  func failingLinks() throws {
    try imported { context, _, _ in
      let shelf = try #require(try context.fetch(FetchDescriptor<ActiveShelfModel>()).first)
      var entity = shelf.toEntity()
      let name = entity.name
      entity.name = "other"
      struct NotFound: Error {}
      #expect(throws: NotFound.self) {
        try shelf.update(from: entity, books: { _ in throw NotFound() })
      }
      #expect(shelf.name == name && shelf.books.count == 1)
      shelf.update(from: entity)
      #expect(shelf.name == "other" && shelf.books.count == 1)
    }
  }

  // MARK: JSON

  private static let ada = "00000000-0000-4000-8000-00000000000A"
  private static let bob = "00000000-0000-4000-8000-00000000000B"
  private static let book = "00000000-0000-4000-8000-000000000001"

  private var sources: JSONImport.Sources {
    JSONImport.Sources(
      author: Data(
        #"[{"id": "\#(Self.bob)", "name": "Bob", "mentorID": "\#(Self.ada)"}, {"id": "\#(Self.ada)"}]"#
          .utf8),
      book: Data(
        """
        [{"id": "\(Self.book)", "name": "One", "authorID": "\(Self.bob)", "mood": "wild", "new": 1,
          "notes": [{"id": "00000000-0000-4000-8000-000000000002", "text": "n"}]}]
        """.utf8),
      settings: Data(#"{"theme": "dark"}"#.utf8),
      shelf: Data(#"[{"id": 7, "name": "S", "bookIDs": ["\#(Self.book)", "\#(Self.ada)"]}]"#.utf8))
  }

  /// User defaults that no other test has.
  private func withDefaults(_ work: (UserDefaults) throws -> Void) throws {
    let name = "schemagen-\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: name))
    defer { defaults.removePersistentDomain(forName: name) }
    try work(defaults)
  }

  private func imported(_ work: (ModelContext, UserDefaults, JSONImport.Report) throws -> Void)
    throws
  {
    try withDefaults { defaults in
      try withFolder { folder in
        let context = try open(folder.appending(path: "default.store"))
        let report = try JSONImport.run(sources, into: context, defaults: defaults)
        try work(context, defaults, report)
      }
    }
  }

  @Test("JSON is imported with links, and missing values take their defaults")
  func imports() throws {
    try imported { context, _, report in
      #expect(report.isComplete, "\(report)")
      #expect(report.outcomes.map(\.inserted) == [2, 1, 1, 1])
      let books = try context.fetch(FetchDescriptor<ActiveBookModel>())
      #expect(books.map(\.name) == ["One"] && books[0].mood == .wild && books[0].cost == 0.5)
      #expect(books[0].author?.name == "Bob" && books[0].author?.mentor?.id.uuidString == Self.ada)
      #expect(books[0].notes.map(\.text) == ["n"])
      #expect(books[0].shelves.map(\.id) == [7])
      #expect(try context.fetch(FetchDescriptor<ActiveSettingsModel>()).map(\.theme) == ["dark"])
      #expect(report.outcomes.last?.unlinked == 1, "a shelf's book that is none")
      #expect(
        "\(report)".hasSuffix("Shelf: 1 inserted, 0 already there\n  1 links have no target"))
    }
  }

  @Test("A second import does nothing, even if the mark of the first is lost")
  func isIdempotent() throws {
    try imported { context, defaults, _ in
      let second = try JSONImport.run(sources, into: context, defaults: defaults)
      #expect(second.wasDone && second.outcomes.isEmpty)
      defaults.removeObject(forKey: "SwiftDataMigrationCompleted")
      let third = try JSONImport.run(sources, into: context, defaults: defaults)
      #expect(third.outcomes.map(\.inserted) == [0, 0, 0, 0])
      #expect(third.outcomes.map(\.kept) == [2, 1, 1, 1])
      #expect(try context.fetchCount(FetchDescriptor<ActiveNoteModel>()) == 1)
      #expect(try context.fetchCount(FetchDescriptor<ActiveSettingsModel>()) == 1)
    }
  }

  @Test("A second import does not overwrite the app's changes")
  func keepsChanges() throws {
    try imported { context, defaults, _ in
      let book = try #require(try context.fetch(FetchDescriptor<ActiveBookModel>()).first)
      book.name = "Renamed"
      book.author = nil
      try context.save()
      defaults.removeObject(forKey: "SwiftDataMigrationCompleted")
      _ = try JSONImport.run(sources, into: context, defaults: defaults)
      #expect(book.name == "Renamed" && book.author == nil)
    }
  }

  @Test("An import that was interrupted before linking is resumed")
  func resumes() throws {
    try withDefaults { defaults in
      try withFolder { folder in
        let context = try open(folder.appending(path: "default.store"))
        // What an interrupted import leaves: some rows, no links, no mark.
        context.insert(ActiveBookModel(id: UUID(uuidString: Self.book)!, name: "One"))
        context.insert(ActiveAuthorModel(id: UUID(uuidString: Self.bob)!, name: "Bob"))
        try context.save()
        let report = try JSONImport.run(sources, into: context, defaults: defaults)
        #expect(report.outcomes.map(\.inserted) == [1, 0, 1, 1])
        let books = try context.fetch(FetchDescriptor<ActiveBookModel>())
        #expect(books.count == 1 && books[0].author?.name == "Bob")
        #expect(books[0].author?.mentor?.id.uuidString == Self.ada)
        #expect(books[0].shelves.map(\.id) == [7])
      }
    }
  }

  @Test("An unreadable element is reported, and the import stays unfinished")
  func failures() throws {
    try withDefaults { defaults in
      try withFolder { folder in
        let context = try open(folder.appending(path: "default.store"))
        var sources = JSONImport.Sources(
          author: Data(#"[{"name": "no id"}, {"id": "\#(Self.ada)"}, 3]"#.utf8),
          note: Data("{".utf8))
        let report = try JSONImport.run(sources, into: context, defaults: defaults)
        #expect(!report.isComplete)
        #expect(report.outcomes[0].inserted == 1)
        #expect(report.outcomes[0].failures.map(\.element) == [0, 2])
        #expect(report.outcomes[0].failures[0].reason.contains("id"))
        #expect(report.outcomes[1].failures.map(\.element) == [nil])
        #expect(!defaults.bool(forKey: "SwiftDataMigrationCompleted"))
        sources.author = Data(#"[{"id": "\#(Self.bob)"}]"#.utf8)
        sources.note = nil
        let second = try JSONImport.run(sources, into: context, defaults: defaults)
        #expect(second.isComplete && second.outcomes[0].inserted == 1)
        #expect(defaults.bool(forKey: "SwiftDataMigrationCompleted"))
      }
    }
  }

  @Test("An element without an identifier is refused, even if the property has a default")
  func identifiersAreRequired() throws {
    try withDefaults { defaults in
      try withFolder { folder in
        let context = try open(folder.appending(path: "default.store"))
        let sources = JSONImport.Sources(shelf: Data(#"[{"name": "a"}, {"name": "b"}]"#.utf8))
        let report = try JSONImport.run(sources, into: context, defaults: defaults)
        #expect(report.outcomes[0].failures.map(\.element) == [0, 1] && !report.isComplete)
        #expect(try context.fetchCount(FetchDescriptor<ActiveShelfModel>()) == 0)
      }
    }
  }

  /// Runs two imports into one store.
  private func twice(
    _ first: JSONImport.Sources, _ second: JSONImport.Sources,
    between: (ModelContext) throws -> Void = { _ in },
    check: (ModelContext, JSONImport.Report, JSONImport.Report) throws -> Void
  ) throws {
    try withDefaults { defaults in
      try withFolder { folder in
        let context = try open(folder.appending(path: "default.store"))
        let one = try JSONImport.run(first, into: context, defaults: defaults)
        try between(context)
        let two = try JSONImport.run(second, into: context, defaults: defaults)
        try check(context, one, two)
      }
    }
  }

  private func authors(_ elements: String...) -> Data {
    Data("[\(elements.joined(separator: ","))]".utf8)
  }

  @Test("A link to an unreadable element is set once the element can be read")
  func lateLinks() throws {
    let bob = "{\"id\": \"\(Self.bob)\", \"mentorID\": \"\(Self.ada)\"}"
    try twice(
      .init(author: authors(bob, "{\"name\": 3, \"id\": \"\(Self.ada)\"}")),
      .init(author: authors(bob, "{\"name\": \"Ada\", \"id\": \"\(Self.ada)\"}"))
    ) { context, one, two in
      #expect(!one.isComplete && one.outcomes[0].unlinked == 1)
      #expect(two.isComplete && two.outcomes[0].unlinked == 0)
      let all = try context.fetch(FetchDescriptor<ActiveAuthorModel>())
      #expect(all.first { $0.id.uuidString == Self.bob }?.mentor?.name == "Ada")
    }
  }

  @Test("Rows deleted between two imports stay deleted")
  func deletedRowsStayDeleted() throws {
    let sources = JSONImport.Sources(
      author: authors("{\"id\": \"\(Self.bob)\"}", "3"),
      settings: Data(#"[{"theme": "a"}, {"theme": "a"}, 1]"#.utf8))
    try twice(
      sources, sources,
      between: { context in
        for author in try context.fetch(FetchDescriptor<ActiveAuthorModel>()) {
          context.delete(author)
        }
        let settings = try context.fetch(FetchDescriptor<ActiveSettingsModel>())
        context.delete(settings[0])
        settings[1].theme = "b"
        try context.save()
      },
      check: { context, one, two in
        #expect(one.outcomes.map(\.inserted) == [1, 2])
        #expect(two.outcomes.map(\.inserted) == [0, 0])
        let count = try context.fetchCount(FetchDescriptor<ActiveAuthorModel>())
        let themes = try context.fetch(FetchDescriptor<ActiveSettingsModel>()).map(\.theme)
        #expect(count == 0 && themes == ["b"])
      })
  }

  @Test("An element nested in several others becomes one row, with its links")
  func nestedRowsAreOne() throws {
    let note = "{\"id\": \"\(Self.ada)\", \"text\": \"n\", \"readerID\": \"\(Self.bob)\"}"
    let sources = JSONImport.Sources(
      author: authors("{\"id\": \"\(Self.bob)\", \"name\": \"Bob\"}"),
      book: Data(
        "[{\"id\": \"\(Self.book)\", \"notes\": [\(note)]}, {\"id\": \"\(Self.bob)\", \"notes\": [\(note)]}]"
          .utf8))
    var withNote = JSONImport.Sources(note: Data("[\(note), 1]".utf8))
    withNote.author = sources.author
    try twice(withNote, sources) { context, _, two in
      #expect(two.isComplete)
      let notes = try context.fetch(FetchDescriptor<ActiveNoteModel>())
      #expect(notes.count == 1 && notes[0].reader?.name == "Bob" && notes[0].book != nil)
    }
    try twice(sources, .init()) { context, one, _ in
      #expect(one.isComplete)
      let notes = try context.fetch(FetchDescriptor<ActiveNoteModel>())
      #expect(notes.count == 1 && notes[0].reader?.name == "Bob")
    }
  }

  @Test("Two elements with the same identifier or unique value do not replace each other")
  func conflicts() throws {
    let labels = Data(
      #"[{"id": "a", "color": "red"}, {"id": "b", "color": "red"}, {"id": "c"}, {"id": "d"}, {"id": "a"}]"#
        .utf8)
    try twice(.init(label: labels), .init(label: labels)) { context, one, two in
      #expect(one.outcomes[0].inserted == 3 && one.outcomes[0].repeated == 1)
      #expect(one.outcomes[0].failures.map(\.element) == [1])
      #expect(one.outcomes[0].failures[0].reason == "another row has its 'color'")
      #expect(two.outcomes[0].inserted == 0 && !two.isComplete)
      let found = try context.fetch(FetchDescriptor<ActiveLabelModel>()).map(\.id).sorted()
      #expect(found == ["a", "c", "d"])
    }
  }

  @Test("An import without JSON is not marked as done")
  func nothingGiven() throws {
    try twice(.init(), .init(author: authors("{\"id\": \"\(Self.bob)\"}"))) { _, one, two in
      #expect(one.outcomes.isEmpty && !two.wasDone && two.outcomes[0].inserted == 1)
    }
  }

  @Test("An import may have more elements than are saved at a time")
  func batches() throws {
    try withDefaults { defaults in
      try withFolder { folder in
        let context = try open(folder.appending(path: "default.store"))
        let list = (0..<1_201).map { "{\"id\": \($0)}" }.joined(separator: ",")
        let sources = JSONImport.Sources(shelf: Data("[\(list),{\"id\": 5}]".utf8))
        let report = try JSONImport.run(sources, into: context, defaults: defaults)
        #expect(report.outcomes.map(\.inserted) == [1_201])
        #expect(report.outcomes.map(\.repeated) == [1])
        #expect(try context.fetchCount(FetchDescriptor<ActiveShelfModel>()) == 1_201)
      }
    }
  }

  // MARK: Fixtures

  @Test(
    "A fixture of each version is migrated with all its rows",
    arguments: SchemaFixtures.Version.allCases)
  func fixtures(_ version: SchemaFixtures.Version) throws {
    try withFolder { folder in
      let url = folder.appending(path: "default.store")
      try version.makeStore(at: url)
      let context = try open(url)
      let books = try context.fetch(FetchDescriptor<ActiveBookModel>())
        .sorted { $0.pages < $1.pages }
      #expect(books.map(\.pages) == [0, 42, Int.max] && version.rows["BookModel"] == 3)
      #expect(books.map { $0.author?.name } == [nil, "usual", "Ünüsual 'quoted' 日本 \u{1F600}"])
      #expect(books.map { $0.notes.count } == [0, 1, 1])
      if version != .v3 {
        #expect(books.allSatisfy { $0.schemaVersion == 3 && $0.weight == 1.5 && $0.cost == 0.5 })
      }
      #expect(books.map { $0.shelves.count } == [0, 1, 1])
      #expect(try context.fetchCount(FetchDescriptor<ActiveAuthorModel>()) == 3)
      #expect(try context.fetchCount(FetchDescriptor<ActiveSettingsModel>()) == 3)
    }
  }

  @Test("Two fixtures of a version have the same rows")
  func fixturesAreEqual() throws {
    try withFolder { folder in
      let entities = try ["a.store", "b.store"].map { name in
        try SchemaFixtures.Version.v3.makeStore(at: folder.appending(path: name))
        let context = try open(folder.appending(path: name))
        return try Set(context.fetch(FetchDescriptor<ActiveBookModel>()).map { $0.toEntity() })
      }
      #expect(entities[0] == entities[1] && entities[0].count == 3)
    }
  }

  // MARK: Debug report

  @Test("The debug report describes versions, rows, files and a row's values")
  func debugReport() throws {
    try withFolder { folder in
      let url = folder.appending(path: "default.store")
      try SchemaFixtures.Version.v3.makeStore(at: url)
      let context = try open(url)
      let report = try SchemaDebugReport(of: context, store: url)
      #expect(report.version == "3.0.0")
      #expect(report.models.map(\.rows) == [3, 3, 3, 3, 3, 3])
      #expect(report.models.map(\.model).first == "AuthorModel")
      #expect(report.history.map(\.number) == ["1.0.0", "2.0.0", "3.0.0"])
      #expect(report.history[1].stage == "custom, through a bridge")
      #expect(
        report.history[1].changes.contains("BookModel.rating: convert values into an attribute"))
      #expect(report.files.first?.name == "default.store" && report.files.first!.bytes > 0)
      #expect("\(report)".contains("  BookModel: 3 rows\n"))
      let coded = try JSONDecoder().decode(
        SchemaDebugReport.self, from: try JSONEncoder().encode(report))
      #expect(coded == report)
      #expect(try SchemaDebugReport(of: context).files == [])

      let books = try context.fetch(FetchDescriptor<ActiveBookModel>())
      let usual = try #require(books.first { $0.pages == 42 })
      let values = Dictionary(uniqueKeysWithValues: usual.debugValues.map { ($0.name, $0.text) })
      #expect(values["name"] == "usual" && values["cover"] == "2 bytes" && values["rating"] == "42")
      #expect(values["author"] == "1 row" && values["notes"] == "1 rows")
      #expect(values["historyData"]?.contains("city: \"usual\"") == true)
      let least = try #require(books.first { $0.pages == 0 })
      #expect(least.debugValues.first { $0.name == "rating" }?.text == "nil")
      for (json, text) in ["": "empty", "{": "unreadable, 1 bytes"] {
        least.historyData = Data(json.utf8)
        #expect(least.debugValues.first { $0.name == "historyData" }?.text == text)
      }
    }
  }
}
