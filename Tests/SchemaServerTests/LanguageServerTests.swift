import Foundation
import SchemaModel
import SchemaWorkspace
import Testing

@testable import SchemaServer

/// A session with an editor, message by message.
@Suite struct LanguageServerTests {
  static let first = """
    version: 1.0.0
    summary: First
    models:
      Plant:
        properties:
          id: { type: UUID, unique: true }
          note: String = ""
          garden: { relationship: Garden? }
      Garden:
        properties:
          name: String = ""
          plants: { relationship: "[Plant]", inverse: garden }

    """
  static let second = first.replacing("1.0.0", with: "2.0.0").replacing("First", with: "Second 🌱")
    .replacing("note: String", with: "remark: String")

  /// A server with two versions on its disk, of which the newer one is open.
  final class Session {
    let server: LanguageServer
    private var id = 0
    private(set) var version = 1
    static let uri = "file:///app/Schemas/V2.yaml"
    private(set) var text: String

    init(
      first: String = LanguageServerTests.first, _ text: String = LanguageServerTests.second,
      capabilities: JSONValue = [:], more: [String: String] = [:]
    ) {
      self.text = text
      var files = [
        "/app/Schemas/V1.yaml": first, "/app/Schemas/V2.yaml": LanguageServerTests.second,
      ]
      files.merge(more) { _, new in new }
      let disk = MemoryFiles(files.map { SourceFile(path: $0.key, text: $0.value) })
      server = LanguageServer(
        version: "1", today: CalendarDay("2026-01-01")!, fileSystem: disk)
      _ = request("initialize", ["capabilities": capabilities, "rootUri": "file:///app"])
      notify("initialized", [:])
      notify(
        "textDocument/didOpen",
        [
          "textDocument": [
            "uri": .string(Self.uri), "languageId": "yaml", "version": 1, "text": .string(text),
          ]
        ])
    }

    func request(_ method: String, _ parameters: JSONValue) -> JSONValue {
      id += 1
      let answers = server.receive([
        "jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": parameters,
      ])
      return answers.count == 1 && answers[0]["id"] == .integer(id) ? answers[0] : .null
    }

    func notify(_ method: String, _ parameters: JSONValue) {
      _ = server.receive([
        "jsonrpc": "2.0", "method": .string(method), "params": parameters,
      ])
    }

    func change(to text: String) {
      version += 1
      self.text = text
      notify(
        "textDocument/didChange",
        [
          "textDocument": ["uri": .string(Self.uri), "version": .integer(version)],
          "contentChanges": [["text": .string(text)]],
        ])
    }

    /// The published findings, as `line:character-character rule`, by file.
    func published() -> [String: [String]] {
      var found: [String: [String]] = [:]
      for message in server.pending() {
        let parameters = message["params"]
        let name = parameters?["uri"]?.string?.split(separator: "/").last.map(String.init) ?? ""
        found[name] = parameters?["diagnostics"]?.array?.map { diagnostic in
          let start = diagnostic["range"]?["start"]
          let end = diagnostic["range"]?["end"]
          return
            "\(start?["line"]?.integer ?? -1):\(start?["character"]?.integer ?? -1)-\(end?["character"]?.integer ?? -1) \(diagnostic["code"]?.string ?? "")"
        }
      }
      return found
    }

    /// A request about a place: the start of a text, and a number of characters after it.
    func at(_ text: String, _ offset: Int = 1, _ more: [String: JSONValue] = [:]) -> JSONValue {
      let place = self.text.range(of: text)!.lowerBound
      let before = self.text[..<place]
      let line = before.split(separator: "\n", omittingEmptySubsequences: false)
      return .object(
        [
          "textDocument": ["uri": .string(Self.uri)],
          "position": [
            "line": .integer(line.count - 1),
            "character": .integer(line.last!.utf16.count + offset),
          ],
        ].merging(more) { first, _ in first })
    }

    /// The completions after a text.
    func labels(behind text: String) -> [String] {
      let start = self.text.range(of: text)!.upperBound
      let line = self.text[..<start].split(separator: "\n", omittingEmptySubsequences: false)
      let answer = request(
        "textDocument/completion",
        [
          "textDocument": ["uri": .string(Self.uri)],
          "position": [
            "line": .integer(line.count - 1), "character": .integer(line.last!.utf16.count),
          ],
        ])
      return answer["result"]?.array?.compactMap { $0["label"]?.string } ?? []
    }
  }

  // MARK: Lifecycle

