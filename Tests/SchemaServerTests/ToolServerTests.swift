import Foundation
import Testing

@testable import SchemaServer

/// A session with a coding agent: the commands that run, and the answers.
@Suite struct ToolServerTests {
  /// A server in `/app`, and the commands that it has run.
  final class Session {
    private(set) var commands: [[String]] = []
    var outcome = ToolServer.Outcome(status: 0, output: "{\"format\":1}", errors: "")
    /// The folders whose classes differ from their manifests.
    var moved: [String] = []
    private var server: ToolServer?

    init(isInitialized: Bool = true) {
      server = ToolServer(version: "1") { path in
        if path == "gone" || path == "origin/main" { return nil }
        if path == "link" { return "/elsewhere" }
        let url = URL(filePath: path, relativeTo: URL(filePath: "/app/"))
        return path.isEmpty ? "/app" : url.standardizedFileURL.path
      } run: { [unowned self] arguments in
        commands.append(arguments)
        return outcome
      } moved: { [unowned self] in
        moved
      }
      if isInitialized { _ = request("initialize", ["protocolVersion": "2025-06-18"]) }
    }

    func request(_ method: String, _ parameters: JSONValue = [:]) -> JSONValue {
      server?.receive(["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": parameters])
        .first ?? .null
    }

    func call(_ tool: String, _ arguments: JSONValue = [:]) -> JSONValue {
      request("tools/call", ["name": .string(tool), "arguments": arguments])
    }
  }

  @Test func versionsAreNegotiated() {
    for (wanted, spoken) in [
      ("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25"),
    ] {
      let answer = Session(isInitialized: false).request(
        "initialize", ["protocolVersion": .string(wanted)])
      #expect(answer["result"]?["protocolVersion"]?.string == spoken)
    }
    let session = Session(isInitialized: false)
    #expect(session.request("ping")["result"] == [:])
    #expect(session.request("tools/list")["error"]?["code"] == -32002)
  }

  @Test func commandsGetWhatWasGiven() {
    let session = Session()
    _ = session.call("what_changed", ["from": "V1", "schemas": ["Schemas/A", "Schemas/B"]])
    _ = session.call("diagnose_store", ["store": "a.store"])
    _ = session.call("explain", ["rule": "--write"])
    _ = session.call("rehearse", ["stepsOnly": true, "store": "a.store"])
    _ = session.call("check", ["against": "origin/main", "paths": ["App"]])
    #expect(
      session.commands == [
        ["diff", "--schemas=Schemas/A", "--schemas=Schemas/B", "--from=V1", "--format=json"],
        ["doctor", "--format=json", "--", "a.store"],
        ["explain", "--", "--write"],
        ["rehearse", "--steps-only", "--store=a.store", "--format=json"],
        ["check", "--against=origin/main", "--format=json", "--", "App"],
      ])
  }

  @Test func whoReadsManifestsHearsOfClassesThatHaveMovedOn() {
    let session = Session()
    func words(_ tool: String, _ arguments: JSONValue = [:]) -> String {
      (session.call(tool, arguments)["result"]?["content"]?.array ?? [])
        .compactMap { $0["text"]?.string }.joined()
    }
    #expect(!words("what_changed").contains("snapshot"))
    session.moved = ["App/Schemas"]
    for tool in ["what_changed", "rehearse"] {
      #expect(words(tool).contains("run 'schemagen snapshot --schemas App/Schemas'"))
    }
    // 'check' says so itself.
    #expect(!words("check").contains("snapshot"))
    #expect(!words("explain", ["rule": "x"]).contains("snapshot"))
  }

  @Test func noToolWrites() {
    let session = Session()
    let writing: Set = [
      "approve", "release", "baseline", "generate", "init", "new-version", "adopt", "snapshot",
      "rebase", "hook", "trace",
    ]
    for tool in AgentTool.all { #expect(!writing.contains(tool.command)) }
    let options = Set(AgentTool.all.flatMap { $0.parameters.compactMap(\.option) })
    #expect(
      options == ["--schemas", "--from", "--to", "--against", "--store", "--steps-only"])
    #expect(session.call("release")["error"]?["code"] == -32602)
    #expect(session.commands.isEmpty)
  }

  @Test(
    "A tool call with wrong arguments is reported and runs nothing",
    arguments: [
      ("what_changed", ["schemas": ["../other"]]), ("what_changed", ["schemas": ["/etc"]]),
      ("what_changed", ["schemas": ["link"]]), ("what_changed", ["schemas": ["gone"]]),
      ("what_changed", ["schemas": "Schemas"]), ("what_changed", ["form": "V1"]),
      ("what_becomes_of_the_data", ["store": "../x.store"]), ("what_becomes_of_the_data", [:]),
      ("rehearse", ["stepsOnly": "yes"]), ("explain", ["rule": 1]), ("check", [1]),
      ("check", ["paths": ["/etc/passwd"]]), ("check", ["against": "/etc"]),
      ("diagnose_store", ["store": "/etc/passwd"]), ("diagnose_store", ["store": "a.store\0b"]),
      ("what_changed", ["from": "V1\0"]), ("check", ["paths": ["App\0"]]),
      ("explain", ["rule": ""]), ("check", ["paths": [""]]),
    ] as [(String, JSONValue)])
  func misuse(tool: String, arguments: JSONValue) {
    let session = Session()
    let answer = session.call(tool, arguments)
    #expect(answer["result"]?["isError"] == true, "\(answer)")
    #expect(session.commands.isEmpty)
  }

  @Test func resultsAreWhatTheJSONSays() {
    let session = Session()
    session.outcome = ToolServer.Outcome(status: 1, output: "{\"a\":[1]}\n", errors: "a note")
    let findings = session.call("check")["result"]
    #expect(findings?["structuredContent"] == ["a": [1]])
    #expect(findings?["isError"] == false)
    #expect(
      findings?["content"]?.array?.compactMap { $0["text"]?.string } == ["{\"a\":[1]}\n", "a note"])
    session.outcome = ToolServer.Outcome(status: 2, output: "", errors: "schemagen: no")
    let refused = session.call("check")["result"]
    #expect(refused?["isError"] == true)
    #expect(refused?["structuredContent"] == nil)
    session.outcome = ToolServer.Outcome(status: 0, output: "{}", errors: "")
    #expect(session.call("explain", ["rule": "x"])["result"]?["structuredContent"] == nil)
  }
}
