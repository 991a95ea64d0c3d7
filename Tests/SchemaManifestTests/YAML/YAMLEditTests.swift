import SchemaManifest
import SchemaModel
import Testing

/// Edits change what they name, and nothing else of the text.
@Suite struct YAMLEditTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var before: String
    var edits: [YAMLEdit]
    /// Nil where the edits are refused.
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
      "a key of a block mapping", "a: 1 # one\nb: 2\n", .remove(["a"]), after: "b: 2\n"),
    Case(
      "a key with what is below it", "a:\n  x: 1\n  y: 2\n# of b\nb: 2\n", .remove(["a"]),
      after: "# of b\nb: 2\n"),
    Case(
      "the last key of an inner mapping takes the outer one along", "a:\n  x: 1\nb: 2\n",
      .remove(["a", "x"]), after: "b: 2\n"),
    Case("the only key of the file stays", "a: 1\n", .remove(["a"]), after: nil),
    Case(
      "a key of a flow mapping, first", "m: { a: 1, b: 2 } # why\n", .remove(["m", "a"]),
      after: "m: { b: 2 } # why\n"),
    Case(
      "a key of a flow mapping, last", "m: { a: 1, b: '}' }\n", .remove(["m", "b"]),
      after: "m: { a: 1 }\n"),
    Case(
      "an item of a block list", "l:\n  - a\n  - b: 1\n    c: 2\n  - d\n",
      .remove(["l", .index(1)]), after: "l:\n  - a\n  - d\n"),
    Case(
      "an item of a flow list", "l: [a, [b, c], d]\n", .remove(["l", .index(1)]),
      after: "l: [a, d]\n"),
    Case(
      "the first key of a list's item", "l:\n  - a: 1\n    b: 2\n", .remove(["l", .index(0), "a"]),
      after: "l:\n  - b: 2\n"),
    Case(
      "a value", "a: 'one' # says who\n", .replace(["a"], with: "two"),
      after: "a: two # says who\n"),
    Case(
      "a value of several lines stays", "a: |\n  x\n  y\n", .replace(["a"], with: "z"), after: nil),
    Case("a flow mapping", "a: { b: 1 } # c\n", .replace(["a"], with: "[]"), after: "a: [] # c\n"),
    Case("a block mapping stays", "a:\n  b: 1\n", .replace(["a"], with: "[]"), after: nil),
    Case("a key's name", "a: 1\n", .renameKey(["a"], to: "b"), after: "b: 1\n"),
    Case(
      "a new key, block", "m:\n  a: 1 # one\n\n  # two\n  b: 2\nn: 3\n",
      .add(key: "c", value: "4", to: ["m"]),
      after: "m:\n  a: 1 # one\n\n  # two\n  b: 2\n  c: 4\nn: 3\n"
    ),
    Case(
      "a new key at the end of a file without a break", "m:\n  a: 1",
      .add(key: "b", value: "2", to: ["m"]), after: "m:\n  a: 1\n  b: 2\n"),
    Case(
      "a new key, flow", "m: { a: \"}\", b: 2 }\n", .add(key: "c", value: "4", to: ["m"]),
      after: "m: { a: \"}\", b: 2, c: 4 }\n"),
    Case(
      "a new key, flow over lines", "m: {\n  a: 1 # one\n}\n",
      .add(key: "b", value: "2", to: ["m"]), after: "m: { b: 2,\n  a: 1 # one\n}\n"),
    Case(
      "what is not there", "a: 1\n", .remove(["b"]), after: nil),
    Case(
      "all or nothing", "a: 1\nb: 2\nc: 3\n", .remove(["a"]), .remove(["x"]), after: nil),
    Case(
      "what goes with something else goes once", "a:\n  x: 1\n  y: 2\nb: 2\n", .remove(["a"]),
      .remove(["a", "x"]), after: "b: 2\n"),
    Case(
      "all that something holds", "a:\n  x: 1 # one\n  y: 2\nb: 2\n", .remove(["a", "x"]),
      .remove(["a", "y"]), after: "b: 2\n"),
    Case(
      "all items of a list in a mapping", "a:\n  l: [x, y]\nb: 2\n",
      .remove(["a", "l", .index(0)]),
      .remove(["a", "l", .index(1)]), after: "b: 2\n"),
    Case(
      "two that touch one another", "a: 1\nb: 2\n", .replace(["a"], with: "3"),
      .replace(["a"], with: "4"), after: nil),
    Case(
      "emoji before the place, CRLF, a byte order mark",
      "\u{FEFF}m: { \"😀\": 1, b: 2 }\r\nn: 3\r\n", .replace(["m", "b"], with: "4"),
      after: "\u{FEFF}m: { \"😀\": 1, b: 4 }\r\nn: 3\r\n"),
  ]

  @Test(arguments: cases) func edits(_ example: Case) throws {
    let file = SourceFile(path: "x.yaml", text: example.before)
    let root = try #require(YAMLReader.read(file).root)
    var editor = YAMLEditor(file, root: root)
    #expect(editor.apply(example.edits) == (example.after != nil))
    #expect(editor.result == example.after ?? example.before)
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
