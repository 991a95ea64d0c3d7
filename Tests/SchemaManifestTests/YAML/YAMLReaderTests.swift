import SchemaModel
import SchemaReporting
import TestSupport
import Testing

@testable import SchemaManifest

/// A text that cannot be read, and its finding.
struct BadYAML: Sendable, CustomTestStringConvertible {
  var name: String
  var bytes: [UInt8]
  var rule: String
  var line: Int
  var column: Int
  var fragment: String

  init(
    _ name: String, _ text: String, _ rule: String, _ line: Int, _ column: Int, _ fragment: String
  ) {
    self.init(name, bytes: Array(text.utf8), rule, line, column, fragment)
  }

  init(
    _ name: String, bytes: [UInt8], _ rule: String, _ line: Int, _ column: Int,
    _ fragment: String
  ) {
    self.name = name
    self.bytes = bytes
    self.rule = rule
    self.line = line
    self.column = column
    self.fragment = fragment
  }

  var testDescription: String { name }

  static let bytes: [BadYAML] = [
    BadYAML(
      "50 MB", bytes: Array(repeating: UInt8(ascii: "a"), count: 50_000_000), "unreadable-file", 1,
      1, "50000000 bytes"),
    BadYAML(
      "invalid byte", bytes: Array("a: 1\nbé: ".utf8) + [0xFF, 0x0A], "unreadable-file", 2, 5,
      "0xFF"),
    BadYAML(
      "broken sequence", bytes: Array("a: é".utf8) + [0xE2, 0x82, 0x28], "unreadable-file", 1, 5,
      "0xE2"),
    BadYAML(
      "surrogate", bytes: Array("a: ".utf8) + [0xED, 0xA0, 0x80], "unreadable-file", 1, 4,
      "not UTF-8"),
    BadYAML(
      "UTF-16 LE", bytes: [0xFF, 0xFE, 0x61, 0x00], "unreadable-file", 1, 1, "UTF-16"),
    BadYAML(
      "UTF-16 BE", bytes: [0xFE, 0xFF, 0x00, 0x61], "unreadable-file", 1, 1, "UTF-16"),
    BadYAML("NUL", "a: 1\nb: \0\n", "unreadable-file", 2, 4, "U+0000"),
    BadYAML("escape", "a: 1\nb: x\u{1B}[31m\n", "unreadable-file", 2, 5, "U+001B"),
    BadYAML("CR alone", "# a comment\rb: 1\n", "unreadable-file", 1, 12, "line break"),
    BadYAML("LS", "a: 1\n# é\u{2028}b: 1\n", "unreadable-file", 2, 4, "line break"),
    BadYAML("NEL", "a: 1\n# \u{85}b: 1\n", "unreadable-file", 2, 3, "line break"),
    BadYAML("empty", "", "empty-file", 1, 1, "empty"),
    BadYAML("BOM only", "\u{FEFF}", "empty-file", 1, 1, "empty"),
    BadYAML("comments", "# one\n\n# two\n", "empty-file", 1, 1, "comments"),
  ]

