import SchemaManifest
import SchemaModel

/// Words that mean something to one of the readers, or that readers trip over.
struct Tokens: Sendable {
  /// Keys of manifests and of the configuration, and the words that stand behind some of them.
  let keys: [String]
  let values: [String]
  let rules: [String]
  private let known: Set<String>

  /// - Parameter schemas: JSON Schemas; JSON is YAML, so our own reader reads them.
  init(schemas: [SourceFile], rules: [String]) {
    var keys: Set<String> = ["version", "models", "properties"]
    var values: Set<String> = []
    for schema in schemas {
      YAMLReader.read(schema).root.map { Self.collect($0, &keys, &values) }
    }
    self.keys = keys.sorted()
    self.values = values.sorted() + Self.types + Self.expressions
    self.rules = rules.sorted()
    known = keys.union(values)
  }

  /// Whether a word means something to the readers.
  func isKey(_ word: String) -> Bool { known.contains(word) || Self.types.contains(word) }

  private static func collect(
    _ node: YAMLNode, _ keys: inout Set<String>, _ values: inout Set<String>
  ) {
    for entry in node.entries {
      if entry.key == "properties" { keys.formUnion(entry.value.entries.map(\.key)) }
      if entry.key == "enum" { values.formUnion(entry.value.items.compactMap(\.scalar?.text)) }
      collect(entry.value, &keys, &values)
    }
    for item in node.items { collect(item, &keys, &values) }
  }

  static let types = [
    "Int", "Int16", "Int?", "Double", "Decimal?", "Bool", "String", "String?", "Date", "Date?",
    "UUID", "UUID?", "Data", "Data?", "URL", "Character", "[String]", "'[String]'",
    "Array<String>", "'[String: Int]'", "Set<Int>", "Int = 0", "Int? = nil", "String = \"\"",
    "Date = Date()", "Date = .now", "UUID = UUID()", "Bool = false", "Double = .infinity",
    "Decimal = Decimal(string: \"1.1\")!", "Optional<Int>", "Int??", "'[[Int]]'", "Kind", "Kind?",
    "{ type: Int, default: 0 }", "{ type: String, unique: true }",
    "{ type: Data?, storage: external }", "{ relationship: '[A]' }", "{ relationship: A? }",
    "{ type: Int, from: a, convert: $0 + 1, revert: $0 - 1 }", "{ transient: Int = 0 }",
    "{ enum: String, cases: [a, b] }", "{ enum: Int, cases: { a: 1, b: 2 } }",
    "{ struct: { a: Int, b: String? } }",
  ]

  static let expressions = [
    "$0", "$0.count", "$1", "$old", "nil", "\"\"", "\"\\(x)\"", "{ $0 }", "[]", "[:]", "-1",
    "0xFF", "1_000", "1e309", ".zero", "Date()", "UUID()", "UUID.init()", "Date.now",
    "a.b.c()", "try! f()", "self", "init", "Type", "`class`", "#if", "#\"raw\"#", "\"\"\"", "/*",
    "*/", "//", "@Model", "func f() {}", "}", "{", ")", "(", "\\", "\\u{110000}", "$", "`",
  ]

  /// What YAML or text itself makes difficult.
  static let indicators = [
    ": ", "- ", "? ", "# ", "& ", "*a", "&a ", "!tag ", "!!str ", "| ", "> ", "|2\n", ">-\n", "'",
    "\"", "%YAML 1.2\n", "---\n", "...\n", "--- ", "<<: *a", "{", "}", "[", "]", ",", "{}", "[]",
    "~", "null", "yes", "no", "010", "1.0", "\t", "\r\n", "\r", "\u{FEFF}", "\0", "\u{85}",
    "\u{2028}", "\u{7F}", "\u{1B}[31m", "\\", "\\x", "@", "%", "`", "=", "\n\n", "\n",
  ]

  static let names = [
    "👩‍👩‍👧‍👦", "é", "e\u{301}", "\u{202E}abc", "\u{200B}", "a\u{200D}b", "ß", "İ", "名前", "_",
    "__", "a", "A", "class", "self", "Self", "Type", "init", "id", "description", "hashValue",
    "persistentModelID", "Sendable", "Int", "String", "Date", "Model", "Schema", "a.b", "a b",
    "a/b", "../a", "Generated", "%s", "{{x}}", "<b>", "&amp;", "::", "]]>", "\u{FFFD}",
    "\u{10FFFF}", "\u{FFFF}",
  ]

  static let numbers = [
    "0", "-1", "1", "2", "3", "9", "10", "1.1", "1.0.1", "2.0.0", "0.0.0", "255", "32768",
    "2147483647", "2147483648", "9223372036854775807", "9223372036854775808",
    "99999999999999999999999999", "1e9", "V1", "v2", "V1_1", "1.2.3.4", "2027-01-31",
    "2020-02-30", "0000-01-01",
  ]
}
