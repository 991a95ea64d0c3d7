import Foundation
import SchemaModel
import Testing

@testable import SchemaEvolution

/// CloudKit's schema language: what is read and what is refused, and that written schemas are read back.
@Suite struct CloudSchemaTests {
  private func read(_ text: String) -> CloudSchemaReading {
    CloudSchema.read(SourceFile(path: "x.ckdb", text: text))
  }

  private static let export = """
    DEFINE SCHEMA

        CREATE ROLE moderator;

        RECORD TYPE CD_Trip (
            CD_entityName  STRING QUERYABLE SEARCHABLE SORTABLE,
            CD_secret      ENCRYPTED BYTES,
            "___recordID"  REFERENCE QUERYABLE,
            "grant"        STRING,
            numbers        LIST<INT64> QUERYABLE,
            price          NUMBER PREFERRED AS DOUBLE,
            GRANT WRITE TO "_creator",
            GRANT CREATE, READ TO moderator
        );

        RECORD TYPE Users (
            roles LIST<INT64>,
            GRANT READ TO "_world"
        );

        RECORD TYPE "cloudkit.share" (
            "cloudkit.title" STRING,
            GRANT READ TO "_world"
        );

    """

  /// Byte for byte, so that a merge differs from an export only in what it adds.
  @Test func exportsStayAsTheyAre() {
    let reading = read(Self.export)
    #expect(reading.diagnostics.map(\.message) == [])
    #expect(
      reading.schema.text
        == Self.export.replacing("CD_entityName  ", with: "CD_entityName ")
        .replacing("CD_secret      ", with: "CD_secret     ")
        .replacing("\"___recordID\"  ", with: "\"___recordID\" ")
        .replacing("\"grant\"        ", with: "\"grant\"       ")
        .replacing("numbers        ", with: "numbers       ")
        .replacing("price          ", with: "price         "))
  }

  @Test(
    "A CloudKit schema may have comments, any line ends, any case and a trailing comma",
    arguments: [
      "DEFINE SCHEMA RECORD TYPE A (b STRING);",
      "define schema record type A(b string);",
      "// don't “panic”\r\nDEFINE SCHEMA -- it's\r\nRECORD TYPE\t\"A\" ( /* ; ) */ b STRING, );",
      "\u{FEFF}DEFINE SCHEMA RECORD TYPE \"A\" (\"b\" STRING) ;",
    ])
  func forms(_ text: String) {
    let reading = read(text)
    #expect(reading.diagnostics.map(\.message) == [])
    #expect(
      reading.schema == CloudSchema(recordTypes: [.init("A", [.init("b", .string)])]))
  }

  @Test(
    "A truncated, empty or unrelated file is not read as a CloudKit schema",
    arguments: [
      ("", "the file is empty"),
      (" \n", "the file is empty"),
      ("version: 1.0.0", "a schema file begins with 'DEFINE SCHEMA', but this one does not"),
      ("DEFINE", "expected 'SCHEMA', found the end of the file"),
      (
        "DEFINE SCHEMA RECORD TYPE A (b STRING)",
        "expected ';' after a record type or a role, found the end of the file"
      ),
      (
        "DEFINE SCHEMA RECORD TYPE A (b STRING, ",
        "expected the name of a field, found the end of the file"
      ),
      ("DEFINE SCHEMA RECORD TYPE A (b STR", "expected a field's type, found 'STR'"),
      ("DEFINE SCHEMA RECORD TYPE \"A", "a quoted name is never closed"),
      ("DEFINE SCHEMA /* RECORD", "a comment is never closed"),
      ("DEFINE SCHEMA RECORD TYPE A (é STRING);", "'é' does not belong in a schema file"),
      ("DEFINE SCHEMA RECORD TYPE A (\"\" STRING);", "the name of a field is empty"),
      (
        "DEFINE SCHEMA RECORD TYPE A (b ENCRYPTED ASSET);",
        "a field of type ASSET cannot be encrypted"
      ),
      (
        "DEFINE SCHEMA RECORD TYPE A (b NUMBER PREFERRED AS STRING);",
        "'PREFERRED AS' must be followed by INT64 or DOUBLE"
      ),
      ("DEFINE SCHEMA RECORD TYPE A (b STRING, b STRING);", "the field 'b' of 'A' appears twice"),
      ("DEFINE SCHEMA RECORD TYPE A (); RECORD TYPE A ();", "the record type 'A' appears twice"),
      (
        "DEFINE SCHEMA RECORD TYPE A (GRANT EAT TO b);",
        "expected READ, WRITE or CREATE, found 'EAT'"
      ),
    ])
  func mistakes(_ text: String, _ message: String) {
    let reading = read(text)
    #expect(reading.diagnostics.map(\.message) == [message])
    #expect(reading.diagnostics.allSatisfy { $0.location != nil && $0.severity == .error })
  }

  @Test func allMistakesAreTold() {
    let text =
      "DEFINE SCHEMA\nRECORD TYPE A (b STR);\nRECORD TYPE B (c INT64);\nRECORD KIND C ();\n"
    let reading = read(text)
    #expect(reading.diagnostics.map { $0.location?.line } == [2, 4])
    #expect(reading.schema.recordTypes.map(\.name) == ["B"])
  }

  /// Over the whole grammar, a written schema is read back as it was.
  @Test(arguments: 0..<200) func roundTrip(_ seed: UInt64) {
    var random = RandomCloudSchema(seed: seed)
    let schema = random.schema()
    let reading = read(schema.text)
    #expect(reading.diagnostics.map(\.message) == [])
    #expect(reading.schema.text == schema.text)
    #expect(
      Set(reading.schema.recordTypes.map(\.name)) == Set(schema.recordTypes.map(\.name)))
    for type in schema.recordTypes {
      let other = reading.schema.recordType(named: type.name)
      #expect(other?.grants == type.grants)
      for field in type.fields { #expect(other?.field(named: field.name) == field) }
    }
  }

  /// The number of mutated files: CLOUD_MUTATIONS=1000000 tries more.
  private static let mutations =
    ProcessInfo.processInfo.environment["CLOUD_MUTATIONS"].flatMap { Int($0) } ?? 4_000

  /// Whatever its bytes, a file is read to its end, and its schema is complete or refused.
  @Test(arguments: 0..<40) func mutations(_ seed: UInt64) {
    var random = RandomCloudSchema(seed: seed)
    let text = Array(random.schema().text.utf8)
    for _ in 0..<Self.mutations / 40 {
      var bytes = text
      for _ in 0..<random.number(1...4) { random.mutate(&bytes) }
      let reading = CloudSchema.read(SourceFile(path: "x.ckdb", bytes: bytes))
      guard reading.diagnostics.isEmpty else { continue }
      let again = read(reading.schema.text)
      #expect(again.diagnostics.isEmpty && again.schema.text == reading.schema.text)
    }
  }
}

