import Foundation
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// Files that are stores, and files that are not.
@Suite struct FileTests {
  @Test func aStoreIsFoundAgain() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a b#?%.store")
    var identifier: String?
    do {
      let store = try StoreFile(at: .file(file))
      #expect(store.contents == .empty)
      try store.create(Fixture.library)
      try store.insert("Author", ["name": .text("A")])
      identifier = store.identifier
    }
    for isReadOnly in [true, false] {
      let store = try StoreFile(at: .file(file), isReadOnly: isReadOnly)
      #expect(store.contents == .portable(Fixture.library))
      #expect(store.identifier == identifier)
      #expect(store.model == nil)
      #expect(store.matches(Fixture.library))
      #expect(!store.matches(Fixture.media))
      try store.adopt(Fixture.library)
      #expect(try store.rows(of: "Author").map(\.values[0]) == [.text("A")])
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
  }

  @Test func aReaderSeesWhatAWriterCommitted() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.store")
    let writer = try StoreFile(at: .file(file))
    try writer.create(Fixture.library)
    let reader = try StoreFile(at: .file(file), isReadOnly: true)
    try reader.adopt(Fixture.library)
    #expect(try reader.count(of: "Author") == 0)
    try writer.insert("Author", ["name": .text("A")])
    #expect(try reader.count(of: "Author") == 1)
  }

  @Test("A store uses a write-ahead log, as Core Data does")
  func journal() throws {
    let folder = try TemporaryFolder()
    let store = try StoreFile(at: .file(folder.file("a.store")))
    try store.create(Fixture.library)
    #expect(try store.database.value("PRAGMA journal_mode") == .text("wal"))
    #expect(try store.database.value("PRAGMA synchronous") == .integer(1))
  }

  @Test func defaultsThatJSONHasNoNumberForAreKept() throws {
    let folder = try TemporaryFolder()
    let values: [StoredValue] = [
      .real(.infinity), .real(-.infinity), .real(0.1), .real(1e308), .integer(.min),
      .blob(Data([0, 255])), .text("\u{0}\"\\\u{2028}🧨"), .null,
    ]
    let model = Fixture.model(
      ManagedEntity(
        name: "A",
        attributes: values.indices.map {
          ManagedAttribute(name: "a\($0)", type: .double, defaultValue: values[$0])
        }))
    try StoreFile(at: .file(folder.file("a.store"))).create(model)
    let again = try StoreFile(at: .file(folder.file("a.store")))
    #expect(again.contents == .portable(model))
  }

  // MARK: No stores

  private func opening(_ bytes: Data, isReadOnly: Bool) throws -> StoreError? {
    let folder = try TemporaryFolder()
    try bytes.write(to: folder.file("a.store"))
    return storeError {
      _ = try StoreFile(at: .file(folder.file("a.store")), isReadOnly: isReadOnly)
    }
  }

  @Test(arguments: [false, true]) func anEmptyFileIsAnEmptyStore(_ isReadOnly: Bool) throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.file("a.store"))
    let store = try StoreFile(at: .file(folder.file("a.store")), isReadOnly: isReadOnly)
    #expect(store.contents == .empty)
    #expect(!store.matches(Fixture.library))
    #expect(try store.structure().isEmpty)
  }

  @Test(arguments: [false, true]) func textAndRandomBytesAreNoStores(_ isReadOnly: Bool) throws {
    var state: UInt8 = 1
    let random = Data(
      (0..<10_000).map { _ in
        state = state &* 5 &+ 3
        return state
      })
    for bytes in [Data("x".utf8), Data("# a text\n".utf8), Data(repeating: 0, count: 4096), random]
    {
      #expect(try opening(bytes, isReadOnly: isReadOnly)?.kind == .notAStore)
    }
  }

  @Test func anotherDatabaseIsNoStore() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.db")
    try SQLite(path: file.path, access: .readWrite).execute("CREATE TABLE a (b)")
    let error = storeError { _ = try StoreFile(at: .file(file)) }
    #expect(error?.kind == .notAStore)
    #expect(error?.reason.contains("Core Data") == true)
  }

  @Test(arguments: [
    "DELETE FROM Z_METADATA",
    "UPDATE Z_METADATA SET Z_PLIST = 'x'",
    "UPDATE Z_METADATA SET Z_PLIST = x'00ff'",
    "UPDATE Z_METADATA SET Z_UUID = NULL",
    "DROP TABLE Z_PRIMARYKEY",
    "DROP TABLE Z_METADATA; CREATE TABLE Z_METADATA (a)",
  ])
  func brokenMetadataAreSaid(_ sql: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.store")
    let store = try StoreFile(at: .file(file))
    try store.create(Fixture.library)
    try store.database.execute(sql)
    #expect(storeError { _ = try StoreFile(at: .file(file)) } != nil)
  }

  @Test("A truncated store is refused or read without a crash")
  func truncated() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.store")
    do {
      let store = try StoreFile(at: .file(file))
      try store.create(Fixture.library)
      for number in 0..<200 { try store.insert("Reader", ["name": .text("reader \(number)")]) }
    }
    let bytes = try Data(contentsOf: file)
    for length in stride(from: 1, to: bytes.count, by: 1777) {
      #expect(try opening(bytes.prefix(length), isReadOnly: false)?.kind == .notAStore)
    }
  }

  @Test("A damaged store is refused or read without a crash")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.store")
    do {
      let store = try StoreFile(at: .file(file))
      try store.create(Fixture.library)
      for number in 0..<50 { try store.insert("Reader", ["name": .text("reader \(number)")]) }
    }
    let bytes = try Data(contentsOf: file)
    for place in stride(from: 100, to: bytes.count, by: 997) {
      var damaged = bytes
      for offset in place..<min(place + 16, damaged.count) { damaged[offset] ^= 0xFF }
      let copy = folder.file("\(place).store")
      try damaged.write(to: copy)
      do {
        let store = try StoreFile(at: .file(copy))
        try store.adopt(Fixture.library)
        _ = try store.rows(of: "Reader")
        _ = try store.related(ObjectID(entity: "Reader", key: 1), by: "friends")
        _ = try store.structure()
        try store.insert("Reader", ["name": .text("new")])
        var target = Fixture.library
        target.entities[3].attributes[0].isOptional = true
        try store.migrate(to: target)
      } catch is StoreError {}
    }
  }

  @Test func aFolderCannotBeOpened() throws {
    let folder = try TemporaryFolder()
    for isReadOnly in [false, true] {
      let error = storeError {
        _ = try StoreFile(at: .file(folder.url), isReadOnly: isReadOnly)
      }
      #expect(error?.kind == .cannotOpen)
    }
  }

  @Test func whatIsNotThereCannotBeRead() throws {
    let folder = try TemporaryFolder()
    let missing = folder.file("none/a.store")
    #expect(storeError { _ = try StoreFile(at: .file(missing)) }?.kind == .cannotOpen)
    #expect(
      storeError { _ = try StoreFile(at: .file(folder.file("a")), isReadOnly: true) }?.kind
        == .cannotOpen)
  }

  @Test(.enabled(if: getuid() != 0, "skipped: to root every folder can be written"))
  func aReadOnlyFolderCanBeReadFrom() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.store")
    try StoreFile(at: .file(file)).create(Fixture.library)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
    let store = try StoreFile(at: .file(file), isReadOnly: true)
    #expect(store.contents == .portable(Fixture.library))
    #expect(storeError { _ = try StoreFile(at: .file(folder.file("b"))) }?.kind == .cannotOpen)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: folder.url.path)
  }
}