  static let syntax: [BadYAML] = [
    BadYAML("tab at once", "\ta: 1\n", "yaml-syntax", 1, 1, "a tab indents"),
    BadYAML("tab below", "models:\n\tA: 1\n", "yaml-syntax", 2, 1, "a tab indents"),
    BadYAML("tab after spaces", "models:\n  A: 1\n  \tB: 1\n", "yaml-syntax", 3, 3, "a tab"),
    BadYAML(
      "key too far left", "a:\n    b: 1\n  c: 1\n", "yaml-syntax", 3, 3, "the indentation"),
    BadYAML(
      "key too far right", "a:\n  b: 1\n    c: 1\n", "yaml-syntax", 3, 6, "has a value already"),
    BadYAML("two values", "a: b: c\n", "yaml-syntax", 1, 5, "a second ': '"),
    BadYAML("array type", "tags: [String] = []\n", "yaml-syntax", 1, 16, "single quotes"),
    BadYAML("no colon", "a: 1\nb\nc: 1\n", "yaml-syntax", 3, 1, "not 'key: value'"),
    BadYAML("open list", "a: [b, c\nd: 1\n", "yaml-syntax", 2, 2, "',' or ']'"),
    BadYAML("open mapping", "a: { b: c\nd: 1\n", "yaml-syntax", 2, 2, "',' or '}'"),
    BadYAML("open quote", "a: \"b\nc: 1\n", "yaml-syntax", 1, 4, "never closed"),
    BadYAML("end in a list", "a: 1\nb: [c", "yaml-syntax", 2, 6, "',' or ']'"),
    BadYAML("at sign", "a: @Model\n", "yaml-syntax", 1, 4, "cannot begin with"),
    BadYAML("escape", "a: \"\\(x)\"\n", "yaml-syntax", 1, 5, "double quotes"),
    BadYAML("list item", "a: - b\n", "yaml-syntax", 1, 4, "a list cannot begin"),
    BadYAML("no key", "? \n: b\n", "yaml-syntax", 1, 2, "a key is missing"),
  ]

  static let unsupported: [BadYAML] = [
    BadYAML("anchor", "a: &x b\n", "yaml-unsupported", 1, 4, "'&x'"),
    BadYAML("alias", "a: 1\nb: *x\n", "yaml-unsupported", 2, 4, "'*x'"),
    BadYAML("tag", "a: !!int 1\n", "yaml-unsupported", 1, 4, "tags"),
    BadYAML("empty tag", "a: ! b\n", "yaml-unsupported", 1, 4, "tags"),
    BadYAML("merge key", "a:\n  <<: { b: 1 }\n", "yaml-unsupported", 2, 3, "merge keys"),
    BadYAML("two documents", "a: 1\n---\nb: 1\n", "yaml-unsupported", 2, 1, "second document"),
    BadYAML("list as key", "? [a, b]\n: c\n", "yaml-unsupported", 1, 3, "a key must be one word"),
    BadYAML("block as key", "? |\n  a\n: c\n", "yaml-unsupported", 1, 3, "a block of text"),
    BadYAML(
      "brackets", String(repeating: "[", count: 10_000), "yaml-unsupported", 1, 33, "32 deep"),
    BadYAML(
      "braces", String(repeating: "{", count: 10_000), "yaml-unsupported", 1, 2, "one word"),
    BadYAML(
      "dashes", String(repeating: "- ", count: 10_000), "yaml-unsupported", 1, 65, "32 deep"),
    BadYAML(
      "values", (0..<40).map { String(repeating: " ", count: $0) + "a:\n" }.joined(),
      "yaml-unsupported", 33, 33, "32 deep"),
    BadYAML("duplicate", "a: 1\nb: 1\na: 2\n", "duplicate-key", 3, 1, "'a'"),
  ]
}

