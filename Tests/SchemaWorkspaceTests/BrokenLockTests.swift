import Foundation
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

@Suite struct BrokenLockTests {
  /// The lines of the entries in a lock of V1 to V4, of which V1 and V2 have shipped.
  private static func lock(_ states: [SchemaLock.State] = [.released, .released, .draft, .draft])
    -> SchemaLock
  {
    var lock = SchemaLock()
    for (index, state) in states.enumerated() {
      lock.entries.append(
        SchemaLock.Entry(
          version: VersionNumber(index + 1), state: state,
          identity: String(repeating: "\(index)", count: 64),
          digest: VersionDigest(
            structure: String(repeating: "a", count: 64), step: String(repeating: "b", count: 64))))
    }
    return lock
  }

  private static let text = lock().text
  private static let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    .map(String.init)

  /// The lines of a version's entry, counted from 1.
  private static func entry(_ number: Int) -> [String] {
    Array(lines[(3 + 6 * (number - 1))..<(3 + 6 * number)])
  }

  private static func text(_ entries: [[String]]) -> String {
    (lines[..<3] + entries.flatMap { $0 } + lines[27...]).joined(separator: "\n")
  }

  private func read(_ text: String) -> [Diagnostic] {
    SchemaLock.read(SourceFile(path: "S/schema.lock", text: text)).diagnostics
  }

  /// The fourth entry as another branch wrote it.
  private static let otherV4: [String] = {
    var other = lock()
    other.entries[3].digest = VersionDigest(
      structure: String(repeating: "c", count: 64), step: String(repeating: "b", count: 64))
    let lines = other.text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines[21..<27].map(String.init)
  }()

  struct Break: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    /// `line:rule`
    var found: [String]
    var message: String
    var help: String
    var testDescription: String { name }
  }

  private static func replacing(_ old: String, _ new: String) -> String {
    guard let range = text.firstRange(of: old) else { return text }
    return text.replacingCharacters(in: range, with: new)
  }

  static let breaks: [Break] = [
    Break(
      name: "empty", text: "", found: ["1:lock-unreadable"], message: "lock",
      help: "git checkout HEAD -- S/schema.lock"),
    Break(
      name: "marks of a merge",
      text: replacing(
        "  - version: 4.0.0", "<<<<<<< HEAD\n  - version: 4.0.0") + "=======\n>>>>>>> topic\n",
      found: ["22:lock-conflict"], message: "'HEAD' and 'topic'", help: "schemagen rebase"),
    Break(
      name: "no YAML", text: replacing("versions:", "versions: ["), found: ["4:lock-unreadable"],
      message: "the lock cannot be read", help: "git checkout"),
    Break(
      name: "no list", text: replacing("versions:", "version:"), found: ["2:lock-unreadable"],
      message: "'versions' is missing", help: "git checkout"),
    Break(
      name: "a format to come", text: replacing("format: 1", "format: 9"),
      found: ["2:lock-format"], message: "lock's format is '9'",
      help: "another release of schemagen wrote the lock"),
    Break(
      name: "half an entry",
      text: text([entry(1), entry(2), Array(entry(3).dropLast()), entry(4)]),
      found: ["16:lock-entry"], message: "3.0.0 is incomplete: 'sum' is missing",
      help: "git checkout"),
    Break(
      name: "no state", text: replacing("state: draft", "state: shipped"),
      found: ["17:lock-entry"], message: "neither draft nor released", help: "git checkout"),
    Break(
      name: "two branches each added V4", text: text((1...4).map(entry) + [otherV4]),
      found: ["28:lock-duplicate"], message: "two branches each added it",
      help: "schemagen rebase"),
    Break(
      name: "out of order", text: text([entry(1), entry(3), entry(2), entry(4)]),
      found: ["16:lock-order", "17:lock-state-order"],
      message: "V2 is listed after V3", help: "git checkout"),
    Break(
      name: "edited by hand", text: replacing("identity: 2222", "identity: 2322"),
      found: ["21:lock-edited"], message: "the entry of V3", help: "git checkout"),
    Break(
      name: "a sum edited by hand", text: replacing("sum: ", "sum: 0"),
      found: ["9:lock-edited"], message: "the entry of V1", help: "git checkout"),
    Break(
      name: "a mark set by hand, after a draft",
      text: text([entry(1), entry(2), entry(3), entry(4)]).replacingLast(
        "state: draft", "state: released"),
      found: ["23:lock-state-order", "27:lock-edited"], message: "V3 before it has not",
      help: "schemagen release V4"),
  ]

  @Test("Each kind of damage to a lock has its own rule, place and help", arguments: breaks)
  func one(_ broken: Break) throws {
    let found = read(broken.text)
    #expect(
      Set(found.map { "\($0.location?.line ?? 0):\($0.rule.id)" }) == Set(broken.found),
      "\(found.map { "\($0.location?.line ?? 0) \($0.rule.id) \($0.message)" })")
    #expect(found.contains { $0.message.contains(broken.message) })
    #expect(found.contains { $0.help.joined().contains(broken.help) })
    #expect(found.allSatisfy { $0.location?.file == "S/schema.lock" && !$0.help.isEmpty })
  }

  @Test("All damage to a lock is reported at once")
  func all() {
    let half = Array(Self.entry(2).dropLast())
    var edited = Self.entry(1)
    edited[2] = edited[2].replacing("0000", with: "0100")
    let text = Self.text([edited, half, Self.entry(3), Self.entry(4), Self.otherV4])
    #expect(
      Set(read(text).map(\.rule.id)) == [
        "lock-edited", "lock-entry", "lock-duplicate",
      ])
  }

  @Test("Each conflict marker in a lock is reported")
  func conflicts() {
    let mark = "<<<<<<< HEAD\n=======\n>>>>>>> topic\n"
    #expect(read(mark + Self.text + mark).map(\.location?.line) == [1, 31])
  }

  @Test("An intact lock has no findings, even with a draft whose manifest was removed")
  func whole() throws {
    #expect(read(Self.text).isEmpty)
    let disk = MemoryDisk(["S/V1.yaml": GenerationTests.v1, "S/V2.yaml": GenerationTests.v2])
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    disk["S/V2.yaml"] = nil
    #expect(GenerationPipeline(fileSystem: disk).run("S").diagnostics.isEmpty)
  }

  @Test("A broken lock prevents generation from writing files")
  func stops() throws {
    let disk = MemoryDisk(["S/V1.yaml": GenerationTests.v1])
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    disk["S/schema.lock"] = ""
    let generation = GenerationPipeline(fileSystem: disk).run("S")
    #expect(generation.isMalformed && generation.changes.isEmpty)
  }
}

extension String {
  fileprivate func replacingLast(_ old: String, _ new: String) -> String {
    guard let range = ranges(of: old).last else { return self }
    return replacingCharacters(in: range, with: new)
  }
}
