import Testing

@testable import SchemaModel

/// Types in manifests: which are read, which are refused, and where.
@Suite struct TypeReferenceTests {
  static let good: [(text: String, type: TypeReference)] = [
    ("Int", .named("Int")),
    (" String? ", .optional(.named("String"))),
    ("[Int]", .array(.named("Int"))),
    ("[ [Int]? ]", .array(.optional(.array(.named("Int"))))),
    ("[String: Decimal]?", .optional(.dictionary(.named("String"), .named("Decimal")))),
    ("Set<UUID>", .named("Set", arguments: [.named("UUID")])),
    ("Array<Int>", .array(.named("Int"))),
    ("Optional<Int>", .optional(.named("Int"))),
    ("Dictionary<String, [Int]>", .dictionary(.named("String"), .array(.named("Int")))),
    ("Habits.Kind", .named("Habits.Kind")),
    ("Pair<A, B?>", .named("Pair", arguments: [.named("A"), .optional(.named("B"))])),
    ("_Hidden9", .named("_Hidden9")),
  ]

  @Test(arguments: good) func reads(_ text: String, _ type: TypeReference) throws {
    #expect(try TypeReference(parsing: text) == type)
  }

  @Test(arguments: good) func readsItsOwnDescription(_ text: String, _ type: TypeReference) throws {
    #expect(try TypeReference(parsing: type.description) == type)
  }

  static let bad: [(text: String, offset: Int, reason: String)] = [
    ("", 0, "missing"),
    ("   ", 3, "missing"),
    ("String!", 6, "implicitly unwrapped"),
    ("(Int, Int)", 0, "tuples"),
    ("Int??", 5, "optional of an optional"),
    ("Optional<Int?>", 14, "optional of an optional"),
    ("Optional<Int>?", 14, "optional of an optional"),
    ("[Int", 4, "']' is missing"),
    ("[String: Int", 12, "']' is missing"),
    ("Set<Int", 7, "'>' is missing"),
    ("Int]", 3, "']' does not belong"),
    ("Int Int", 4, "'I' does not belong"),
    ("9Lives", 0, "cannot begin"),
    ("A.", 2, "missing"),
    ("A..B", 2, "cannot begin"),
    ("any P", 4, "does not belong"),
    ("[class]", 1, "keyword"),
    ("Self", 0, "keyword"),
    ("Ünïcode", 0, "cannot begin"),
    ("Int; class Evil {}", 3, "does not belong"),
    ("Int = 0", 4, "does not belong"),
    ("Int/**/", 3, "does not belong"),
    (String(repeating: "[", count: 17), 16, "nest"),
  ]

  @Test(arguments: bad) func refuses(_ text: String, _ offset: Int, _ reason: String) {
    do throws(TypeReference.SyntaxError) {
      let type = try TypeReference(parsing: text)
      Issue.record("'\(text)' was read as \(type)")
    } catch {
      #expect(error.reason.contains(reason), "\(error.reason)")
      #expect(error.offset == offset, "\(error.reason)")
    }
  }

  @Test func nestsSixteenDeep() throws {
    let text = String(repeating: "[", count: 15) + "Int" + String(repeating: "]", count: 15)
    #expect(try TypeReference(parsing: text).description == text)
  }

  @Test func wrapsOnceOnly() {
    let type = TypeReference.optional(.named("A"))
    #expect(type.optionalized == type)
    #expect(type.unwrapped == .named("A"))
    #expect(type.unwrapped.unwrapped == .named("A"))
    #expect(TypeReference.named("A").optionalized == type)
    #expect(!TypeReference.array(type).isOptional)
  }

  @Test func namesAreOutermostFirst() throws {
    let type = try TypeReference(parsing: "[Key: Set<Element?>]")
    #expect(type.names == ["Key", "Set", "Element"])
  }
}
