import Foundation
import SchemaEvolution
import SchemaModel
import TestSupport
import Testing

@testable import SchemaWorkspace

/// The comment in a pull request: complete ones, recorded in `Comments`, and invariants of any comment.
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

  /// A generated folder, of which the given number of versions have shipped.
  private static func write(
    _ manifests: [String], released: Int, in path: String, _ disk: MemoryDisk
  ) throws {
    for (index, text) in manifests.enumerated() { disk["\(path)/V\(index + 1).yaml"] = text }
    try GenerationPipeline(fileSystem: disk).run(path).write(to: disk)
    guard released > 0 else { return }
    try ReleaseMarking.prepare(path, upTo: VersionNumber(released), fileSystem: disk).write(
      to: disk)
  }

  /// The report of a folder compared with its earlier state; the first version has shipped.
  static func report(
    _ before: [String], _ after: [String], in path: String = "Schemas"
  ) throws -> BaseReport {
    let disk = MemoryDisk()
    try write(before, released: before.isEmpty ? 0 : 1, in: path, disk)
    let base = try ComparisonBase(
      name: "origin/main (merge base 1a2b3c4)", path: path, isRelease: false, commit: "1a2b3c4d5e",
      fileSystem: MemoryDisk(disk.files))
    for index in before.indices { disk["\(path)/V\(index + 1).yaml"] = nil }
    for (index, text) in after.enumerated() { disk["\(path)/V\(index + 1).yaml"] = text }
    return BaseReport(path, base: base, fileSystem: disk)
  }

  /// A drop beside a property that may be its new name, with required approvals and a store's rows.
  private static func approvals() throws -> String {
    let disk = MemoryDisk(["Schemas/schemagen.yaml": "approvals: base\n"])
    try write([v1], released: 1, in: "Schemas", disk)
    let main = MemoryDisk(disk.files)
    let base = try ComparisonBase(
      name: "origin/main (merge base 1a2b3c4)", path: "Schemas", isRelease: false,
      commit: "1a2b3c4d5e",
      authority: ApprovalAuthority(
        name: "origin/main", path: "Schemas", root: nil, fileSystem: main),
      fileSystem: main)
    disk["Schemas/V2.yaml"] =
      v1.replacing("1.0.0", with: "2.0.0")
      .replacing("notes: String?", with: "remark: String?")
      + "drops: { Trip.notes: { reason: nobody wrote any, notCarriedTo: remark } }\n"
    let report = BaseReport("Schemas", base: base, fileSystem: disk)
    let lost = RowMeasurements.Finding(
      .acknowledged, "10 of 12 rows have a value, which is dropped", rows: 10, examples: ["Trip 1"])
    let stores = [try measurements(report, "ipad/default.store", [.attributeRemoved: lost])]
    return PullRequestComment(
      [.init(report, measurements: stores)], command: command, unmeasured: []
    ).render()
  }

  static let command = "schemagen diff --against origin/main"

  static func comment(_ reports: BaseReport...) -> PullRequestComment {
    PullRequestComment(reports.map { PullRequestComment.Folder($0) }, command: command)
  }

  /// Measurements of stores for the first change of each kind in the only step.
  static func measurements(
    _ report: BaseReport, _ store: String, _ findings: [ChangeKind: RowMeasurements.Finding],
    notes: [String] = []
  ) throws -> RowMeasurements {
    let step = try #require(report.evolution?.steps.first)
    return RowMeasurements(
      store: store, version: VersionNumber(1), notes: notes,
      findings: [step.new.number: step.changes.map { findings[$0.kind] }])
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

  /// Names, reasons and paths with markup, mentions and text that ends the markup around them.
  static let hostileTexts = [
    "@ada #12 GH-12 org/app#7 https://example.org www.example.org ada@example.org !3 ~bug %\"1.0\"",
    "| a | b |", "</details></table><img src=x onerror=alert(1)>", "--> <!-- <script>",
    "```\n```text\ncode", "**bold** [a](b) ![c](d) _e_ ~~f~~ $g$ `h`",
    "\\| \\` \u{202E}rtl\u{200B}",
    "one\ntwo\r\n\r\n# three\n- four\n/close",
  ]

  private static func hostile() throws -> PullRequestComment {
    // As YAML reads them back from double quotes. Manifests refuse invisible characters and line breaks.
    let texts = try hostileTexts.map { text in
      let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
      let visible = String(line.unicodeScalars.filter { $0.value < 0x2000 })
      return String(decoding: try JSONEncoder().encode(visible), as: UTF8.self)
        .replacing("\\/", with: "/")
    }
    let names = texts.indices.map { "p\($0)" }
    let old =
      "version: 1.0.0\nmodels:\n  Trip:\n    properties:\n      id: Int\n"
      + names.map { "      \($0): Int?\n" }.joined()
    let new =
      "version: 2.0.0\nsummary: \(texts[0])\nmodels:\n  Trip:\n    properties:\n      id: Int\n"
      + "      markup: { type: String, default: '\"</td> | `@ada` #12 -->\"' }\n"
      + "      booked: Date = Date()\n"
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

  /// A default that changes between versions: a store that skips one would get another value.
  private static let barrier = (2...3).map { number in
    v1.replacing("1.0.0", with: "\(number).0.0") + "      seats: Int = \(number)\n"
  }

  /// The recorded comments.
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
    ("barrier", { comment(try report([v1], [v1] + barrier)).render() }),
    ("stores", { try measured().render() }),
    ("approvals", { try approvals() }),
    ("too-large", { try measured().render(limit: 2_600) }),
    ("hostile", { try hostile().render() }),
  ]

  @Test("A pull-request comment matches its recorded file", arguments: all.map(\.name))
  func isCurrent(_ name: String) throws {
    let change = try difference(
      of: #require(Self.all.first { $0.name == name }).make(),
      fromSnapshot: "Tests/SchemaWorkspaceTests/Comments/\(name).md", recordedBy: "CommentTests")
    if let change { Issue.record("\(change)") }
  }

  @Test("Every recorded comment is made by a test")
  func noneIsLeft() {
    let names = filesBelow(Checkout.root + "/Tests/SchemaWorkspaceTests/Comments")
    #expect(names == Self.all.map { "\($0.name).md" }.sorted())
  }

  // MARK: What holds of any

  /// The cells of a table's row, as GitHub separates them.
  static func cells(_ row: Substring) -> [String] {
    var cells = [""]
    var isEscaped = false
    for character in row.dropFirst().dropLast() {
      if character == "|", !isEscaped {
        cells.append("")
      } else {
        cells[cells.count - 1].append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    return cells.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The errors in a comment's Markdown.
  static func broken(_ comment: String) -> [String] {
    var found: [String] = []
    if comment.utf8.count > 65_536 - 200 { found.append("\(comment.utf8.count) bytes") }
    if comment.contains("\n\n\n") || comment.hasPrefix("\n") {
      found.append("an empty line too many")
    }
    let lines = comment.split(separator: "\n", omittingEmptySubsequences: false)
    var columns: Int?
    var open = 0
    var fence: Substring?
    for line in lines {
      if let end = fence {
        if line == end { fence = nil }
        continue
      }
      if line.hasPrefix("```") {
        fence = line.prefix { $0 == "`" }
        continue
      }
      open += line.hasPrefix("<details>") ? 1 : line == "</details>" ? -1 : 0
      if !(0...1).contains(open) { found.append("details in details: \(line)") }
      guard line.hasPrefix("|") else {
        columns = nil
        continue
      }
      let count = cells(line).count
      if let columns, columns != count { found.append("\(count) cells, not \(columns): \(line)") }
      columns = columns ?? count
    }
    if open != 0 || fence != nil { found.append("something is left open") }
    return found
  }

  @Test("Every comment is well-formed Markdown, even if shortened", arguments: all.map(\.name))
  func isSound(_ name: String) throws {
    let comment = try #require(Self.all.first { $0.name == name }).make()
    #expect(Self.broken(comment) == [])
  }

  @Test("User text in a comment cannot add markup, references or mentions")
  func hostileTextsAreText() throws {
    let comment = try Self.hostile().render()
    // GitHub searches everything outside code for mentions.
    let words = comment.replacing(
      /(?s)```[a-z]+\n.*?\n```|`[^`\n]*`|<code>.*?<\/code>|\]\(https:[^)]*\)/, with: "")
    for reference in [
      /[@#!~%$^&][A-Za-z0-9_"]/.ignoresCase(), /gh-\d/.ignoresCase(), /:\/\//,
      /www\./.ignoresCase(),
    ] as [Regex<Substring>] {
      for match in words.matches(of: reference) {
        let isEntity =
          words[match.range.lowerBound...].prefixMatch(of: /&(amp|lt|gt|#124);/) != nil
          || words[..<match.range.lowerBound].hasSuffix("&")
        #expect(isEntity, "\(words[match.range.lowerBound...].prefix(40))")
      }
    }
    let tags = Set(words.matches(of: /<[^>\n]*>/).map { String($0.output) })
    #expect(
      tags.isSubset(of: ["<details>", "</details>", "<summary>", "</summary>", "<sub>", "</sub>"]),
      "\(tags)")
    #expect(!comment.contains("\u{202E}"))
    #expect(!comment.split(separator: "\n").contains { $0.hasPrefix("/") })
  }

  // MARK: Room

  /// A folder with thousands of changes, with long names, reasons and defaults.
  private static func huge(_ path: String, _ models: Int) throws -> BaseReport {
    func manifest(_ version: Int, _ properties: String, _ rest: String = "") -> String {
      let models = (0..<models).map { "  Model\($0):\n    properties:\n\(properties)" }
      return "version: \(version).0.0\nmodels:\n\(models.joined())\(rest)"
    }
    let long = String(repeating: "renamedAndMoved", count: 5)
    let old = manifest(1, "      id: Int\n" + (0..<9).map { "      \(long)\($0): Int?\n" }.joined())
    let drops = (0..<models).flatMap { model in
      (0..<5).map {
        "  Model\(model).\(long)\($0): '\(String(repeating: "🎉 warum | nicht ", count: 30))'\n"
      }
    }
    let new = manifest(
      2,
      "      id: Int\n" + (5..<9).map { "      \(long)\($0): Int?\n" }.joined()
        + "      neu: { type: String, default: '\"\(String(repeating: "👩🚀", count: 500))\"' }\n",
      "drops:\n" + drops.joined())
    return try report([old], [old, new], in: path)
  }

  @Test(
    "A comment on thousands of changes fits, gravest first, and names what is left out",
    .enabled(if: Checkout.runsEverything))
  func hugeChangesFit() throws {
    let reports = try [("Schemas/A", 170), ("Schemas/B", 3), ("Schemas/C", 170)].map {
      try Self.huge($0, $1)
    }
    #expect(reports.flatMap(\.errors).map(\.message) == [])
    let comment = PullRequestComment(
      try reports.map { report in
        PullRequestComment.Folder(
          report,
          measurements: try (0..<50).map {
            try Self.measurements(
              report, "\($0)/" + String(repeating: "🗄", count: 200),
              [.attributeRemoved: .init(.lost, "gone", rows: 1)])
          })
      }, command: Self.command, unmeasured: [])
    let text = comment.render()
    #expect(text.utf8.count > 60_000 && text.utf8.count <= PullRequestComment.limit)
    #expect(text.utf16.count <= 65_536 - 200)
    #expect(Self.broken(text) == [])
    for folder in ["A", "B", "C"] { #expect(text.contains("`Schemas/\(folder)`, **V2**: ")) }
    // Each change is shown, or counted among those left out.
    let total = comment.steps.joined().reduce(0) { $0 + $1.lines.count }
    let shown = text.split(separator: "\n").count {
      $0.hasPrefix("| ") && $0.contains("Model") && $0.contains("attribute")
    }
    let left = try #require(text.firstMatch(of: /(\d+) of (\d+) changes/))
    #expect(left.1 == "\(total - shown)" && left.2 == "\(total)" && shown > 0)
    #expect(text.contains(" run `\(Self.command)`\n"))
    // No change is shown while a graver one is left out.
    #expect(!text.contains("| defaulted |"))
  }

  @Test(
    "A comment is well-formed at every limit and says that something was left out",
    arguments: [2_000, 3_000, 5_000, 8_000, 20_000])
  func anyRoom(_ limit: Int) throws {
    for comment in [try Self.measured(), try Self.hostile()] {
      let text = comment.render(limit: limit)
      #expect(text.utf8.count <= limit)
      #expect(Self.broken(text) == [])
      #expect(
        text.contains("**Not everything fits in a comment.**")
          == (text.utf8.count < comment.render().utf8.count))
    }
  }

  // MARK: Steps

  @Test("A step appears as changed if only the version before it was edited")
  func neighbours() throws {
    let v3 = v2Named(3)
    let before = [Self.v1, Self.v2, v3]
    let edited = Self.v2.replacing("seats: Int = 1", with: "seats: Int = 1\n      extra: Int?")
    let text = Self.comment(try Self.report(before, [Self.v1, edited, v3])).render()
    #expect(text.contains("- ❌ **Blocked: 1 error.** **V2**"))
    #expect(text.contains("**V3**: ") && text.contains("**1 dropped: `Trip.extra`**"))
    #expect(text.contains("- V2, edited: Trip.extra: add an optional attribute: Int?"))
  }

  private func v2Named(_ number: Int) -> String {
    Self.v1.replacing("1.0.0", with: "\(number).0.0").replacing(
      "name: String", with: "title: String"
    )
    .replacing("days: Int?", with: "days: Int\n      seats: Int = 1")
    .replacing(
      "      notes: String?\n",
      with: "  Stop:\n    properties:\n      place: String\n      more: Int?\n")
  }

  @Test("A comment shows a verdict for removed drafts and unreadable manifests")
  func otherVerdicts() throws {
    let gone = Self.comment(try Self.report([Self.v1, Self.v2], [Self.v1])).render()
    #expect(gone.contains("\n✅ **V2**: the draft is removed\n") && Self.broken(gone) == [])
    let broken = Self.comment(try Self.report([Self.v1], ["models: [", Self.v2])).render()
    #expect(broken.contains("❌ **Blocked: "))
    #expect(Self.broken(broken) == [])
  }
}
