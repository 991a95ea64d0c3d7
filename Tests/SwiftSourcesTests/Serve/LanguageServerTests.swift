import Foundation
import SchemaModel
import SchemaWorkspace
import Testing

@testable import SwiftSources

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

  /// A server with two versions on its disk, and the newer one open.
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

    /// The findings that are published, as `line:character-character rule`, by file.
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

    /// A request about a place: where a text begins, and so many characters behind that.
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

    func labels(_ text: String, _ offset: Int) -> [String] {
      request("textDocument/completion", at(text, offset))["result"]?.array?.compactMap {
        $0["label"]?.string
      } ?? []
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
    #expect(answer.first?["result"]?["capabilities"]?["positionEncoding"] == "utf-16")
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
    // Nothing new is said twice.
    #expect(session.published().isEmpty)
    session.change(to: Self.second.replacing("remark: String = \"\"", with: "note: String = \"\""))
    #expect(session.published()["V2.yaml"]?.contains { $0.hasSuffix("drop") } == false)
    session.notify("textDocument/didClose", ["textDocument": ["uri": .string(Session.uri)]])
    #expect(session.published()["V2.yaml"] == [])
  }

  @Test func incrementalChangesCountAsTheEditorDoes() {
    for (encoding, character) in [("utf-16", 18), ("utf-8", 20)] {
      let session = Session(
        capabilities: ["general": ["positionEncodings": [.string(encoding)]]])
      session.notify(
        "textDocument/didChange",
        [
          "textDocument": ["uri": .string(Session.uri), "version": 2],
          "contentChanges": [
            [
              "range": [
                "start": ["line": 1, "character": .integer(character)],
                "end": ["line": 1, "character": .integer(character)],
              ], "text": "!",
            ],
            [
              "range": [
                "start": ["line": 0, "character": 9], "end": ["line": 0, "character": 10],
              ], "text": "3",
            ],
          ],
        ])
      let text = session.server.desk.document("/app/Schemas/V2.yaml")?.text.text
      #expect(text?.hasPrefix("version: 3.0.0\nsummary: Second 🌱!\n") == true)
    }
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

  @Test("What was kept from before changes no finding")
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
    #expect(hover("remark").contains("defaulted, lightweight: add an attribute with a default"))
    #expect(hover("garden: {").contains("no change"))
    #expect(hover("inverse").contains("The relationship at the other end"))
    #expect(hover("Plant:").contains("rules/unacknowledged-drop.md"))
    #expect(hover("Second") == "")
    session.change(to: Self.second + "drops: { Plant.note: \"nobody saw it\" }\n")
    #expect(hover("Plant.note").contains("dropped, lightweight"))
    #expect(hover("Plant.note").contains("Acknowledged: nobody saw it."))
  }

  @Test func definitionsAreInTheVersionBefore() {
    let generated =
      "// Generated by schemagen from V2.yaml. Do not edit.\n\nfinal class Plant {\n  var remark: String\n}\n"
    let session = Session(
      Self.second.replacing(
        "remark: String = \"\"", with: "remark: { type: String, renamedFrom: note }"),
      more: ["/app/Schemas/Generated/SchemaV2.swift": generated])
    func places(_ text: String, _ offset: Int = 1) -> [String] {
      session.request("textDocument/definition", session.at(text, offset))["result"]?.array?.map {
        "\($0["uri"]?.string?.split(separator: "/").last ?? ""):\($0["range"]?["start"]?["line"]?.integer ?? -1)"
      } ?? []
    }
    #expect(places("remark") == ["V1.yaml:6", "SchemaV2.swift:3"])
    #expect(places("note") == ["V1.yaml:6"])
    #expect(places("Garden?") == ["V2.yaml:8"])
    #expect(places("inverse: garden", 10) == ["V2.yaml:7"])
    #expect(places("version") == [])
  }

  @Test func completionKnowsThePlace() {
    let session = Session(Self.second)
    func labels(_ text: String, _ place: String, _ offset: Int) -> [String] {
      session.change(to: text)
      return session.labels(place, offset)
    }
    let property = "remark: String = \"\""
    let keys = labels(
      Self.second.replacing(property, with: "remark: { type: String, ren }"), "ren }", 3)
    #expect(keys.contains("renamedFrom") && !keys.contains("type") && !keys.contains("inverse"))
    #expect(
      labels(
        Self.second.replacing(property, with: "remark: { type: String, renamedFrom:  }"),
        "renamedFrom:  }", 13
      ).first == "note")
    #expect(
      labels(Self.second.replacing(property, with: "remark: "), "remark: ", 8).contains("UUID"))
    #expect(
      labels(Self.second.replacing("inverse: garden", with: "inverse: "), "inverse: ", 9) == [
        "garden"
      ])
    #expect(labels(Self.second + "drops:\n  ", "drops:\n  ", 9) == [])
    session.change(to: Self.second + "drops:\n  P\n")
    #expect(session.labels("  P\n", 3) == ["Plant.note"])
    #expect(
      labels(Self.second + "accept:\n  - rule: \n", "rule: \n", 6).contains("missing-inverse"))
    let expected = labels(Self.second + "expect:\n  - co\n", "- co", 4)
    #expect(expected.contains("count(Plant) is unchanged"))
    #expect(expected.contains("no Garden without plants"))
    #expect(labels(Self.second + "hooks: [b]\n", "[b]", 2) == ["before", "after"])
    #expect(labels(Self.second + "# dro\n", "# dro", 5) == [])
  }

  // MARK: Writing

  /// The text after the edits of an answer for one file.
  static func applied(_ edit: JSONValue?, to text: String, _ uri: String = Session.uri) -> String? {
    let changes =
      edit?["changes"]?[uri]?.array
      ?? edit?["documentChanges"]?.array?.first { $0["textDocument"]?["uri"]?.string == uri }?[
        "edits"]?
      .array
    guard let change = changes?.first else { return nil }
    let document = DocumentText(text)
    func offset(_ key: String) -> Int {
      let place = change["range"]?[key]
      return document.offset(
        of: DocumentText.Position(
          line: place?["line"]?.integer ?? 0, character: place?["character"]?.integer ?? 0), .utf16)
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
    // The answer that loses nothing is offered; the one that loses every value is not.
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
    #expect(
      Self.applied(typo.first?["edit"], to: session.text)
        == session.text.replacing("sumary", with: "summary"))
  }

  @Test func renamesGoThroughOpenVersions() {
    let session = Session(Self.first.replacing("1.0.0", with: "2.0.0"))
    let answer = session.request("textDocument/rename", session.at("note", 1, ["newName": "words"]))
    let edit = answer["result"]
    #expect(Self.applied(edit, to: session.text)?.contains("words: String") == true)
    #expect(
      Self.applied(edit, to: Self.first, "file:///app/Schemas/V1.yaml")?.contains("words: String")
        == true)
    let both = session.request(
      "textDocument/rename", session.at("garden: {", 1, ["newName": "bed"]))
    #expect(Self.applied(both["result"], to: session.text)?.contains("inverse: bed") == true)
    for name in ["", "1a", "a b", "a.b", "id"] {
      let refused = session.request(
        "textDocument/rename", session.at("note", 1, ["newName": .string(name)]))
      #expect(refused["error"]?["code"] == -32803, "\(name) \(refused)")
    }
  }

  @Test func renamesReachWhatIsExpected() {
    let expected = """
      expect:
        - count(Plant) is unchanged
        - no Plant without note
        - no Garden without plants
        - Plant: new.note == old.note && "new.note" != new.note

      """
    let text = Self.first.replacing("1.0.0", with: "2.0.0") + expected
    func renamed(_ place: String, _ name: String, first: String = Self.first) -> String? {
      let session = Session(first: first, text)
      let answer = session.request(
        "textDocument/rename", session.at(place, 1, ["newName": .string(name)]))
      return Self.applied(answer["result"], to: text).map {
        String($0[($0.range(of: "expect:")?.lowerBound ?? $0.startIndex)...])
      }
    }
    #expect(
      renamed("note:", "words") == """
        expect:
          - count(Plant) is unchanged
          - no Plant without words
          - no Garden without plants
          - Plant: new.words == old.words && "new.note" != new.words

        """)
    #expect(
      renamed("note:", "words", first: Self.first + "identity: shipped\n")?
        .contains("- Plant: new.words == old.note && \"new.note\" != new.words") == true)
    #expect(
      renamed("Plant:", "Herb") == """
        expect:
          - count(Herb) is unchanged
          - no Herb without note
          - no Garden without plants
          - Herb: new.note == old.note && "new.note" != new.note

        """)
    #expect(renamed("plants:", "herbs")?.contains("- no Garden without herbs") == true)
  }

  @Test func whatHasShippedIsNeverEdited() {
    // Adopted versions have shipped.
    let shipped = Self.first + "identity: shipped\n"
    let session = Session(first: shipped, Self.first.replacing("1.0.0", with: "2.0.0"))
    let answer = session.request("textDocument/rename", session.at("note", 1, ["newName": "words"]))
    #expect(
      Self.applied(answer["result"], to: session.text)?
        .contains("words: { type: String, default: '\"\"', renamedFrom: note }") == true)
    #expect(Self.applied(answer["result"], to: shipped, "file:///app/Schemas/V1.yaml") == nil)
    session.notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": "file:///app/Schemas/V1.yaml", "languageId": "yaml", "version": 1,
          "text": .string(shipped),
        ]
      ])
    let refused = session.request(
      "textDocument/rename",
      [
        "textDocument": ["uri": "file:///app/Schemas/V1.yaml"],
        "position": ["line": 6, "character": 7], "newName": "words",
      ])
    #expect(refused["error"]?["message"]?.string?.contains("rename it in V2") == true)
  }
}