  @Test func lifecycle() {
    let server = LanguageServer(
      version: "1", today: CalendarDay("2026-01-01")!, fileSystem: MemoryFiles())
    func code(_ message: JSONValue) -> Int? {
      server.receive(message).first?["error"]?["code"]?.integer
    }
    #expect(code(["jsonrpc": "2.0", "id": 1, "method": "textDocument/hover"]) == -32002)
    #expect(server.receive(["jsonrpc": "2.0", "method": "textDocument/didOpen"]) == [])
    #expect(code([1, 2]) == -32600)
    #expect(code(["id": 1]) == -32600)
    #expect(code(["id": [], "method": "x"]) == -32600)
    #expect(code(["id": 1, "method": 2]) == -32600)
    let answer = server.receive([
      "jsonrpc": "2.0", "id": "a", "method": "initialize", "params": [:],
    ])
    #expect(answer.first?["id"] == "a")
    #expect(answer.first?["result"]?["capabilities"]?["textDocumentSync"]?["change"] == 1)
    #expect(code(["id": 2, "method": "initialize"]) == -32600)
    #expect(code(["id": 3, "method": "no/such"]) == -32601)
    #expect(code(["id": 4, "method": "textDocument/hover", "params": 7]) == -32602)
    #expect(server.receive(["method": "$/unknown"]) == [])
    #expect(server.receive(["id": 9, "result": .null]) == [])
    #expect(server.receive(["id": 5, "method": "shutdown"]).first?["result"] == .null)
    #expect(code(["id": 6, "method": "textDocument/hover"]) == -32600)
    #expect(server.exitStatus == nil)
    _ = server.receive(["method": "exit"])
    #expect(server.exitStatus == 0)
    let other = LanguageServer(
      version: "1", today: CalendarDay("2026-01-01")!, fileSystem: MemoryFiles())
    _ = other.receive(["method": "exit"])
    #expect(other.exitStatus == 1)
  }

  // MARK: Findings

