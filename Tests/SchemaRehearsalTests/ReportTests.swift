import Foundation
import ManagedModels
import SchemaModel
import SchemaRehearsal
import SchemaReporting
import Testing

@testable import RehearsalHarness

@Suite struct ReportTests {
  private static func field(
    _ name: String, _ origins: [String], _ fate: FieldExpectation.Fate,
    _ change: (inout ValueTally) -> Void
  ) -> FieldTally {
    var tally = FieldTally(field: name, origins: origins, fate: fate)
    change(&tally.values)
    return tally
  }

  private static var good: RehearsalResult {
    var rows = RowTally()
    rows.source = 5
    rows.preserved = 4
    rows.merged = 1
    let entity = EntityTally(
      entity: "Trip", targets: ["Trip"], rows: rows,
      fields: [
        field("Trip.name", ["name"], .preserved) { $0.preserved = 4 },
        field("Trip.title", ["label"], .preserved) {
          $0.preserved = 3
          $0.defaulted = 1
        },
        field("Trip.start", [], .filled) { $0.filled = 4 },
      ],
      drops: [
        DropTally(
          PlannedDrop(entity: "Trip", property: "old", step: "V1 → V2", reason: "never read"),
          values: 2)
      ])
    let path = PathResult(
      from: "V1", to: "V2", entities: [entity],
      checks: [
        "conservation": .passed, "structure": .passed, "again": .passed,
        "stepwise": .skipped("one step is the direct path"),
      ], peakMemory: 38 * 1024 * 1024)
    return RehearsalResult(
      versions: ["V1", "V2"], paths: [path],
      kills: [KillResult(from: "V1", to: "V2", rows: 1_205, kills: 9, survived: 9)],
      limits: ["V1: something cannot be shown"], seconds: 1.25)
  }

  private static var bad: RehearsalResult {
    var result = good
    result.paths[0].failures = [
      RehearsalFailure(
        .valueChanged, path: "V1 → V2", entity: "Trip", row: "Trip unicode", category: "unicode",
        property: "name", expected: "\"a\"", found: "\"b|\u{1B}[31m\"", note: "two\nlines")
    ]
    result.paths[0][.conservation] = .failed
    return result
  }

