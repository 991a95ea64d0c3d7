import Foundation
import SwiftData
import Testing

/// Fetching, changing and saving, as the interface has it (docs/facts/swiftdata.md#interface).
@Suite struct ModelContextTests {
  private func shelf() throws -> ModelContext {
    let context = try memory(Library.self)
    let author = Library.Author("Ada")
    context.insert(author)
    for (title, pages) in [("b", 2), ("a", 3), ("c", 1), ("d", 3)] {
      context.insert(Library.Book(title, pages: pages, author: author))
    }
    try context.save()
    return context
  }

  @Test("A save writes only changed properties and keeps what other contexts saved")
  func changedPropertiesOnly() throws {
    let first = try shelf()
    let second = ModelContext(first.container)
    let byTitle = FetchDescriptor<Library.Book>(predicate: #Predicate { $0.title == "c" })
    let one = try #require(try first.fetch(byTitle).first)
    let other = try #require(try second.fetch(byTitle).first)
    one.pages = 100
    other.author = nil
    try first.save()
    try second.save()
    let book = try #require(try ModelContext(first.container).fetch(byTitle).first)
    #expect(book.pages == 100)
    #expect(book.author == nil)
    // The title is changed after a save and back: nothing of the first save remains.
    one.title = "z"
    try first.save()
    other.pages = 7
    try second.save()
    let again = try ModelContext(first.container).all(Library.Book.self).first { $0.title == "z" }
    #expect(again?.pages == 7)
  }

  // MARK: Fetching

  @Test("A fetch applies predicate, sort order, limit and offset")
  func fetching() throws {
    let context = try shelf()
    var descriptor = FetchDescriptor<Library.Book>(
      predicate: #Predicate { $0.pages > 1 },
      sortBy: [SortDescriptor(\.pages, order: .reverse), SortDescriptor(\.title)])
    #expect(try context.fetch(descriptor).map(\.title) == ["a", "d", "b"])
    descriptor.fetchOffset = 1
    descriptor.fetchLimit = 1
    #expect(try context.fetch(descriptor).map(\.title) == ["d"])
    #expect(try context.fetchCount(descriptor) == 1)
    descriptor.fetchOffset = 9
    #expect(try context.fetch(descriptor).isEmpty)
    var plain = FetchDescriptor<Library.Book>()
    plain.fetchLimit = 2
    plain.fetchOffset = 1
    #expect(try context.fetch(plain).map(\.title) == ["a", "c"])
    #expect(try context.fetchIdentifiers(plain).map(\.entityName) == ["Book", "Book"])
  }

  @Test("A predicate may follow a relationship")
  func followed() throws {
    let context = try shelf()
    context.insert(Library.Book("alone"))
    let found = try context.fetch(
      FetchDescriptor<Library.Book>(predicate: #Predicate { $0.author?.name == "Ada" }))
    #expect(found.count == 4)
  }

  @Test("A fetch includes unsaved models and excludes deleted ones by default")
  func pending() throws {
    let context = try shelf()
    context.insert(Library.Book("new"))
    context.delete(try #require(try context.all(Library.Book.self).first))
    #expect(try context.all(Library.Book.self).map(\.title) == ["a", "c", "d", "new"])
    #expect(try context.fetchCount(FetchDescriptor<Library.Book>()) == 4)
    var saved = FetchDescriptor<Library.Book>()
    saved.includePendingChanges = false
    #expect(try context.fetch(saved).map(\.title) == ["b", "a", "c", "d"])
  }

  @Test("A context has one object for each row")
  func identity() throws {
    let context = try shelf()
    let book = try context.all(Library.Book.self)[0]
    #expect(try context.all(Library.Book.self)[0] === book)
    #expect(context.model(for: book.persistentModelID) as? Library.Book === book)
    let registered: Library.Book? = context.registeredModel(for: book.persistentModelID)
    #expect(registered === book)
    let other = ModelContext(context.container)
    #expect(try other.all(Library.Book.self)[0] !== book)
    #expect(try other.all(Library.Book.self)[0].persistentModelID == book.persistentModelID)
  }

  @Test("Reading a relationship without a context traps with a message")
  func contextGone() async {
    let ended = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try withStore { url in
        let author = Library.Author("Ada")
        var context: ModelContext? = try open(Library.self, at: url)
        context?.insert(author)
        author.books = [Library.Book("b")]
        try context?.save()
        context = nil
        _ = author.books
      }
    }
    #expect(ended.said("its ModelContext is gone"))
  }

  @Test("Subclasses are fetched with their base class and on their own")
  func inheritance() throws {
    try withStore { url in
      do {
        let context = try open(Library.self, at: url)
        context.insert(Library.Vehicle(wheels: 2))
        context.insert(Library.Car(plate: "ZH 1"))
        try context.save()
      }
      let context = try open(Library.self, at: url)
      let vehicles = try context.all(Library.Vehicle.self)
      #expect(vehicles.map(\.wheels) == [2, 4])
      #expect((vehicles[1] as? Library.Car)?.plate == "ZH 1")
      let car = try context.only(Library.Car.self)
      car.wheels = 3
      car.plate = "BE 2"
      try context.save()
      #expect(try open(Library.self, at: url).only(Library.Car.self).wheels == 3)
    }
  }

  // MARK: Relationships

  @Test("Both ends of a link agree, before and after a save")
  func inverses() throws {
    let context = try memory(Library.self)
    let ada = Library.Author("Ada")
    let bob = Library.Author("Bob")
    let book = Library.Book("b")
    context.insert(ada)
    context.insert(bob)
    ada.books = [book]
    #expect(book.author === ada)
    #expect(book.modelContext === context, "what is linked is inserted")
    book.author = bob
    #expect(ada.books.isEmpty)
    #expect(bob.books.map(\.title) == ["b"])
    try context.save()
    #expect(bob.books.map(\.title) == ["b"])
    let read = ModelContext(context.container)
    let again = try read.only(Library.Book.self)
    #expect(again.author?.name == "Bob")
    #expect(again.author?.books.count == 1)
    again.author = nil
    try read.save()
    let last = ModelContext(context.container)
    #expect(try last.all(Library.Author.self).allSatisfy { $0.books.isEmpty })
  }

  @Test("Setting a one-to-one link removes it from its former owner")
  func oneToOne() throws {
    let context = try memory(Library.self)
    let (ada, bob, passport) = (Library.Author("Ada"), Library.Author("Bob"), Library.Passport("1"))
    for model in [ada, bob] { context.insert(model) }
    ada.passport = passport
    bob.passport = passport
    #expect(ada.passport == nil)
    #expect(passport.owner === bob)
    try context.save()
    let read = ModelContext(context.container)
    #expect(try read.only(Library.Passport.self).owner?.name == "Bob")
  }

  @Test("Many-to-many, one-way and self-referencing relationships are stored")
  func lists() throws {
    try withStore { url in
      do {
        let context = try open(Library.self, at: url)
        let (one, two) = (Library.Book("1"), Library.Book("2"))
        let (red, blue) = (Library.Tag("red"), Library.Tag("blue"))
        one.tags = [red, blue]
        context.insert(one)
        context.insert(two)
        red.books.append(two)
        two.notes = [Library.Note("x"), Library.Note("y")]
        let ada = Library.Author("Ada")
        context.insert(ada)
        ada.mentor = ada
        try context.save()
      }
      let context = try open(Library.self, at: url)
      let books = try context.fetch(
        FetchDescriptor<Library.Book>(sortBy: [SortDescriptor(\.title)]))
      #expect(books[0].tags.map(\.word).sorted() == ["blue", "red"])
      #expect(books[1].tags.map(\.word) == ["red"])
      #expect(books[1].notes.map(\.text).sorted() == ["x", "y"])
      let ada = try context.only(Library.Author.self)
      #expect(ada.mentor === ada)
      #expect(ada.students.map(\.name) == ["Ada"])
      books[0].tags.removeAll { $0.word == "red" }
      try context.save()
      let read = try open(Library.self, at: url)
      let red = try read.fetch(
        FetchDescriptor<Library.Tag>(predicate: #Predicate { $0.word == "red" }))
      #expect(red.first?.books.map(\.title) == ["2"])
    }
  }

  // MARK: Deleting

  @Test("Cascade deletes related rows, and nullify clears links")
  func deleteRules() throws {
    let context = try shelf()
    let tag = Library.Tag("t")
    try context.all(Library.Book.self)[0].tags = [tag]
    try context.save()
    context.delete(try context.only(Library.Author.self))
    try context.save()
    #expect(try context.all(Library.Book.self).isEmpty)
    #expect(try context.only(Library.Tag.self).books.isEmpty)
  }

  @Test("A save that a deny rule forbids fails and writes nothing")
  func deny() throws {
    let context = try memory(Library.self)
    let ada = Library.Author("Ada")
    ada.passport = Library.Passport("1")
    context.insert(ada)
    try context.save()
    context.delete(ada)
    #expect(throws: SwiftDataError.self) { try context.save() }
    context.rollback()
    #expect(try context.only(Library.Author.self).passport?.number == "1")
    let passport = try context.only(Library.Passport.self)
    context.delete(passport)
    context.delete(ada)
    try context.save()
    #expect(try context.all(Library.Author.self).isEmpty)
  }

  @Test("delete(model:where:) deletes the rows that match")
  func deleteWhere() throws {
    let context = try shelf()
    try context.delete(model: Library.Book.self, where: #Predicate { $0.pages == 3 })
    try context.save()
    #expect(try context.all(Library.Book.self).map(\.title) == ["b", "c"])
  }

  // MARK: Saving

  @Test("rollback discards unsaved changes")
  func rollback() throws {
    let context = try shelf()
    let book = try context.all(Library.Book.self)[0]
    book.title = "changed"
    book.author = nil
    context.insert(Library.Book("new"))
    context.delete(try context.all(Library.Book.self)[1])
    #expect(context.hasChanges)
    context.rollback()
    #expect(!context.hasChanges)
    #expect(book.title == "b")
    #expect(book.author?.name == "Ada")
    #expect(try context.all(Library.Book.self).map(\.title) == ["b", "a", "c", "d"])
    try context.save()
    #expect(try ModelContext(context.container).all(Library.Book.self).count == 4)
  }

  @Test("transaction saves, or discards everything if it throws")
  func transaction() throws {
    let context = try shelf()
    try context.transaction { context.insert(Library.Tag("kept")) }
    #expect(throws: Unexpected.self) {
      try context.transaction {
        context.insert(Library.Tag("lost"))
        throw Unexpected("")
      }
    }
    #expect(try ModelContext(context.container).all(Library.Tag.self).map(\.word) == ["kept"])
  }

  @Test("Inserting a model with an existing unique value updates that row")
  func upsert() throws {
    let context = try memory(Library.self)
    let id = UUID()
    context.insert(Library.Author("old", id: id))
    try context.save()
    context.insert(Library.Author("new", id: id))
    try context.save()
    #expect(try context.all(Library.Author.self).map(\.name) == ["new"])
    // Also within one save, and by a constraint of several properties.
    context.insert(Library.Author("twin"))
    context.insert(Library.Author("twin"))
    try context.save()
    #expect(
      try ModelContext(context.container).all(Library.Author.self).map(\.name) == ["new", "twin"])
  }

  @Test("An update that breaks a constraint fails and changes nothing")
  func notUnique() throws {
    let context = try memory(Library.self)
    let (ada, bob) = (Library.Author("Ada"), Library.Author("Bob"))
    context.insert(ada)
    context.insert(bob)
    try context.save()
    bob.id = ada.id
    #expect(throws: (any Error).self) { try context.save() }
    #expect(
      try ModelContext(context.container).all(Library.Author.self).map(\.name) == ["Ada", "Bob"])
  }

  @Test("A mandatory relationship must have a value")
  func mandatory() throws {
    let context = try memory(Library.self)
    let room = Library.Room("r")
    context.insert(Library.Shelf(room: room))
    try context.save()
    #expect(try context.only(Library.Shelf.self).room === room)
    context.delete(room)
    #expect(throws: SwiftDataError.self) { try context.save() }
  }

  // MARK: Enumerating

  @Test("enumerate visits every row once, even while rows are changed and saved")
  func enumerate() throws {
    let context = try memory(Library.self)
    for index in 0..<1_000 { context.insert(Library.Note("\(index)")) }
    try context.save()
    var seen: [String] = []
    try context.enumerate(
      FetchDescriptor<Library.Note>(), batchSize: 64, allowEscapingMutations: true
    ) { note in
      seen.append(note.text)
      note.text += "!"
      if seen.count % 100 == 0 {
        context.insert(Library.Note("inserted meanwhile"))
        try context.save()
      }
    }
    try context.save()
    #expect(seen == (0..<1_000).map { "\($0)" })
    #expect(try context.all(Library.Note.self).filter { $0.text.hasSuffix("!") }.count == 1_000)
  }

  @Test("enumerate keeps no model in memory")
  func memoryOfEnumerate() throws {
    let context = try memory(Library.self)
    for index in 0..<100 { context.insert(Library.Note("\(index)")) }
    try context.save()
    let reader = ModelContext(context.container)
    weak var first: Library.Note?
    try reader.enumerate(FetchDescriptor<Library.Note>(), batchSize: 10) { note in
      if first == nil, note.text == "0" { first = note }
    }
    #expect(first == nil)
  }

  @Test("enumerate with mutations keeps every model until it ends")
  func memoryOfMutations() throws {
    let context = try memory(Library.self)
    for index in 0..<100 { context.insert(Library.Note("\(index)")) }
    try context.save()
    let reader = ModelContext(context.container)
    var counts: [Int] = []
    try reader.enumerate(
      FetchDescriptor<Library.Note>(), batchSize: 10, allowEscapingMutations: true
    ) { note in
      note.text += "!"
      try reader.save()
      counts.append(reader.registeredCount)
    }
    #expect(counts == Array(1...100))
    #expect(reader.registeredCount == 0)
  }

  @Test("enumerate without mutations refuses a context with changes")
  func enumerateWithoutMutations() throws {
    let context = try shelf()
    #expect(throws: SwiftDataError.self) {
      try context.enumerate(FetchDescriptor<Library.Book>()) { $0.title = "x" }
    }
    var visited = 0
    #expect(throws: SwiftDataError.self) {
      try context.enumerate(FetchDescriptor<Library.Author>()) { _ in visited += 1 }
    }
    #expect(visited == 0)
    try context.save()
    try context.enumerate(FetchDescriptor<Library.Book>()) { book in
      book.title += "!"
      try context.save()
      visited += 1
    }
    #expect(visited == 4)
  }

  @Test("Rows are found by their identifiers, including subclasses and changed rows")
  func identifiers() throws {
    let context = try shelf()
    let all = try context.fetchIdentifiers(FetchDescriptor<Library.Book>())
    #expect(all == (try context.all(Library.Book.self).map(\.persistentModelID)))
    let some = Array(all[1...2])
    let descriptor = FetchDescriptor<Library.Book>(
      predicate: #Predicate { some.contains($0.persistentModelID) })
    #expect(try context.fetch(descriptor).map(\.title) == ["a", "c"])
    let book = try #require(try context.fetch(descriptor).first)
    book.title = "z"
    #expect(try context.fetch(descriptor).map(\.title) == ["z", "c"])
    context.delete(book)
    #expect(try context.fetch(descriptor).map(\.title) == ["c"])
    try context.save()
    #expect(try context.fetch(descriptor).map(\.title) == ["c"])
  }

  // MARK: Containers

  @Test("Stores in memory share nothing")
  func inMemory() throws {
    let context = try memory(Library.self)
    context.insert(Library.Tag("t"))
    try context.save()
    #expect(try memory(Library.self).all(Library.Tag.self).isEmpty)
  }

  @Test("A store opened with 'allowsSave: false' refuses to save")
  func readOnly() throws {
    try withStore { url in
      do {
        let context = try open(Library.self, at: url)
        context.insert(Library.Tag("t"))
        try context.save()
      }
      let context = ModelContext(
        try ModelContainer(
          for: Schema(versionedSchema: Library.self),
          configurations: ModelConfiguration(url: url, allowsSave: false)))
      #expect(try context.only(Library.Tag.self).word == "t")
      context.insert(Library.Tag("u"))
      #expect(throws: SwiftDataError.self) { try context.save() }
    }
  }
}
