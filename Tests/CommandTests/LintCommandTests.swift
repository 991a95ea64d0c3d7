import Foundation
import TestSupport
import Testing

/// `schemagen lint` and its sisters: the real binary.
@Suite struct LintCommandTests {
  private static let first = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String

    """

  private static func second(_ property: String) -> String {
    "version: 2.0.0\nsummary: more\nmodels:\n  Trip:\n    properties:\n      name: String\n"
      + "      \(property)\n"
  }

  /// A folder with `Schemas/V1.yaml` and V2 with another property.
  private func withSchemas(
    _ property: String, _ work: (Repository) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try repository.write(Self.first, "Schemas/V1.yaml")
      try repository.write(Self.second(property), "Schemas/V2.yaml")
      try work(repository)
    }
  }

  @Test(
    "The exit status reflects the gravest finding",
    arguments: [
      ("budget: Int?", [], 0), ("budget: Int", [], 1), ("added: Date = Date()", [], 0),
      ("added: Date = Date()", ["--strict"], 1),
      ("added: Date = Date()", ["--strict"], 1),
      ("added: Date = Date()", ["--fail-on", "note"], 2),
      ("budget: Int?", ["--strict"], 0),
      ("budget: [", [], 2), ("budget: Int?", ["--nonsense"], 2),
      ("budget: Int?", ["--format", "pdf"], 2), ("budget: Int?", ["--report", "sarif"], 2),
      ("budget: Int?", ["--today", "tomorrow"], 2), ("budget: Int?", ["--against", "main"], 2),
      ("budget: Int?", ["--fix", "--staged"], 2), ("budget: Int?", ["--baseline", "no.json"], 2),
    ] as [(String, [String], Int32)])
  func status(_ property: String, _ arguments: [String], _ status: Int32) throws {
    try withSchemas(property) { repository in
      let finished = try run(
        Checkout.schemagen, ["lint"] + arguments, in: repository.folder,
        environment: Repository.environment)
      #expect(finished.status == status, "\(finished.output)\(finished.errors)")
      #expect(!(finished.output + finished.errors).isEmpty)
    }
  }

  @Test("Findings show place, rule and help, and notes alone print nothing with '--quiet'")
  func text() throws {
    try withSchemas("budget: Int") { repository in
      let found = try repository.schemagen("lint", "--quiet")
      #expect(
        found.output == """
          Schemas/V2.yaml:7:7: error: 'Trip.budget' (Int): the migration fails with error 134110 as soon as one row exists; a default in init does not help [missing-default]
              7 |       budget: Int
                |       ^~~~~~
            help: give a default, make the attribute optional, or write 'fill:' or 'from:' and 'convert:'
            help: for example: budget: { type: Int, fill: 0 }
          1 error

