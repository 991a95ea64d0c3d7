import Testing

@testable import SchemaModel

/// Version numbers, Swift names and stored types.
@Suite struct NameAndNumberTests {
  static let numbers: [(text: String, number: VersionNumber?)] = [
    ("9", VersionNumber(9)), ("9.1", VersionNumber(9, 1)), ("9.1.2", VersionNumber(9, 1, 2)),
    ("V9", VersionNumber(9)), ("v9_1", VersionNumber(9, 1)), ("V9_0_1", VersionNumber(9, 0, 1)),
    ("0.0.0", VersionNumber(0)), ("2147483647", VersionNumber(2_147_483_647)),
    ("2147483648", nil), ("", nil), ("V", nil), ("9.", nil), (".9", nil), ("9..1", nil),
    ("9.1.2.3", nil), ("-1", nil), ("+1", nil), ("9 ", nil), ("VV9", nil), ("٣", nil), ("1e3", nil),
  ]

  @Test(arguments: numbers) func readsNumbers(_ text: String, _ number: VersionNumber?) {
    #expect(VersionNumber(text) == number)
  }

  @Test("A type name with a version number is recognised as a copy")
  func numberedCopies() {
    for copy in ["V2Trip", "TripV1", "Trip_1_0", "TripSchemaV12", "Trip2", "v1_Trip"] {
      #expect(copy.isNumberedCopy(of: "Trip"), "\(copy)")
    }
    for other in ["Trip", "TripV", "RoundTrip", "Trips2", "TripV1Old", "V2", "SchemaTrip"] {
      #expect(!other.isNumberedCopy(of: "Trip"), "\(other)")
    }
  }

  @Test func labelsLeaveTrailingZerosOut() {
    #expect(VersionNumber(9).label == "9")
    #expect(VersionNumber(1, 1).label == "1_1")
    #expect(VersionNumber(1, 0, 1).label == "1_0_1")
    #expect(VersionNumber(1, 0, 1).name == "V1.0.1")
    #expect(VersionNumber(1, 10) > VersionNumber(1, 9, 9))
    #expect(
      VersionNumber(1).successors == [
        VersionNumber(1, 0, 1), VersionNumber(1, 1), VersionNumber(2),
      ])
  }

  static let names: [(name: String, isValid: Bool)] = [
    ("a", true), ("_a", true), ("A9_b", true), ("class", true), ("__", true),
    ("_", false), ("", false), ("9a", false), ("a-b", false), ("a b", false), ("ü", false),
    ("a\u{301}", false), ("`a`", false), ("a.b", false), ("$0", false),
    (String(repeating: "a", count: 128), true), (String(repeating: "a", count: 129), false),
  ]

  @Test(arguments: names) func namesAreSwiftIdentifiers(_ name: String, _ isValid: Bool) {
    #expect(SwiftIdentifier.isValid(name) == isValid)
  }

  static let anyNames: [(name: String, isName: Bool)] = [
    ("a", true), ("class", true), ("_", false), ("", false), ("9a", false), ("a-b", false),
    ("$0", false), ("jalapeño", true), ("jalapen\u{303}o", true), ("\u{303}o", false), ("塩", true),
    ("größe", true), ("Ω9", true), ("🍎", true), ("a×b", false), ("a b", false), ("a\u{a0}b", false),
    ("a→b", false), ("a\u{e000}", false), ("a\u{1fffe}", false),
    (String(repeating: "ü", count: 128), true), (String(repeating: "ü", count: 129), false),
  ]

  @Test(arguments: anyNames) func namesOfCasesAreOfAnyAlphabet(_ name: String, _ isName: Bool) {
    #expect(SwiftIdentifier.isAnyName(name) == isName)
  }

  @Test func keywordsStandInBackticks() {
    #expect(SwiftIdentifier.quoted("default") == "`default`")
    #expect(SwiftIdentifier.quoted("name") == "name")
    #expect(SwiftIdentifier.quoted("actor") == "`actor`")
  }

  static let storage: [(type: String, storage: StorageType)] = [
    ("Int", .primitive(.int64)), ("Int?", .primitive(.int64)), ("Int64", .primitive(.int64)),
    ("TimeInterval", .primitive(.double)), ("UInt8", .primitive(.int16)), ("URL", .primitive(.url)),
    ("[String]", .archived("[String]")), ("[String]?", .archived("[String]")),
    ("[Level]", .composite(["[Level]"])), ("Set<Int>", .composite(["Set<Int>"])),
    ("[String: Int]", .composite(["[String: Int]"])), ("Level", .rawEnum(.int64)),
    ("Mode?", .rawEnum(.string)), ("Day", .composite(["monday", "tuesday"])),
    ("Span", .composite(["from: Date", "to: Date?"])), ("Money", .composite(["Money"])),
    ("Elsewhere", .composite(["Elsewhere"])),
  ]

  @Test(arguments: storage) func knowsWhatIsStored(_ type: String, _ storage: StorageType) throws {
    let cases = ["monday", "tuesday"].map { EnumCase(name: $0) }
    let types = StorageTypes(types: [
      ValueTypeDeclaration(
        name: "Level", kind: .enumeration(rawType: .named("Int"), cases: cases)),
      ValueTypeDeclaration(
        name: "Mode", kind: .enumeration(rawType: .named("String"), cases: cases)),
      ValueTypeDeclaration(name: "Day", kind: .enumeration(rawType: nil, cases: cases)),
      ValueTypeDeclaration(
        name: "Span",
        kind: .structure(fields: [
          StructField(name: "from", type: .named("Date")),
          StructField(name: "to", type: .optional(.named("Date"))),
        ])),
      ValueTypeDeclaration(name: "Money", kind: .opaque),
    ])
    let reference = try TypeReference(parsing: type)
    #expect(types.storage(of: reference) == storage)
    #expect(types.storage(of: reference, transformable: true) == .transformable)
  }

  static let trimmed: [(text: String, result: String)] = [
    (" a ", "a"), ("\t\na b\r\n", "a b"), ("a", "a"), ("", ""), ("   ", ""), ("ü ", "ü"),
  ]

  @Test(arguments: trimmed) func trims(_ text: String, _ result: String) {
    #expect(text.trimmingSpaces() == result)
  }
}