@Suite struct YAMLReaderTests {
  @Test(arguments: BadYAML.bytes + BadYAML.syntax + BadYAML.unsupported)
  func reportsWithPlaceAndReason(_ bad: BadYAML) throws {
    let (root, diagnostics) = YAMLReader.read(SourceFile(path: "V1.yaml", bytes: bad.bytes))
    let found = try #require(diagnostics.first)
    #expect(found.rule.id == bad.rule)
    #expect(found.location?.line == bad.line)
    #expect(found.location?.column == bad.column)
    let text = ([found.message] + found.help).joined(separator: "\n")
    #expect(text.contains(bad.fragment), "\(text)")
    #expect(found.severity == .error)
    if !["anchor", "tag", "empty tag", "duplicate"].contains(bad.name) { #expect(root == nil) }
  }

  @Test func aliasBombStaysSmall() {
    var text = "a0: &a0 [x, x]\n"
    for level in 1...30 {
      text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1), *a\(level - 1)]\n"
    }
    let (root, diagnostics) = YAMLReader.read(SourceFile(path: "V1.yaml", text: text))
    #expect(root == nil)
    #expect(diagnostics.count == TreeBuilder.mostFindings)
    #expect(diagnostics.allSatisfy { $0.rule == .yamlUnsupported })
  }

  @Test(arguments: [3, 8, 9, 19]) func duplicateKeysNameBothPlaces(_ key: Int) throws {
    let text = (0..<20).map { "key\($0): 1\n" }.joined() + "key\(key): 2\n"
    let (root, diagnostics) = YAMLReader.read(SourceFile(path: "V1.yaml", text: text))
    let found = try #require(diagnostics.first)
    #expect(found.location?.line == 21)
    #expect(found.related.map(\.location.line) == [key + 1])
    guard case .mapping(let entries) = root?.content else {
      Issue.record("no mapping")
      return
    }
    #expect(entries.count == 20)
  }

  @Test(arguments: ["\n", "\r\n"], ["", "\u{FEFF}"])
  func placesDoNotDependOnLineEndingsAndMark(_ end: String, _ mark: String) throws {
    let lines = ["# first", "é: 'it''s'", "list: [a, \"b\"]", "block: |", "  one", "  two", ""]
    let file = SourceFile(path: "V1.yaml", text: mark + lines.joined(separator: end))
    let (root, diagnostics) = YAMLReader.read(file)
    #expect(diagnostics == [])
    guard case .mapping(let entries)? = root?.content else {
      Issue.record("no mapping")
      return
    }
    #expect(entries.map(\.key) == ["é", "list", "block"])
    #expect(entries.map(\.keyLocation.line) == [2, 3, 4])
    #expect(entries[0].value.scalar == YAMLScalar("it's", style: .quoted))
    #expect(
      entries[0].value.location
        == SourceLocation(file: "V1.yaml", line: 2, column: 4, length: 7))
    guard case .sequence(let items) = entries[1].value.content else {
      Issue.record("no list")
      return
    }
    #expect(items.map(\.scalar?.text) == ["a", "b"])
    #expect(items.map(\.location.column) == [8, 11])
    #expect(entries[1].value.location.length == 8)
    #expect(entries[2].value.scalar == YAMLScalar("one\ntwo\n", style: .block))
  }

  @Test func nothingIsInterpreted() {
    let (root, _) = YAMLReader.read(
      SourceFile(path: "V1.yaml", text: "[no, 1.0, ~, null, 0x1F, 2024-01-01, true, '']"))
    guard case .sequence(let items)? = root?.content else {
      Issue.record("no list")
      return
    }
    #expect(
      items.map(\.scalar?.text)
        == ["no", "1.0", "~", "null", "0x1F", "2024-01-01", "true", ""])
    #expect(items.map(\.scalar?.isNothing).allSatisfy { $0 == false })
  }

  /// 4 MiB of one construct each: anything slower than linear would not finish.
  @Test(
    .enabled(if: Checkout.runsEverything), .timeLimit(.minutes(30)),
    arguments: [
      "a\n", "- a\n", "[a, ", "\"a\" ", "&a ", "*a ", "{a: ", "? ", "'", ": ", "é\n", "\n",
    ]
  )
  func largeFilesEnd(_ piece: String) {
    let count = YAMLReader.largestFile / piece.utf8.count
    let text = String(repeating: piece, count: count)
    let (root, diagnostics) = YAMLReader.read(SourceFile(path: "V1.yaml", text: text))
    #expect(root != nil || diagnostics.hasErrors)
  }

  @Test(arguments: ["\n", "\r\n"]) func reportShowsTheLine(_ end: String) {
    let text = ["a: 1", "b: 2", "\tc: 3", ""].joined(separator: end)
    let file = SourceFile(path: "V1.yaml", text: text)
    let report = TextReport(sources: [file.path: file.text])
      .render(YAMLReader.read(file).diagnostics)
    #expect(report.contains("    3 | \tc: 3\n"))
    #expect(report.hasPrefix("V1.yaml:3:1: error: a tab indents this line"))
  }
}