  @Test func text() {
    #expect(
      ConservationReport(Self.good).headline
        == "2 versions, 1 path, 9 kills: no unexpected data loss")
    #expect(
      ConservationReport(Self.good).render(.text) == """
          path             rows  preserved  defaulted  filled  dropped  fresh = migrated  repeat  kills
        ✓ V1 → V2  4 + 1 merged          7          1       4        2                 ✓       ✓    9/9

        V1 → V2
          Trip: 4 + 1 merged rows
            Trip.title from label: 3 preserved, 1 defaulted
            Trip.start: 4 filled
            Trip.old: 2 values dropped in V1 → V2, “never read”

        Not shown
          V1: something cannot be shown

        all paths together: 5 rows; values: 7 preserved, 1 defaulted, 4 filled, 2 dropped, with a reason; 1.3 s, at most 38 MiB in a migration

        """)
  }

  @Test func failures() {
    let text = ConservationReport(Self.bad).render(.text)
    #expect(
      ConservationReport(Self.bad).headline == "2 versions, 1 path, 9 kills: 1 of 1 path fails")
    #expect(
      text.contains(
        """
        V1 → V2, Trip 'Trip unicode', name (unicode): value-changed
          expected:  "a"
          found:     "b|\\u{1B}[31m"
          note:      two
                     lines

        """))
    let markdown = ConservationReport(Self.bad).render(.markdown)
    #expect(markdown.contains("❌"))
    #expect(markdown.contains("| found: | \"b&#124;\\\\u{1B}\\[31m\" |\n"))
  }

  /// An unconfirmed drop is in the verdict, in the row of its model and in the sum, in every form of the report.
  @Test func whatNobodyConfirmed() throws {
    var result = Self.good
    var rows = RowTally()
    rows.source = 3
    rows.dropped = 3
    result.paths[0].entities.append(
      EntityTally(
        entity: "Stop", targets: [], rows: rows,
        drops: [
          DropTally(
            PlannedDrop(
              entity: "Stop", property: nil, step: "V1 → V2", reason: nil, isUnconfirmed: true),
            values: 3)
        ]))
    result.paths[0].entities[0].drops.append(
      DropTally(
        PlannedDrop(
          entity: "Trip", property: "note", step: "V1 → V2", reason: nil, isUnconfirmed: true),
        values: 1))
    let verdict = "3 rows of 1 model and 1 value of 1 property dropped, unconfirmed"
    let text = ConservationReport(result).render(.text)
    #expect(ConservationReport(result).headline == "2 versions, 1 path, 9 kills: \(verdict)")
    #expect(text.contains("Stop: 3 rows dropped in V1 → V2, unconfirmed\n"))
    #expect(text.contains("2 dropped, with a reason, 1 dropped, unconfirmed"))
    #expect(ConservationReport(result).render(.markdown).contains("kills: \(verdict)."))
    #expect(ConservationReport(result).render(.json).contains("kills: \(verdict)\""))
    result.paths[0].failures = Self.bad.paths[0].failures
    #expect(
      ConservationReport(result).headline
        == "2 versions, 1 path, 9 kills: 1 of 1 path fails, \(verdict)")
  }

  @Test func colors() {
    #expect(!ConservationReport(Self.bad).render(.text).contains("\u{1B}"))
    #expect(
      ConservationReport(Self.bad).render(.text, on: TerminalText(usesColor: true)).contains(
        "\u{1B}[1;31m"))
    #expect(
      !ConservationReport(Self.bad).render(.markdown, on: TerminalText(usesColor: true))
        .contains("\u{1B}[1"))
  }

  /// On each path, and not only on steps.
  @Test func fallbacks() throws {
    var result = Self.good
    let tallies = [
      FallbackTally(field: "Trip.kind", value: ".other", count: 12),
      FallbackTally(field: "Trip.tags", count: 1),
    ]
    result.paths[0].fallbacks = tallies
    result.versions = ["V1", "V1p1", "V2"]
    let report = ConservationReport(result)
    #expect(
      report.render(.text).contains(
        """

        Fallbacks
          V1 → V2
            Trip.kind: 12 values became .other
            Trip.tags: 1 value took the fallback

        """))
    #expect(
      report.headline.hasSuffix(
        ": no unexpected data loss, but 12 values became .other in Trip.kind, 1 value took the fallback in Trip.tags"
      ), "\(report.headline)")
    let again = try RehearsalJSON.decode(
      RehearsalResult.self, from: RehearsalJSON.encode(result))
    #expect(again.paths[0].fallbacks == tallies)
    // A conversion that turns a value into nil has no fallback that is counted.
    var nils = Self.good
    nils.paths[0].entities[0].fields[0].values.becameNil = 1
    let field = nils.paths[0].entities[0].fields[0].field
    #expect(
      ConservationReport(nils).headline.hasSuffix(
        ": no unexpected data loss, but 1 value became nil in \(field)"))
    #expect(ConservationReport(nils).render(.text).contains("\(field): 1 value became nil\n"))
    #expect(report.render(.json).contains("\"value\" : \".other\""))
    #expect(!ConservationReport(Self.good).render(.text).contains("Fallbacks"))
  }

  @Test func markdown() {
    let text = ConservationReport(Self.good).render(.markdown)
    #expect(
      text.hasPrefix(
        "# Conservation report\n\n✅ 2 versions, 1 path, 9 kills: no unexpected data loss"))
  }

  @Test func json() throws {
    let text = ConservationReport(Self.bad).render(.json)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(document["success"] as? Bool == false)
    #expect((document["totals"] as? [String: Any])?["preserved"] as? Int == 7)
    let result = try #require(document["result"] as? [String: Any])
    #expect((result["paths"] as? [Any])?.count == 1)
  }

  @Test func nothingToMigrate() {
    let report = ConservationReport(RehearsalResult(versions: ["V1"]))
    #expect(report.headline == "1 version, 0 paths: nothing to migrate yet")
    #expect(report.render(.text) == "all paths together: 0 rows; values: none; 0.0 s\n")
  }

  /// Numbers that JSON cannot express, or that a double cannot hold, are read back.
  @Test func numbersSurviveJSON() throws {
    let values: [PlannedValue] = [
      .stored(.real(.infinity)), .stored(.real(-.infinity)), .stored(.integer(.max)),
      .stored(.integer(.min)), .stored(.real(.greatestFiniteMagnitude)),
      .stored(.real(.leastNonzeroMagnitude)), .stored(.text("\u{FEFF}\u{202E}😀")),
      .repeated(.text("x"), count: 3), .archived([.null], of: .date), .modelDefault,
    ]
    let data = try RehearsalJSON.encode(values)
    #expect(try RehearsalJSON.decode([PlannedValue].self, from: data) == values)
  }
}
