import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// What lint counts, and acceptances, expiry dates and baselines.
@Suite struct LintTests {
  static let first = "version: 1.0.0\nmodels:\n  Trip:\n    properties:\n      name: String\n"

  private func second(_ property: String, _ top: String = "") -> String {
    "version: 2.0.0\nsummary: more\nmodels:\n  Trip:\n    properties:\n      name: String\n"
      + property + "\n" + top
  }

  private func lint(
    _ files: [String: String], today: String = "2026-06-01", baseline: String? = nil
  ) -> LintResult {
    Linter(
      Linter.Options(today: CalendarDay(today)!, baseline: baseline),
      fileSystem: MemoryDisk(
        Dictionary(uniqueKeysWithValues: files.map { ("S/" + $0.key, $0.value) }))
    ).run("S")
  }

  /// Rules above a note, with their lines.
  private func found(_ lint: LintResult) -> [String] {
    lint.findings.filter { $0.severity > .note }.map {
      "\($0.rule.id) \($0.location?.line ?? 0)"
    }
  }

  static let volatile = "      added: Date = Date()"

  @Test(arguments: [
    ("      added: Date = Date() # schemagen:accept shared-default: all were added now", ["-"]),
    (
      "      # schemagen:accept shared-default: all were added now\n      added: Date = Date()",
      ["-"]
    ),
    (
      "      # schemagen:accept shared-default: all were added now\n\n      # and so\n"
        + "      added: Date = Date()", ["-"]
    ),
    (
      "      # schemagen:accept shared-default until 2026-06-01: the last day counts\n"
        + "      added: Date = Date()", ["-"]
    ),
    (
      "      # schemagen:accept shared-default until 2026-05-31: it is over\n"
        + "      added: Date = Date()", ["expired-acceptance 7", "shared-default 8"]
    ),
    (
      "      # schemagen:accept shared-default\n      added: Date = Date()",
      ["malformed-acceptance 7"]
    ),
    (
      "      # schemagen:accept shared-default:\n      added: Date = Date()",
      ["malformed-acceptance 7"]
    ),
    (
      "      # schemagen:accept shared-default until tomorrow: x y\n      added: Date = Date()",
      ["malformed-acceptance 7"]
    ),
    (
      "      # schemagen:ignore shared-default: x y\n      added: Date = Date()",
      ["malformed-acceptance 7"]
    ),
    (
      "      # schemagen:accept missing-default: not the one\n      added: Date = Date()",
      ["shared-default 8"]
    ),
    (
      "      # schemagen:accept number-type-changed: nothing changes\n      added: Date?",
      ["unused-acceptance 7"]
    ),
    (
      "      # schemagen:accept missing-inverse: there is none\n      added: Date?",
      ["unused-acceptance 7"]
    ),
    (
      "      # schemagen:accept missing-defalt: a slip\n      added: Date?",
      ["unknown-rule 7"]
    ),
    (
      "      doc: { type: String?, doc: '# schemagen:accept no: comment' }", ["-"]
    ),
  ])
  func comments(_ property: String, _ expected: [String]) {
    let lint = lint(["V1.yaml": Self.first, "V2.yaml": second(property)])
    #expect(found(lint) == (expected == ["-"] ? [] : expected), "\(lint.findings.map(\.message))")
  }

  @Test func acceptanceIsToldWithItsReason() {
    let lint = lint([
      "V1.yaml": Self.first,
      "V2.yaml": second(
        Self.volatile,
        "accept:\n  - { rule: shared-default, element: Trip.added, reason: all were added now }\n"),
    ])
    #expect(lint.accepted.map(\.finding.rule.id) == ["shared-default"])
    #expect(lint.accepted.map(\.acceptance.reason) == ["all were added now"])
  }

