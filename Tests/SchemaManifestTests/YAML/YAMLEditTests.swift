import SchemaManifest
import SchemaModel
import Testing

/// Edits change only what they name; everything else keeps its meaning, order and comments.
@Suite struct YAMLEditTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var before: String
    var edits: [YAMLEdit]
    /// Nil if the edits are refused.
    var after: String?

    var testDescription: String { name }

    init(_ name: String, _ before: String, _ edits: YAMLEdit..., after: String?) {
      self.name = name
      self.before = before
      self.edits = edits
      self.after = after
    }
  }

  static let cases: [Case] = [
    Case(
      "a key goes with its comments", "# of a\na: 1 # one\nb: 2\n", .remove(["a"]),
      after: "# of a\nb: 2\n"),
    Case(
      "a key with what is below it", "a:\n  x: 1 # x\n  y: 2\n# of b\nb: 2\n", .remove(["a"]),
      after: "# of b\nb: 2\n"),
    Case(
      "the last key of an inner mapping takes the outer one along", "a:\n  x: 1\nb: 2\n",
      .remove(["a", "x"]), after: "b: 2\n"),
    Case("the only key of the file stays", "a: 1\n", .remove(["a"]), after: nil),
    Case(
      "a key of a flow mapping", "m: { a: 1, b: '}' } # why\n", .remove(["m", "a"]),
      after: "# why\nm: { b: \"}\" }\n"),
    Case(
      "an item of a block list", "l:\n  # of a\n  - a\n  - b: 1\n    c: 2\n  - d # of d\n",
      .remove(["l", .index(1)]), after: "l:\n  # of a\n  - a\n  # of d\n  - d\n"),
    Case(
      "an item of a flow list", "l: [a, [b, c], d]\n", .remove(["l", .index(1)]),
      after: "l: [a, d]\n"),
    Case(
      "the first key of an item, whose comments stand above the dash",
      "l:\n  - a: 1\n    # of b\n    b:\n      c: 2\n", .remove(["l", .index(0), "a"]),
      after: "l:\n  # of b\n  - b:\n      c: 2\n"),
    Case(
      "a value", "a: 'one' # says who\nb: 2\n", .set(["a"], to: "two"),
      after: "# says who\na: two\nb: 2\n"),
    Case(
      "a value of several lines", "a: |\n  x\n  y\nb: |\n  one\n   two\n", .set(["a"], to: "'1'"),
      after: "a: \"1\"\nb: |\n  one\n   two\n"),
    Case(
      "what is in a value that is replaced leaves its comments",
      "a:\n  b: 1 # of b\n", .set(["a"], to: "[]"), after: "# of b\na: []\n"),
    Case("a key's name", "a: 1\n", .renameKey(["a"], to: "b"), after: "b: 1\n"),
    Case("a name that is taken", "a: 1\nb: 2\n", .renameKey(["a"], to: "b"), after: nil),
    Case(
      "a new key, block", "m:\n  a: 1 # one\n\n  # two\n  b: 2\nn: 3\n",
      .set(["m", "c"], to: "4"),
      after: "m:\n  # one\n  a: 1\n\n  # two\n  b: 2\n  c: 4\nn: 3\n"),
    Case(
      "a new key, flow over lines", "m: {\n  a: 1 # one\n}\n", .set(["m", "b"], to: "2"),
      after: "m:\n  # one\n  a: 1\n  b: 2\n"),
    Case("what is not YAML", "a: 1\n", .set(["a"], to: "{"), after: nil),
    Case("what is not there", "a: 1\n", .remove(["b"]), after: nil),
    Case(
      "all or nothing", "a: 1\nb: 2\nc: 3\n", .remove(["a"]), .remove(["x"]), after: nil),
    Case(
      "what goes with something else goes once", "a:\n  x: 1\n  y: 2\nb: 2\n", .remove(["a"]),
      .remove(["a", "x"]), after: "b: 2\n"),
    Case(
      "all that something holds", "a:\n  x: 1 # one\n  y: 2\nb: 2\n", .remove(["a", "x"]),
      .remove(["a", "y"]), after: "b: 2\n"),
    Case(
      "items of one list", "a:\n  l: [x, y, z]\nb: 2\n",
      .remove(["a", "l", .index(0)]), .remove(["a", "l", .index(1)]),
      after: "a:\n  l: [z]\nb: 2\n"),
    Case(
      "an item and what is in one before it", "l:\n  - a: 1\n  - b: 1\n  - c: 1\n",
      .remove(["l", .index(0), "a"]), .remove(["l", .index(1)]), after: "l:\n  - c: 1\n"),
    Case(
      "two that touch one another", "a: 1\nb: 2\n", .set(["a"], to: "3"), .set(["a"], to: "4"),
      after: nil),
    Case(
      "one that touches what another replaces", "a: { b: 1, c: 2 }\n", .set(["a"], to: "3"),
      .remove(["a", "b"]), after: nil),
    Case(
      "emoji, CRLF, a byte order mark", "\u{FEFF}m: { \"😀\": 1, b: 2 }\r\nn: 3\r\n",
      .set(["m", "b"], to: "4"), after: "m: { 😀: 1, b: 4 }\r\nn: 3\r\n"),
    Case(
      "above the first key and after the last", "# top\n\na: 1\nb:\n# the end\n",
      .set(["a"], to: "2"), after: "# top\na: 2\nb:\n# the end\n"),
    Case("a key that is there twice", "a: 1\na: 2\n", .set(["a"], to: "3"), after: nil),
  ]

  @Test(arguments: cases) func edits(_ example: Case) throws {
    let file = SourceFile(path: "x.yaml", text: example.before)
    #expect(YAMLDocument(file)?.applying(example.edits)?.text == example.after)
  }

  @Test func comments() {
    let file = SourceFile(
      path: "x.yaml",
      text: """
        # schemagen:one
        a: "# schemagen:no" # schemagen:two
        b: |
          # schemagen:no
        c: x#schemagen:no

        # another
        # schemagen:three
        """)
    let comments = YAMLComments.beginning(with: "schemagen:", in: file)
    #expect(comments.map(\.text) == ["schemagen:one", "schemagen:two", "schemagen:three"])
    #expect(comments.map(\.location.line) == [1, 2, 8])
    #expect(comments.map(\.location.column) == [1, 21, 1])
    #expect(comments.map(\.subject) == [2, 2, nil])
    #expect(comments.map(\.isAlone) == [true, false, true])
  }

  @Test func pathsLeadToWhatStandsThere() throws {
    let file = SourceFile(path: "x.yaml", text: "a: { b: [x, y] }\nc: 1\n")
    let root = try #require(YAMLReader.read(file).root)
    let places = YAMLPlaces(root)
    func path(_ line: Int, _ column: Int) -> YAMLPath? {
      places.path(to: SourceLocation(file: "x.yaml", line: line, column: column))
    }
    #expect(path(1, 6) == ["a", "b"])
    #expect(path(1, 13) == ["a", "b", .index(1)])
    #expect(path(2, 4) == ["c"])
    #expect(path(3, 1) == nil)
  }
}