/// Schemas of everything that the language has, and bytes that are nearly schemas.
struct RandomCloudSchema {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  mutating func pick<Element>(_ all: [Element]) -> Element { all[number(0...all.count - 1)] }

  mutating func name() -> String {
    let words = [
      "CD_Trip", "a", "Z9_", "grant", "Sortable", "cloudkit.title", "___etag", "with blank", "é",
    ]
    return pick(words) + (number(0...1) == 0 ? "" : String(number(0...99)))
  }

  mutating func schema() -> CloudSchema {
    var schema = CloudSchema(roles: (0..<number(0...2)).map { "role\($0)" })
    var types: Set<String> = []
    for _ in 0..<number(0...5) {
      let name = name()
      guard types.insert(name).inserted else { continue }
      var type = CloudSchema.RecordType(name)
      var names: Set<String> = []
      for _ in 0..<number(0...8) {
        let name = self.name()
        guard names.insert(name).inserted else { continue }
        let indexes = CloudSchema.Index.allCases.filter { _ in number(0...1) == 0 }
        type.fields.append(CloudSchema.Field(name, fieldType(), Set(indexes)))
      }
      for _ in 0..<number(0...2) {
        let permissions = CloudSchema.Permission.allCases.prefix(number(1...3))
        type.grants.append(CloudSchema.Grant(Array(permissions), to: self.name()))
      }
      schema.recordTypes.append(type)
    }
    return schema
  }

  private mutating func fieldType() -> CloudSchema.FieldType {
    let primitive = pick(CloudType.allCases)
    let isEncrypted = primitive.canBeEncrypted && number(0...2) == 0
    switch number(0...5) {
    case 0: return .list(primitive, isEncrypted: isEncrypted)
    case 1: return .number(preferred: pick([nil, .int64, .double]))
    default: return .single(primitive, isEncrypted: isEncrypted)
    }
  }

  mutating func mutate(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return bytes.append(UInt8(truncatingIfNeeded: next())) }
    let place = number(0...bytes.count - 1)
    switch number(0...4) {
    case 0: bytes[place] = UInt8(truncatingIfNeeded: next())
    case 1: bytes.remove(at: place)
    case 2:
      bytes.insert(
        contentsOf: pick(["\"", "/*", "*/", "--", "(", ")", ";", ",", "<", "\n"]).utf8, at: place)
    case 3: bytes.removeSubrange(place..<min(bytes.count, place + number(1...40)))
    default: bytes.removeLast(bytes.count - place)
    }
  }
}