  @Test func findingsFollowTheText() {
    let session = Session(
      Self.second.replacing(
        "remark: String = \"\"", with: "remark: String = \"\" # 🌱\n      🌱x: Strin"))
    #expect(
      session.published()["V2.yaml"] == ["7:6-9 invalid-name", "7:11-16 unknown-type"])
    session.change(to: Self.second)
    #expect(
      session.published()["V2.yaml"]?.contains("3:2-7 unacknowledged-drop") == true)
    // Findings without changes are not published again.
    #expect(session.published().isEmpty)
    session.change(to: Self.second.replacing("remark: String = \"\"", with: "note: String = \"\""))
    #expect(session.published()["V2.yaml"]?.contains { $0.hasSuffix("drop") } == false)
    session.notify("textDocument/didClose", ["textDocument": ["uri": .string(Session.uri)]])
    #expect(session.published()["V2.yaml"] == [])
  }

  @Test func otherYAMLIsLeftAlone() {
    let session = Session(more: ["/app/compose.yaml": "services: {}\n"])
    _ = session.published()
    session.notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": "file:///app/compose.yaml", "languageId": "yaml", "version": 1, "text": "x: [",
        ]
      ])
    session.notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": "untitled:V1.yaml", "languageId": "yaml", "version": 1, "text": "x: [",
        ]
      ])
    #expect(session.published().isEmpty)
  }

  @Test("Results kept from an earlier lint do not change findings")
  func memoryChangesNothing() {
    let session = Session()
    let variants = [
      Self.second, Self.second.replacing("summary", with: "\nsummary"),
      Self.second.replacing("remark: String", with: "remark: Int"),
      Self.second + "drops: { Plant.note: \"it was never shown\" }\n",
      Self.second.replacing("Garden?", with: "Garden"), "", "version: 2", Self.first,
    ]
    for text in variants + variants.reversed() {
      session.change(to: text)
      let kept = session.server.desk.lint("/app/Schemas")
      let fresh = Linter(
        Linter.Options(today: CalendarDay("2026-01-01")!),
        fileSystem: MemoryFiles([
          SourceFile(path: "/app/Schemas/V1.yaml", text: Self.first),
          SourceFile(path: "/app/Schemas/V2.yaml", text: text),
        ])
      ).run("/app/Schemas")
      #expect(kept?.findings == fresh.findings)
      #expect(kept?.fixes.map(\.fix) == fresh.fixes.map(\.fix))
    }
  }

  // MARK: Reading

  @Test func hoverSaysWhatBecomesOfRows() {
    let session = Session()
    func hover(_ text: String) -> String {
      session.request("textDocument/hover", session.at(text))["result"]?["contents"]?["value"]?
        .string ?? ""
    }
    #expect(
      hover("remark").contains("\n\nlightweight, values defaulted\n\nadd an attribute with a "))
    // An editor's box is small, so the rule and its fact are behind the finding's link.
    #expect(!hover("remark").contains("https://"))
    #expect(hover("garden: {").contains("no change"))
    #expect(hover("inverse") == "")
    #expect(hover("Second") == "")
    session.change(to: Self.second + "drops: { Plant.note: \"nobody saw it\" }\n")
    #expect(hover("Plant.note").contains("lightweight, values **dropped**"))
    #expect(hover("Plant.note").contains("acknowledged: nobody saw it"))
  }

  /// A version with a value type, after one with other names.
  static let types = """
    types:
      Mood: { enum: String, cases: [good, bad] }
      Place: { struct: { city: String } }

    """

  @Test(
    "Names are completed where a key expects one, even in an incomplete line",
    arguments: [
      ("remark: { type: String, renamedFrom:  }", "renamedFrom: ", ["note", "id", "garden"]),
      ("remark: { type: String, renamedFrom: ", "renamedFrom: ", ["note", "id", "garden"]),
      ("remark: { type: String, from: [n", "from: [n", ["note", "id", "garden"]),
      ("remark: { relationship: \"[", "\"[", ["Plant", "Garden"]),
      ("remark: { relationship: Ga }", "Ga", ["Plant", "Garden"]),
      ("remark: { relationship: Garden?, inverse: }", "inverse: ", ["plants"]),
    ])
  func names(line: String, place: String, expected: [String]) {
    let session = Session()
    #expect(session.published()["V2.yaml"] != nil)
    session.change(
      to: Self.second.replacing("remark: String = \"\"", with: line))
    #expect(
      session.labels(behind: String(line[..<line.range(of: place)!.upperBound])) == expected)
  }

  @Test func namesOfOtherPlaces() {
    let session = Session(
      first: Self.first + Self.types,
      Self.second + Self.types.replacing("bad", with: "poor"))
    let text = session.text
    #expect(session.published()["V2.yaml"] != nil)
    func labels(_ more: String, _ place: String) -> [String] {
      session.change(to: text + more)
      return session.labels(behind: place)
    }
    #expect(labels("drops:\n  P\n", "drops:\n  P") == ["Plant.note", "Mood.bad"])
    #expect(labels("drops:\n  Plant.note: x\n  M", "x\n  M") == ["Plant.note", "Mood.bad"])
    #expect(labels("drops: { Mood.bad: { replacedBy: ", "replacedBy: ") == ["good", "poor"])
    #expect(labels("accept: [{ element: ", "element: ").contains("Garden.plants"))
    #expect(labels("accept:\n  - rule: ", "rule: ").contains("missing-inverse"))
    #expect(labels("# dro\n", "# dro").isEmpty)
    // Completions of the user's own names, and those of the JSON Schema.
    #expect(labels("hooks: [b", "[b").isEmpty)
    func edited(_ old: String, _ new: String, _ place: String) -> [String] {
      session.change(to: text.replacing(old, with: new))
      return session.labels(behind: place)
    }
    #expect(edited("inverse: garden", "inverse: ", "inverse: ") == ["garden"])
    #expect(
      edited("inverse: garden", "inverse: garden, sortedBy: ", "sortedBy: ").contains("remark"))
    #expect(edited("remark: String", "remark: Mo", "remark: Mo").prefix(2) == ["Mood", "Place"])
    #expect(edited("city: String", "city: St", "city: St").contains("String"))
    #expect(edited("poor]", "poor: { renamedFrom: } ]", "renamedFrom: ") == ["good", "bad"])
    #expect(
      edited("  Plant:\n", "  Plant:\n    renamedFrom: \n", "renamedFrom: ") == ["Plant", "Garden"])
    #expect(edited("  Plant:\n", "  Plant:\n    unique: [[r]]\n", "[[r").contains("remark"))
    #expect(edited("  Garden:", "  Gar", "  Gar").isEmpty)
  }

  // MARK: Writing

  /// A file's text after the edits of an answer.
  static func applied(_ edit: JSONValue?, to text: String, _ uri: String = Session.uri) -> String? {
    guard let change = edit?["changes"]?[uri]?.array?.first else { return nil }
    let document = DocumentText(text)
    func offset(_ key: String) -> Int {
      let place = change["range"]?[key]
      return document.offset(
        of: DocumentText.Position(
          line: place?["line"]?.integer ?? 0, character: place?["character"]?.integer ?? 0))
    }
    return document.replacing(
      offset("start")..<offset("end"), with: change["newText"]?.string ?? "")
  }

  @Test func answersAreOffered() {
    let session = Session()
    func actions(_ text: String) -> [JSONValue] {
      let place = session.at(text)["position"] ?? .null
      return session.request(
        "textDocument/codeAction",
        [
          "textDocument": ["uri": .string(Session.uri)],
          "range": ["start": place, "end": place], "context": ["diagnostics": []],
        ])["result"]?.array ?? []
    }
    // The answer that keeps all values is offered; the one that loses every value is not.
    let keep = actions("remark")
    #expect(
      keep.map { $0["title"] } == ["keep the values of 'Plant.note': it is 'Plant.remark' now"])
    #expect(keep.first?["isPreferred"] == false)
    #expect(
      Self.applied(keep.first?["edit"], to: session.text)?
        .contains("remark: { type: String, default: '\"\"', renamedFrom: note }") == true)
    session.change(to: Self.second.replacing("summary:", with: "sumary:"))
    let typo = actions("sumary")
    #expect(typo.count == 1)
    #expect(typo.first?["isPreferred"] == true)
    // A changed entry is formatted as in all manifests.
    #expect(
      Self.applied(typo.first?["edit"], to: session.text)
        == session.text.replacing("sumary", with: "summary")
        .replacing("  Garden:\n", with: "\n  Garden:\n")
        .replacing("Garden? }", with: "\"Garden?\" }"))
  }
}