          """)
      try repository.write(Self.second("budget: Int?"), "Schemas/V2.yaml")
      #expect(try repository.schemagen("lint", "--quiet").output == "")
    }
  }

  @Test("Reports are written to files, and a workflow's summary is appended to")
  func reports() throws {
    try withSchemas("budget: Int") { repository in
      let summary = repository.folder + "/summary.md"
      try repository.write("before\n", "summary.md")
      let finished = try run(
        Checkout.schemagen,
        [
          "lint", "--format", "github", "--report", "sarif=out/lint.sarif", "--report",
          "json=lint.json", "--report", "junit=lint.xml",
        ], in: repository.folder,
        environment: Repository.environment.merging(["GITHUB_STEP_SUMMARY": summary]) { $1 })
      #expect(finished.status == 1)
      #expect(
        finished.output.contains(
          "::error file=Schemas/V2.yaml,line=7,endLine=7,col=7,endColumn=13,title=missing-default::"
        ))
      #expect(!finished.output.contains("explain RULE"), "a report for machines is nothing else")
      let sarif = try JSONSerialization.jsonObject(
        with: Data(repository.text("out/lint.sarif").utf8))
      #expect((sarif as? [String: Any])?["version"] as? String == "2.1.0")
      #expect(try repository.text("lint.json").contains("\"missing-default\""))
      #expect(try repository.text("lint.xml").contains("<failure"))
      let text = try String(contentsOfFile: summary, encoding: .utf8)
      #expect(text.hasPrefix("before\n") && text.contains("missing-default"))
    }
  }

  /// A plugin on macOS may write only into its package and temporary folders.
  @Test("A workflow summary that cannot be written is a warning")
  func lockedSummary() throws {
    try withSchemas("budget: Int = 0") { repository in
      let finished = try run(
        Checkout.schemagen, ["lint"], in: repository.folder,
        environment: Repository.environment.merging(["GITHUB_STEP_SUMMARY": "/dev/null/x"]) { $1 })
      #expect(finished.status == 0, "\(finished.output)")
      #expect(finished.errors.hasPrefix("schemagen: '/dev/null/x': "))
      #expect(finished.errors.contains("--disable-sandbox"))
    }
  }

  @Test("'--fix' edits the file and reports each fix")
  func fix() throws {
    try withSchemas("note: Optional<String> = nil # a comment") { repository in
      let fixed = try repository.schemagen("lint", "--fix", "--quiet")
      #expect(fixed.status == 0 && fixed.output == "", "\(fixed.output)")
      #expect(fixed.errors.contains("Schemas/V2.yaml:7:7: fixed [redundant-nil-default]"))
      #expect(
        try repository.text("Schemas/V2.yaml") == Self.second("# a comment\n      note: String?"))
      let again = try repository.schemagen("lint", "--fix", "--quiet")
      #expect(again.errors == "")
    }
  }

  @Test("Findings in the baseline are not reported, and fixed ones are removed from it")
  func baseline() throws {
    try withSchemas("added: Date = Date()") { repository in
      #expect(try repository.schemagen("lint", "--strict").status == 1)
      let written = try repository.schemagen("baseline", "write")
      #expect(written.output.contains("Schemas/lint-baseline.json: "))
      let known = try repository.schemagen("lint", "--strict")
      #expect(known.status == 0, "\(known.output)")
      #expect(try repository.schemagen("lint", "--strict", "--baseline", "none").status == 1)
      try repository.write(Self.second("added: Date?"), "Schemas/V2.yaml")
      let stale = try repository.schemagen("lint", "--strict")
      #expect(stale.status == 1 && stale.output.contains("[stale-baseline]"), "\(stale.output)")
      #expect(try repository.schemagen("baseline", "prune").status == 0)
      #expect(try repository.schemagen("lint", "--strict").status == 0)
      try repository.write(Self.second("added: ["), "Schemas/V2.yaml")
      let before = try repository.text("Schemas/lint-baseline.json")
      #expect(try repository.schemagen("baseline", "prune").status == 2)
      #expect(try repository.text("Schemas/lint-baseline.json") == before)
    }
  }

  @Test("An acceptance expires after the day that it names")
  func expiry() throws {
    let accepted =
      "added: Date = Date() # schemagen:accept shared-default until 2026-03-01: one launch"
    try withSchemas(accepted) { repository in
      #expect(try repository.schemagen("lint", "--strict", "--today", "2026-03-01").status == 0)
      let over = try repository.schemagen("lint", "--strict", "--today", "2026-03-02")
      #expect(over.status == 1 && over.output.contains("[expired-acceptance]"))
      #expect(over.output.contains("[shared-default]"))
      // Generated files do not depend on the day.
      #expect(try repository.schemagen("generate").status == 0)
    }
  }

  @Test("Shipped versions are compared with a git branch and with the index")
  func against() throws {
    try withSchemas("budget: Int?") { repository in
      #expect(try repository.schemagen("generate").status == 0)
      #expect(try repository.schemagen("release", "V1").status == 0)
      try repository.commit("one")
      try repository.git("checkout", "--quiet", "-b", "topic")
      #expect(try repository.schemagen("lint", "--against", "main").status == 0)
      try repository.write(Self.first.replacing("String", with: "String?"), "Schemas/V1.yaml")
      let edited = try repository.schemagen("lint", "--against", "main", "--quiet")
      #expect(edited.status == 1)
      #expect(edited.output.components(separatedBy: "[shipped-version-edited]").count == 2)
      #expect(edited.output.contains("changed: Trip.name"))
      #expect(try repository.schemagen("lint", "--against", "main", "--staged").status == 0)
      try repository.git("add", "--all")
      #expect(try repository.schemagen("lint", "--staged").status == 1)
      // Without the lock, the branch still shows it.
      try repository.write(nil, "Schemas/schema.lock")
      let unlocked = try repository.schemagen("lint", "--against", "main", "--quiet")
      #expect(unlocked.output.contains("[release-mark-removed]"))
      #expect(unlocked.output.contains("[shipped-version-edited]"))
    }
  }

  @Test("'explain' lists and explains rules and suggests the right name for a misspelt one")
  func explanations() throws {
    let list = try run(Checkout.schemagen, ["explain"])
    #expect(
      list.status == 0 && list.output.contains("  missing-default ")
        && list.output.contains("  attribute-renamed "))
    let page = try run(Checkout.schemagen, ["explain", "missing-default"])
    #expect(page.status == 0 && page.output.hasPrefix("# missing-default\n"))
    let short = try run(Checkout.schemagen, ["explain", "foreign-file"])
    #expect(short.status == 0 && short.output.hasPrefix("# foreign-file\n"))
    let change = try run(Checkout.schemagen, ["explain", "attribute-renamed"])
    #expect(change.status == 0 && change.output.hasPrefix("# attribute-renamed\n"))
    let slip = try run(Checkout.schemagen, ["explain", "missing-defualt"])
    #expect(slip.status == 2 && slip.errors.contains("did you mean 'missing-default'?"))
  }
}
