import CloudKit
import ExtrasModels
import Foundation
import Testing

/// Generated mappers, run against a stand-in for CloudKit.
@Suite struct CloudMapperTests {
  private static let book = Book(
    id: UUID(uuidString: "00000000-0000-4000-8000-000000000001")!, name: "Öst & Väst", pages: -1,
    price: 1999, rating: 4, mood: Mood.dark, cover: Data([0, 255]), secret: "under the bed",
    tags: ["a", "ü"], creationDate: Date(timeIntervalSinceReferenceDate: 700_000_000.125),
    authorID: UUID(uuidString: "00000000-0000-4000-8000-000000000002")!,
    notes: [Note(id: UUID(uuidString: "00000000-0000-4000-8000-000000000003")!, text: "read")],
    default: 3, schemaVersion: -7, weight: 0.1, cost: Decimal(string: "12345678901234567890.12")!,
    isLent: true, link: URL(string: "https://example.org/a?b=c"),
    token: UUID(uuidString: "00000000-0000-4000-8000-000000000004")!, level: .high,
    binding: .hard, origin: Place(city: "Bern", year: 1848), editions: ["first": 1],
    history: [Place(city: "Ulm", year: 2)])
  private static let empty = Book(
    id: UUID(uuidString: "00000000-0000-4000-8000-000000000009")!)

  @Test(
    "Every kind of field of a CloudKit record is read back as it was written",
    arguments: [book, empty])
  func roundTrip(_ book: Book) throws {
    let record = try BookCloudMapper.toCKRecord(book)
    defer { CloudAssetFiles.remove(of: record) }
    #expect(record.recordType == "Book")
    #expect(record.recordID.recordName == "Book-\(book.id.uuidString)")
    #expect(try BookCloudMapper.fromCKRecord(record, notes: book.notes) == book)
  }

  @Test("Values are stored in types and under names that CloudKit accepts")
  func fields() throws {
    let record = try BookCloudMapper.toCKRecord(Self.book)
    defer { CloudAssetFiles.remove(of: record) }
    #expect(record["schemaVersion"] == Int64(3))
    #expect(record["schemaVersionField"] == Int64(-7), "the form's key is the form's for good")
    #expect(record["creationDateField"] == Self.book.creationDate, "CloudKit's own name is avoided")
    #expect(record["creationDate"] as String? == nil)
    #expect(record["cost"] == "12345678901234567890.12", "no digit is lost")
    #expect(record["isLent"] == Int64(1))
    #expect(record["author"] == "00000000-0000-4000-8000-000000000002")
    #expect(record["level"] == Int64(2) && record["mood"] == "dark")
    #expect(record.encryptedValues["secret"] as? String == "under the bed")
    #expect(record["secret"] as String? == nil)
    let cover: CKAsset? = record["cover"]
    #expect(cover?.fileURL.flatMap { try? Data(contentsOf: $0) } == Data([0, 255]))
    #expect(!record.allKeys().contains("internalNote"), "what the entity leaves out stays out")
    #expect(!record.allKeys().contains("notes"), "entities within it have records of their own")
  }

  @Test("Removing an entity's asset files leaves other files alone")
  func assetFiles() throws {
    let record = try BookCloudMapper.toCKRecord(Self.book)
    let own = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data([1]).write(to: own)
    defer { try? FileManager.default.removeItem(at: own) }
    record["other"] = CKAsset(fileURL: own)
    let cover: CKAsset? = record["cover"]
    let file = try #require(cover?.fileURL)
    #expect(FileManager.default.fileExists(atPath: file.path))
    CloudAssetFiles.remove(of: record)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    #expect(FileManager.default.fileExists(atPath: own.path))
  }

  /// A record as V1's app wrote it.
  private func first() -> CKRecord {
    let record = CKRecord(recordType: "Book", recordID: CKRecord.ID(recordName: "old"))
    record["schemaVersion"] = Int64(1)
    record["id"] = Self.book.id.uuidString
    record["title"] = "Old"
    record["pages"] = Int64(12)
    record["price"] = 19.5
    record["rating"] = "4"
    record["mood"] = "wild"
    record["tags"] = Data(#"["x"]"#.utf8)
    record["creationDateField"] = Date(timeIntervalSinceReferenceDate: 5)
    record["writer"] = Self.book.authorID!.uuidString
    record.encryptedValues["secret"] = "s"
    return record
  }

  @Test("A record of the first version is read as today's entity, with its values converted")
  func oldRecord() throws {
    let book = try BookCloudMapper.fromCKRecord(first(), notes: [])
    #expect(book.name == "Old" && book.pages == 12 && book.mood == .wild && book.tags == ["x"])
    #expect(book.price == 1950, "cents since V2")
    #expect(book.rating == 4, "a number since V2")
    #expect(book.authorID == Self.book.authorID, "the writer is the author since V2")
    #expect(book.secret == "s")
    #expect(book.level == nil && book.history == [] && book.cost == 0.5)
  }

  @Test("A record may lack a field that is no longer used")
  func unusedField() throws {
    let record = CKRecord(recordType: "Label", recordID: CKRecord.ID(recordName: "l"))
    record["schemaVersion"] = Int64(1)
    record["id"] = "daily"
    #expect(try LabelCloudMapper.fromCKRecord(record) == Label(id: "daily", color: nil))
  }

  @Test("A field whose type changed is stored under a new name")
  func changedType() throws {
    let record = first()
    record["schemaVersion"] = Int64(2)
    record["name"] = "Second"
    record["ratingV2"] = Int64(5)
    record["author"] = nil
    let book = try BookCloudMapper.fromCKRecord(record, notes: [])
    #expect(book.rating == 5 && book.price == 19.5 && book.name == "Second")
  }

  @Test("A record of a renamed entity is read under its old type")
  func renamedEntity() throws {
    let record = CKRecord(recordType: "Writer", recordID: CKRecord.ID(recordName: "w"))
    record["schemaVersion"] = Int64(1)
    record["id"] = Self.book.id.uuidString
    record["name"] = "Ada"
    let author = try AuthorCloudMapper.fromCKRecord(record)
    #expect(author == Author(id: Self.book.id, name: "Ada", mentorID: nil))
  }

  @Test("Updating an older record writes the newest fields and keeps other apps' fields")
  func update() throws {
    let record = first()
    record["theirs"] = "kept"
    try BookCloudMapper.update(record, with: Self.book)
    defer { CloudAssetFiles.remove(of: record) }
    #expect(record["theirs"] == "kept")
    #expect(record["title"] == "Old", "older apps still find their fields")
    #expect(try BookCloudMapper.fromCKRecord(record, notes: Self.book.notes) == Self.book)
    try BookCloudMapper.update(record, with: Self.empty)
    #expect(record["author"] as String? == nil, "what is nil now is taken out")
    #expect(try BookCloudMapper.fromCKRecord(record, notes: []) == Self.empty)
  }

  @Test("Updating a record of another type is refused")
  func otherType() throws {
    let record = CKRecord(recordType: "Writer", recordID: CKRecord.ID(recordName: "w"))
    record["schemaVersion"] = Int64(2)
    let expected = CloudRecordError.otherType(type: "Writer", expected: "Author")
    #expect(throws: expected) {
      try AuthorCloudMapper.update(record, with: Author(id: Self.book.id))
    }
    #expect(record.allKeys() == ["schemaVersion"])
  }