  /// A rule about the newest version is accepted there, and entries of older versions are not checked. Reading the
  /// manifests checks it, and later checks no longer see a gap.
  @Test func aGapThatIsAcceptedInTheNewestVersionStaysAccepted() {
    let accepted = "accept: [{ rule: version-gap, element: V1.10, reason: never shipped }]"
    let gap = second("      b: Int?", accepted).replacing("2.0.0", with: "1.10.0")
    #expect(found(lint(["V1.yaml": Self.first, "V1.10.yaml": gap])) == [])
    let unneeded = second("      b: Int?", accepted.replacing("V1.10", with: "V2"))
    #expect(
      found(lint(["V1.yaml": Self.first, "V2.yaml": unneeded])) == ["unused-acceptance 8"])
  }

  @Test func acceptancesOfOlderVersionsAreNotJudged() {
    let accept = "accept:\n  - { rule: optional-array, element: Trip.tags, reason: it is old }\n"
    let tags = "      tags: \"[String]?\""
    let lint = lint([
      "V1.yaml": Self.first + tags + "\n" + accept,
      "V2.yaml": second(tags + "\n      days: Int?"),
    ])
    #expect(found(lint) == ["optional-array 7"])
  }

  @Test func severitiesAreTheConfigurations() {
    let files = ["V1.yaml": Self.first, "V2.yaml": second(Self.volatile)]
    let off = lint(files.merging(["schemagen.yaml": "rules: { shared-default: off }\n"]) { $1 })
    #expect(found(off) == [])
    let error = lint(files.merging(["schemagen.yaml": "rules: { shared-default: error }\n"]) { $1 })
    #expect(error.findings.first { $0.rule.id == "shared-default" }?.severity == .error)
  }

  // MARK: Baseline

  @Test func whatIsKnownWaits() {
    var files = ["V1.yaml": Self.first, "V2.yaml": second(Self.volatile)]
    let before = lint(files, baseline: "S/lint-baseline.json")
    #expect(found(before) == ["shared-default 7"])
    files["lint-baseline.json"] = before.baseline.text
    let after = lint(files, baseline: "S/lint-baseline.json")
    #expect(after.findings.isEmpty, "\(after.findings.map(\.message))")
    #expect(after.baselined.map(\.rule.id).contains("shared-default"))
    #expect(after.baseline == before.baseline)

    // With another message or line it is the same finding.
    files["V2.yaml"] = second("\n      # a comment\n      added: Date = Date.now")
    #expect(found(lint(files, baseline: "S/lint-baseline.json")) == [])
    // A finding on another element is another one.
    files["V2.yaml"] = second(Self.volatile + "\n      changed: Date = Date()")
    #expect(found(lint(files, baseline: "S/lint-baseline.json")) == ["shared-default 8"])
    // A fixed finding is to be removed.
    files["V2.yaml"] = second("      added: Date?")
    let stale = lint(files, baseline: "S/lint-baseline.json")
    #expect(found(stale).map { $0.prefix(14) } == ["stale-baseline"])
    #expect(
      stale.findings.first { $0.rule.id == "stale-baseline" }?.location?.file
        == "S/lint-baseline.json")
    files["lint-baseline.json"] = stale.prunedBaseline.text
    #expect(found(lint(files, baseline: "S/lint-baseline.json")) == [])
  }

  @Test func whatLosesValuesCannotWait() {
    let files = ["V1.yaml": Self.first, "V2.yaml": second("      budget: Int")]
    let before = lint(files)
    #expect(!before.baseline.text.contains("missing-default"))
    let text = """
      { "format": 1, "findings": [ { "rule": "missing-default", "element": "Trip.budget", "version": "V2" } ] }
      """
    let after = lint(
      files.merging(["lint-baseline.json": text]) { $1 }, baseline: "S/lint-baseline.json")
    #expect(found(after).contains("missing-default 7"))
  }

  @Test(arguments: [
    "", "{", "[]", "{ \"format\": 2, \"findings\": [] }", "{ \"format\": 1 }",
    "{ \"format\": 1, \"findings\": [ {} ] }",
    "{ \"format\": 1, \"findings\": [ { \"rule\": \"x\", \"count\": -1 } ] }",
  ])
  func brokenBaselines(_ text: String) {
    let lint = lint(
      ["V1.yaml": Self.first, "lint-baseline.json": text], baseline: "S/lint-baseline.json")
    #expect(found(lint).map { $0.prefix(15) } == ["broken-baseline"])
  }

  // MARK: Fixes

  private func repair(_ files: [String: String]) throws -> (FixRun, MemoryDisk) {
    let disk = MemoryDisk(
      Dictionary(uniqueKeysWithValues: files.map { ("S/" + $0.key, $0.value) }))
    let options = Linter.Options(today: CalendarDay("2026-06-01")!)
    return (try FixRun.prepare("S", options: options, fileSystem: disk), disk)
  }

  @Test func allThatIsCertainIsMendedAtOnce() throws {
    let text = """
      version: 1 # first
      models:
        Trip: # a journey
          properties:
            name: { type: Optional<String>, unique: false, default: nil } # as it is
            days: { relationship: "[Day]", inverse: trip, deleteRule: nullify }
        Day:
          properties:
            trip: { relationship: Trip? } # the way back

      """
    let (repair, disk) = try repair(["V1.yaml": text])
    #expect(disk["S/V1.yaml"] == text, "nothing is written before it is asked for")
    try repair.write(to: disk)
    #expect(
      disk["S/V1.yaml"] == """
        # first
        version: 1.0.0
        models:
          # a journey
          Trip:
            properties:
              # as it is
              name: String?
              days: { relationship: "[Day]", inverse: trip }

          Day:
            properties:
              # the way back
              trip: { relationship: "Trip?" }

        """)
    #expect(
      Set(repair.fixed.map(\.finding.rule.id)) == [
        "version-spelling", "type-spelling", "redundant-option", "redundant-nil-default",
        "redundant-delete-rule",
      ])
    #expect(repair.formatted == ["S/V1.yaml"])
  }

  /// A fix that would change a shipped version is not made; one that changes only its spelling is.
  @Test func shippedVersionsStayWhatTheyWere() throws {
    let text = """
      version: 1
      models:
        Trip:
          properties:
            id: { type: UUID, default: UUID(), unique: true }
      """
    let disk = MemoryDisk(["S/V1.yaml": text, "S/schemagen.yaml": "cloudKit: none\n"])
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    try ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).write(to: disk)
    disk["S/schemagen.yaml"] = "cloudKit: private\n"
    let options = Linter.Options(today: CalendarDay("2026-06-01")!)
    let repair = try FixRun.prepare("S", options: options, fileSystem: disk)
    try repair.write(to: disk)
    #expect(disk["S/V1.yaml"]?.contains("version: 1.0.0") == true)
    #expect(disk["S/V1.yaml"]?.contains("unique: true") == true)
    #expect(repair.lint.findings.map(\.rule.id).contains("cloudkit-unique"))
  }

  @Test("A correct manifest is formatted once and then left unchanged")
  func formats() throws {
    let broken = "version: 2.0.0\nmodels: {}\n"
    let (repair, disk) = try repair([
      "V1.yaml": Self.first + "\n\n# the end", "V2.yaml": broken,
    ])
    #expect(repair.fixed.isEmpty && repair.formatted == ["S/V1.yaml"])
    try repair.write(to: disk)
    #expect(disk["S/V1.yaml"] == Self.first + "# the end\n")
    #expect(disk["S/V2.yaml"] == broken)
    let options = Linter.Options(today: CalendarDay("2026-06-01")!)
    let again = try FixRun.prepare("S", options: options, fileSystem: disk)
    #expect(again.changes.isEmpty && again.formatted.isEmpty)
  }

  @Test("A mistake is fixed even if another one remains")
  func besideMistakes() throws {
    let (repair, disk) = try repair([
      "V1.yaml": """
      version: 1.0.0
      models:
        Trip:

          # of it
          properties:
            id: { typ: UUID, doc: "yes" } # why
            b: { type: Whatever< }
      """
    ])
    try repair.write(to: disk)
    #expect(
      disk["S/V1.yaml"] == """
        version: 1.0.0
        models:
          Trip:
            # of it
            properties:
              # why
              id: { type: UUID, doc: "yes" }
              b: { type: Whatever< }

        """)
  }

  /// Layouts in which an edit of the text would have an unintended effect.
  @Test(arguments: [
    (
      "id: { type: UUID,\n        spotlight: false, unique: true,\n        doc: x }",
      "id: { type: UUID, unique: true, doc: x }"
    ),
    ("n: { type: Int,\tunique: false, default: 3 }", "n: Int = 3"),
    (
      "n: { type: Int, default: 3, unique: false # was, unique: true\n        }",
      "# was, unique: true\n      n: Int = 3"
    ),
    ("n: { type: Int?, default: nil # }\n        }", "# }\n      n: Int?"),
  ])
  func hostileLayouts(_ property: String, _ printed: String) throws {
    let (repair, disk) = try repair(["V1.yaml": Self.first + "      \(property)\n"])
    try repair.write(to: disk)
    #expect(disk["S/V1.yaml"] == Self.first + "      \(printed)\n")
  }

  @Test func theLastEntriesOfAListGoTogether() throws {
    let text =
      Self.first
      + "accept:\n  - { rule: missing-inverse, element: A, reason: it is so }\n"
      + "  - { rule: missing-inverse, element: B, reason: it is so }\n"
    let (repair, disk) = try repair(["V1.yaml": text])
    try repair.write(to: disk)
    #expect(disk["S/V1.yaml"] == Self.first)
  }

  @Test func aFailureLeavesEverythingAsItWas() throws {
    let files = ["V1.yaml": "version: 1\n" + Self.first.dropFirst("version: 1.0.0\n".count)]
    let (repair, disk) = try repair(files)
    disk.fail(at: 1)
    #expect(throws: FileSystemError.self) { try repair.write(to: disk) }
    #expect(disk["S/V1.yaml"] == files["V1.yaml"])
  }
}
