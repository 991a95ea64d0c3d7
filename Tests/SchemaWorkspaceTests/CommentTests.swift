import Foundation
import SchemaEvolution
import SchemaModel
import TestSupport
import Testing

@testable import SchemaWorkspace

/// The comment in a pull request: whole ones as they are kept in `Comments`, and what holds of any.
@Suite struct CommentTests {
  static let v1 = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
          days: Int?
          notes: String?

    """
  static let v2 = """
    version: 2.0.0
    summary: Trips have a title
    models:
      Trip:
        properties:
          title: { type: String, renamedFrom: name }
          days: { type: Int, fill: 1 }
          seats: Int = 1
      Stop:
        properties:
          place: String
    drops: { Trip.notes: nobody wrote any }

    """

  /// A folder that was generated, and of which as many versions have shipped.
  private static func write(
    _ manifests: [String], released: Int, in path: String, _ disk: MemoryDisk
  ) throws {
    for (index, text) in manifests.enumerated() { disk["\(path)/V\(index + 1).yaml"] = text }
    try GenerationPipeline(fileSystem: disk).run(path).write(to: disk)
    guard released > 0 else { return }
    try ReleaseMarking.prepare(path, upTo: VersionNumber(released), fileSystem: disk).write(
      to: disk)
  }

  /// What a folder says of itself beside what it was; the first version has shipped.
  static func report(
    _ before: [String], _ after: [String], in path: String = "Schemas"
  ) throws -> BaseReport {
    let disk = MemoryDisk()
    try write(before, released: before.isEmpty ? 0 : 1, in: path, disk)
    let base = try ComparisonBase(
      name: "origin/main (merge base 1a2b3c4)", path: path, isRelease: false, commit: "1a2b3c4d5e",
      fileSystem: MemoryDisk(disk.files))
    for (index, text) in after.enumerated() { disk["\(path)/V\(index + 1).yaml"] = text }
    return BaseReport(path, base: base, fileSystem: disk)
  }

  static let command = "schemagen diff --against origin/main"

  static func comment(_ reports: BaseReport...) -> PullRequestComment {
    PullRequestComment(reports.map { PullRequestComment.Folder($0) }, command: command)
  }

  /// What stores say of the first change of each kind in the only step.
  static func measurements(
    _ report: BaseReport, _ store: String, _ findings: [ChangeKind: RowMeasurements.Finding],
    notes: [String] = []
  ) throws -> RowMeasurements {
    let changes = try #require(report.evolution?.steps.first?.changes)
    return RowMeasurements(
      store: store, version: VersionNumber(1), notes: notes,
      findings: [0: changes.map { findings[$0.kind] }])
  }

  private static func measured() throws -> PullRequestComment {
    let report = try report(
      [v1], [v1, v2.replacing("drops: { Trip.notes: nobody wrote any }", with: "")])
    func notes(_ rows: Int64, _ of: Int) -> RowMeasurements.Finding {
      rows == 0
        ? .init(.kept, "no row has a value", rows: 0)
        : .init(
          .lost, "\(rows) of \(of) rows have a value, which is dropped", rows: rows,
          examples: ["Trip 1", "Trip 3"])
    }
    let filled = RowMeasurements.Finding(
      .handled, "1 of 12 rows holds nil: 'fill' takes its place", rows: 1, examples: ["Trip 9"])
    let folder = PullRequestComment.Folder(
      report,
      measurements: [
        try measurements(
          report, "ipad/default.store",
          [.attributeRemoved: notes(10, 12), .attributeMadeRequiredFilled: filled]),
        try measurements(report, "empty.store", [.attributeRemoved: notes(0, 0)]),
        try measurements(
          report, "iphone/default.store", [.attributeRemoved: notes(2, 5)],
          notes: ["damaged: page 3 is never used"]),
      ])
    return PullRequestComment(
      [folder], command: command,
      unmeasured: [
        .init(name: "README.md", reason: "it is not a SQLite database", isStore: false),
        .init(name: "broken.store", reason: "the file was cut off after 4096 bytes", isStore: true),
        .init(name: "other.store", reason: "it matches none of the versions", isStore: true),
      ])
  }

  /// Names, reasons and paths that would be markup, mentions and ends of what stands around them.
  static let hostileTexts = [
    "@ada #12 GH-12 org/app#7 https://example.org www.example.org ada@example.org !3 ~bug %\"1.0\"",
    "| a | b |", "</details></table><img src=x onerror=alert(1)>", "--> <!-- <script>",
    "```\n```mermaid\nflowchart", "**bold** [a](b) ![c](d) _e_ ~~f~~ $g$ `h`",
    "\\| \\` \u{202E}rtl\u{200B}",
    "one\ntwo\r\n\r\n# three\n- four\n/close",
  ]

  private static func hostile() throws -> PullRequestComment {
    // As YAML in double quotes reads them back.
    let texts = try hostileTexts.map {
      String(decoding: try JSONEncoder().encode($0), as: UTF8.self).replacing("\\/", with: "/")
    }
    let names = texts.indices.map { "p\($0)" }
    let old =
      "version: 1.0.0\nmodels:\n  Trip:\n    properties:\n      id: Int\n"
      + names.map { "      \($0): Int?\n" }.joined()
    let new =
      "version: 2.0.0\nsummary: \(texts[0])\nmodels:\n  Trip:\n    properties:\n      id: Int\n"
      + "      markup: { type: String, default: '\"</td> | `@ada` #12 -->\"' }\n"
      + "drops:\n" + zip(names, texts).map { "  Trip.\($0): \($1)\n" }.joined()
    let report = try report([old], [old, new], in: "@ada/a|b`<b>")
    #expect(report.errors.map(\.message) == [])
    let stores = try hostileTexts.map {
      try measurements(
        report, $0, [.attributeRemoved: .init(.acknowledged, $0, rows: 1, examples: [$0])],
        notes: [$0])
    }
    return PullRequestComment(
      [.init(report, measurements: stores)], command: "schemagen diff --against '`@ada`'",
      unmeasured: hostileTexts.flatMap {
        [.init(name: $0, reason: $0, isStore: true), .init(name: $0, reason: $0, isStore: false)]
      })
  }

  /// The comments that are kept.
  static let all: [(name: String, make: @Sendable () throws -> String)] = [
    ("unchanged", { comment(try report([v1], [v1])).render() }),
    ("loss", { comment(try report([v1], [v1, v2])).render() }),
    (
      "blocked",
      { comment(try report([v1], [v1.replacing("name: String", with: "name: Int")])).render() }
    ),
    (
      "folders",
      {
        comment(
          try report([v1], [v1], in: "Schemas/A"),
          try report([v1, v2], [v1, v2.replacing("fill: 1", with: "fill: 2")], in: "Schemas/B"),
          try report([v1], [v1, v2.replacing("drops:", with: "# drops:")], in: "Schemas/C"),
          try report([], [v1], in: "Schemas/D")
        ).render()
      }
    ),
    ("stores", { try measured().render() }),
    ("too-large", { try measured().render(limit: 4_000) }),
    ("hostile", { try hostile().render() }),
  ]

  @Test("A comment is what is kept", arguments: all.map(\.name))
  func isCurrent(_ name: String) throws {
    let url = URL(filePath: Checkout.root + "/Tests/SchemaWorkspaceTests/Comments/\(name).md")
    let now = try #require(Self.all.first { $0.name == name }).make()
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try Data(now.utf8).write(to: url)
    }
    let known = (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    guard Array(known.utf8) != Array(now.utf8) else { return }
    Issue.record(
      """
      \(name).md differs; 'RECORD_SNAPSHOTS=1 swift test --filter CommentTests' records it anew
      \(difference(from: known, to: now))
      """)
  }

  @Test("No comment is kept that no test makes")
  func noneIsLeft() {
    let names = filesBelow(Checkout.root + "/Tests/SchemaWorkspaceTests/Comments")
    #expect(names == Self.all.map { "\($0.name).md" }.sorted())
  }
}