  @Test(
    "Malformed JSON is an error, not a fallback that the next update would save"
  )
  func brokenJSON() throws {
    let record = try BookCloudMapper.toCKRecord(Self.empty)
    record["historyData"] = Data("{".utf8)
    #expect(throws: CloudRecordError.unreadable(field: "historyData")) {
      try BookCloudMapper.fromCKRecord(record, notes: [])
    }
    record["historyData"] = Data()
    #expect(try BookCloudMapper.fromCKRecord(record, notes: []).history == [])
  }

  @Test("A record from a newer app is neither read nor written")
  func newer() throws {
    let record = try BookCloudMapper.toCKRecord(Self.book)
    CloudAssetFiles.remove(of: record)
    record["schemaVersion"] = Int64(4)
    let expected = CloudRecordError.newer(type: "Book", form: 4, newest: 3)
    #expect(throws: expected) { try BookCloudMapper.fromCKRecord(record, notes: []) }
    #expect(throws: expected) { try BookCloudMapper.update(record, with: Self.empty) }
    #expect(record["name"] == "Öst & Väst")
    #expect("\(expected)" == "this Book record has form 4, and this app knows forms up to 3")
  }

  @Test("A record without a form number is read only if the caller passes one")
  func noForm() throws {
    let record = first()
    record["schemaVersion"] = nil
    #expect(throws: CloudRecordError.noForm(type: "Book")) {
      try BookCloudMapper.fromCKRecord(record, notes: [])
    }
    #expect(try BookCloudMapper.fromCKRecord(record, notes: [], or: 1).name == "Old")
  }

  @Test(
    "A missing or unreadable field is an error that names it", arguments: [0, 1, 2, 3])
  func broken(_ number: Int) throws {
    let record = first()
    let expected: CloudRecordError
    switch number {
    case 0:
      record["title"] = nil
      expected = .missing(field: "title")
    case 1:
      record["mood"] = "sleepy"
      expected = .unreadable(field: "mood")
    case 2:
      record["id"] = "no UUID"
      expected = .unreadable(field: "id")
    default:
      record["tags"] = Data("[".utf8)
      expected = .unreadable(field: "tags")
    }
    #expect(throws: expected) { try BookCloudMapper.fromCKRecord(record, notes: []) }
  }

  @Test("An unknown form number is an error")
  func unknown() throws {
    let record = first()
    record["schemaVersion"] = Int64(0)
    #expect(throws: CloudRecordError.unknownForm(type: "Book", form: 0)) {
      try BookCloudMapper.fromCKRecord(record, notes: [])
    }
    #expect(throws: CloudRecordError.unknownForm(type: "Book", form: 0)) {
      try ShelfCloudMapper.fromCKRecord(record)
    }
  }

  @Test("A string identifies a record unless CloudKit would reject it")
  func textIdentifiers() throws {
    let label = Label(id: "red & green")
    let record = try LabelCloudMapper.toCKRecord(label)
    #expect(record.recordID.recordName == "Label-red & green")
    #expect(try LabelCloudMapper.fromCKRecord(record) == label)
    for id in ["größe", "a\nb", String(repeating: "x", count: 250)] {
      #expect(throws: CloudRecordError.unnameable(type: "Label", id: id)) {
        try LabelCloudMapper.toCKRecord(Label(id: id))
      }
    }
  }

  @Test("Entities can be identified by numbers or have no identifier")
  func otherIdentifiers() throws {
    let shelf = Shelf(id: -4, name: "S", bookIDs: [Self.book.id, Self.empty.id])
    let record = try ShelfCloudMapper.toCKRecord(shelf)
    #expect(record.recordID.recordName == "Shelf--4")
    #expect(try ShelfCloudMapper.fromCKRecord(record) == shelf)
    let settings = Settings(theme: "dark", lastOpened: Date(timeIntervalSinceReferenceDate: 1))
    let own = CKRecord(recordType: "Settings", recordID: CKRecord.ID(recordName: "settings"))
    try SettingsCloudMapper.update(own, with: settings)
    #expect(try SettingsCloudMapper.fromCKRecord(own) == settings)
  }
}
