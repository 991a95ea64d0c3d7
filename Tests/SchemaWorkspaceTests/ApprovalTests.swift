import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// What a change may lose only with another person's approval.
@Suite struct ApprovalTests {
  private static let dropped: String =
    ChangeRepository.v1.replacing("      note: String?\n", with: "")
    + "drops: { Plant.note: nobody reads it }\n"

  // MARK: Losses

  private static func v2(_ old: String, _ new: String, _ more: String = "") -> String {
    ChangeRepository.v1.replacing(old, with: new) + more
  }

  /// The losses of each change, by element; empty if every value stays.
  static let changes: [(name: String, v2: String, lost: [String])] = [
    ("drop", dropped, ["Plant.note"]),
    (
      "a rename that says so",
      v2("note: String?", "remark: { type: String?, renamedFrom: note }"), []
    ),
    (
      "a rename passed off as a drop",
      v2(
        "note: String?", "remark: String?",
        "drops: { Plant.note: { reason: unused, notCarriedTo: remark } }"),
      ["Plant.note"]
    ),
    (
      "a copy", v2("note: String?", "remark: { type: String?, from: note, convert: $0 }"), []
    ),
    (
      "nil made a value",
      v2("note: String?", "note: { type: String, fill: '\"\"' }"), []
    ),
    (
      "a copy with a value for nil",
      v2(
        "note: String?", "remark: { type: String, from: note, convert: '$0 ?? \"\"', revert: $0 }"),
      []
    ),
    (
      "a conversion that shortens",
      v2(
        "note: String?",
        "remark: { type: String, from: note, convert: 'String(($0 ?? \"\").prefix(3))', revert: $0 }"
      ), ["Plant.remark"]
    ),
    (
      "a conversion with a fallback",
      v2(
        "name: String\n      note",
        "number: { type: Int, from: name, convert: 'Int($0) ?? 0', revert: String($0) }\n      note"
      ),
      ["Plant.number"]
    ),
    (
      "a constant for every value",
      v2(
        "name: String\n      note",
        "title: { type: String, from: name, convert: '\"\"', revert: $0 }\n      note"),
      ["Plant.title"]
    ),
    (
      "a conversion beside its source",
      v2(
        "name: String\n      note",
        "name: String\n      number: { type: Int?, from: name, convert: Int($0) }\n      note"), []
    ),
    (
      "a number as text",
      v2(
        "size: Int",
        "size: { type: String, from: size, convert: String($0), revert: 'Int($0) ?? 0' }"),
      []
    ),
    (
      "an enum as its raw value",
      v2(
        "kind: Kind",
        "kindName: { type: String, from: kind, convert: $0.rawValue, revert: 'Kind(rawValue: $0) ?? .fern' }"
      ), []
    ),
    (
      "unique, with a dedupe",
      v2(
        "name: String\n      note",
        "name: { type: String, unique: true, dedupe: { latest: size } }\n      note"),
      ["Plant.name"]
    ),
    (
      "a case replaced",
      v2(
        "[fern, moss]", "[fern]",
        "drops: { Kind.moss: { reason: none is left, replacedBy: fern } }"), ["Kind.moss"]
    ),
    (
      "a case renamed with its raw value",
      v2("[fern, moss]", "{ fern: fern, lichen: { rawValue: moss, renamedFrom: moss } }"), []
    ),
    (
      "a narrower number that is accepted",
      v2(
        "size: Int", "size: Int16",
        "accept: [{ rule: number-type-changed, element: Plant.size, reason: all are small }]"),
      ["Plant.size"]
    ),
    (
      "a model with its links",
      ChangeRepository.v1.replacing(
        "      rooms: { relationship: \"[Room]\", inverse: plants }\n", with: ""
      ).replacing(
        "  Room:\n    properties:\n      name: String\n      plants: { relationship: \"[Plant]\" }\n",
        with: "") + "drops: { Room: plants stand anywhere }\n", ["Room"]
    ),
    ("an optional property", v2("size: Int", "size: Int\n      light: String?"), []),
  ]

  @Test("Every loss of shipped data needs an approval, and nothing else does", arguments: changes)
  func asked(_ change: (name: String, v2: String, lost: [String])) throws {
    let repository = try ChangeRepository(change.v2)
    let lint = try repository.lint()
    let errors = lint.findings.filter {
      $0.severity == .error && $0.rule.id != "unapproved-loss"
    }
    #expect(errors.isEmpty, "\(errors)")
    #expect(try repository.unapproved() == change.lost)
    try repository.approve(in: repository.branch)
    #expect(try repository.unapproved().isEmpty)
    // If no approvals are required, each loss is reported, and nothing fails.
    let alone = try ChangeRepository(change.v2, approvals: nil).lint().findings
    let told = alone.filter { $0.rule.id == "unapproved-loss" }
    let warned = alone.filter { $0.severity > .note }.compactMap(\.element)
    #expect(told.allSatisfy { $0.severity == .note })
    #expect(told.compactMap(\.element) == change.lost.filter { !warned.contains($0) })
  }

  @Test(
    "Dropping a property that never shipped needs no approval, unless it renames one that shipped")
  func drafts() throws {
    let v2 = Self.v2("size: Int", "size: Int\n      light: String?")
      .replacing("note: String?", with: "remark: { type: String?, renamedFrom: note }")
    let repository = try ChangeRepository(v2)
    let v3 = v2.replacing("      light: String?\n", with: "")
      .replacing("      remark: { type: String?, renamedFrom: note }\n", with: "")
    repository.branch["S/V3.yaml"] =
      "version: 3.0.0\n" + v3 + "drops: { Plant.light: no use, Plant.remark: no use }\n"
    #expect(try repository.unapproved() == ["Plant.remark"])
  }

  @Test("A shipped step needs no approval unless a correction of it loses more than before")
  func history() throws {
    let repository = try ChangeRepository(Self.dropped)
    let disk = repository.branch
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    try ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).write(to: disk)
    // It is marked as released in the same change, but according to main it has not shipped.
    #expect(try repository.unapproved() == ["Plant.note"])
    // Even if the draft is already on main.
    repository.main["S/V2.yaml"] = disk["S/V2.yaml"]
    #expect(try repository.unapproved() == ["Plant.note"])
    var shipped = repository
    shipped.main = MemoryDisk(disk.files)
    #expect(try shipped.unapproved().isEmpty)
    let more = Self.dropped.replacing(
      "note: String?\n", with: ""
    ).replacing(
      "nobody reads it", with: "nobody reads it, Kind.moss: { reason: no, replacedBy: fern }")
    shipped.branch["S/V2.yaml"] =
      "version: 2.0.0\n" + more.replacing("[fern, moss]", with: "[fern]")
      + "accept: [{ rule: shipped-step-edited, element: V2, reason: it was wrong }]\n"
    #expect(try shipped.unapproved() == ["Kind.moss"])
  }

  // MARK: What the same change cannot take back

  /// What an author alone could try, in addition to the loss itself.
  static let tricks: [(name: String, edit: @Sendable (MemoryDisk) throws -> Void)] = [
    ("nothing", { _ in }),
    (
      "the rule is off",
      { $0["S/schemagen.yaml"] = "approvals: owners\nrules: { attribute-removed: off }\n" }
    ),
    ("approvals are off", { $0["S/schemagen.yaml"] = "approvals: none\n" }),
    ("no configuration", { $0["S/schemagen.yaml"] = nil }),
    ("another policy", { $0["S/schemagen.yaml"] = "approvals: owners\npolicy: inferred\n" }),
    ("no lock", { $0["S/schema.lock"] = nil }),
    (
      "V2 is marked as shipped",
      { disk in
        try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
        try ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).write(to: disk)
      }
    ),
    (
      "a baseline",
      { disk in
        disk["S/lint-baseline.json"] = """
          { "format": 1, "findings": [
            { "rule": "unapproved-loss", "element": "Plant.note" },
            { "rule": "unapproved-loss", "element": "Plant.note", "version": "V2" } ] }
          """
      }
    ),
    ("an owner of one's own", { $0[".github/CODEOWNERS"] = "/S/ @author\n" }),
    (
      "an acceptance",
      { disk in
        disk["S/V2.yaml"]? +=
          "accept: [{ rule: unapproved-loss, element: Plant.note, reason: I say so }]\n"
      }
    ),
    ("a broken file of approvals", { $0["S/approvals.json"] = "{ \"format\": 1, " }),
    ("an empty one", { $0["S/approvals.json"] = "{ \"format\": 1, \"approvals\": [] }" }),
  ]

  @Test("Nothing in a change can approve the loss in it", arguments: tricks)
  func nothingHelps(_ trick: (name: String, edit: @Sendable (MemoryDisk) throws -> Void)) throws {
    for mode in ["owners", "base"] {
      let repository = try ChangeRepository(Self.dropped, approvals: mode)
      try trick.edit(repository.branch)
      let findings = try repository.lint().findings
      #expect(
        findings.contains { $0.rule.id == "unapproved-loss" && $0.severity == .error },
        "\(mode): \(findings)")
    }
  }

  @Test("Weakening the required approvals needs an approval itself")
  func withdrawal() throws {
    let repository = try ChangeRepository(
      ChangeRepository.v1.replacing("size: Int", with: "size: Int\n      x: Int?"))
    #expect(try repository.unapproved().isEmpty)
    for now in ["", "approvals: none\n", "approvals: base\n"] {
      repository.branch["S/schemagen.yaml"] = now
      #expect(try repository.unapproved() == ["approvals"], "\(now)")
    }
    try repository.approve(in: repository.branch)
    #expect(try repository.unapproved().isEmpty)
    repository.branch["S/schemagen.yaml"] = "approvals: none\n"
    #expect(try repository.unapproved() == ["approvals"])
  }

  @Test("A higher minimum system counts only once the base branch has it")
  func platforms() throws {
    let v2 = ChangeRepository.v1.replacing(
      "kind: Kind", with: "sort: { type: Kind, renamedFrom: kind }")
    let repository = try ChangeRepository(v2)
    #expect(try repository.lint().findings.contains { $0.rule.id == "codable-attribute-renamed" })
    repository.branch["S/schemagen.yaml"] = "approvals: owners\nplatforms: { iOS: 26 }\n"
    let found = try repository.lint().findings.map { "\($0.rule.id) \($0.severity)" }
    #expect(found.contains("codable-attribute-renamed error"))
    #expect(found.contains("weaker-checks note"))
    repository.main["S/schemagen.yaml"] = "approvals: owners\nplatforms: { iOS: 26 }\n"
    #expect(try repository.unapproved().isEmpty)
  }

  // MARK: Whose word counts

  @Test("Approvals in the change count only in 'owners' mode, those of the base always")
  func modes() throws {
    for (mode, owners, counts) in [
      ("owners", "/S/ @data", true), ("owners", "/S/*.yaml @data", false),
      ("owners", nil, false), ("base", "/S/ @data", false),
    ] {
      let repository = try ChangeRepository(Self.dropped, approvals: mode, owners: owners)
      try repository.approve(in: repository.branch)
      #expect(try repository.unapproved().isEmpty == counts, "\(mode), \(owners ?? "nobody")")
      if !counts {
        let help = try repository.lint().findings.first { $0.rule.id == "unapproved-loss" }?.help
        #expect(
          help?.first
            == "the approval in this change does not count: the change's author could have written it"
        )
      }
      try repository.approve(in: repository.main)
      #expect(try repository.unapproved().isEmpty, "\(mode)")
    }
  }

  @Test("An approval does not count once the answer that it approved changes")
  func answers() throws {
    func dedupe(_ by: String) -> String {
      Self.v2(
        "name: String\n      note",
        "name: { type: String, unique: true, dedupe: { \(by): size } }\n      note")
    }
    let repository = try ChangeRepository(dedupe("latest"))
    try repository.approve(in: repository.branch)
    #expect(try repository.unapproved().isEmpty)
    repository.branch["S/V2.yaml"] = "version: 2.0.0\n" + dedupe("earliest")
    let finding = try repository.lint().findings.first { $0.rule.id == "unapproved-loss" }
    #expect(
      finding?.help.first
        == "the loss was approved while the manifest said 'dedupe: { latest: size }'; "
        + "this change says 'dedupe: { earliest: size }'"
    )
    // Another reason loses nothing more.
    let drop = try ChangeRepository(Self.dropped)
    try drop.approve(in: drop.branch)
    drop.branch["S/V2.yaml"]?.replace("nobody reads it", with: "it was never shown")
    #expect(try drop.unapproved().isEmpty)
  }

  @Test(
    "Without a base a missing approval is a warning, and a first approval may be in the change"
  )
  func beginnings() throws {
    let repository = try ChangeRepository(Self.dropped)
    let found = try repository.lint(againstBase: false).findings
      .filter { $0.rule.id == "unapproved-loss" }
    #expect(found.map(\.severity) == [.warning])
    let first = try ChangeRepository(Self.dropped, approvals: nil)
    first.branch["S/schemagen.yaml"] = "approvals: base\n"
    #expect(try first.unapproved() == ["Plant.note"])
    #expect(try first.lint().findings.first { $0.rule.id == "unapproved-loss" }?.severity == .error)
    try first.approve(in: first.branch)
    #expect(try first.unapproved().isEmpty)
  }

  @Test("Approvals in a change do not count if the base cannot be read completely")
  func unreadableBase() throws {
    let repository = try ChangeRepository(Self.dropped, approvals: nil)
    repository.main["S/schemagen.yaml"] = "extends: ../policy/schemagen.yaml\n"
    repository.branch["S/schemagen.yaml"] = "approvals: base\n"
    try repository.approve(in: repository.branch)
    #expect(try repository.unapproved() == ["Plant.note"])
    // The configuration that it extends exists.
    repository.main["policy/schemagen.yaml"] = "batchSize: 100\n"
    #expect(try repository.unapproved().isEmpty)
    repository.main["policy/schemagen.yaml"] = "approvals: base\n"
    #expect(try repository.unapproved() == ["Plant.note"])
  }

  // MARK: The file

  @Test("An approvals file is read as written, and a malformed one is refused at its place")
  func file() throws {
    let repository = try ChangeRepository(Self.dropped)
    try repository.approve(in: repository.branch)
    let (approvals, problems) = Approvals.read(in: "S", repository.branch)
    #expect(problems.isEmpty && approvals.count == 1)
    #expect(approvals.text == repository.branch["S/approvals.json"])
    for text in [
      "", "[]", "{}", "{ \"format\": 2, \"approvals\": [] }", "{ \"format\": 1, \"approvals\": 3 }",
      "{ \"format\": 1, \"approvals\": [{}] }", "{ \"format\": 1, \"approvals\": [{", "\u{0}",
    ] {
      repository.branch["S/approvals.json"] = text
      let found = Approvals.read(in: "S", repository.branch)
      #expect(found.approvals.count == 0 && !found.diagnostics.isEmpty, "\(text)")
      #expect(found.diagnostics.allSatisfy { $0.location?.file == "S/approvals.json" }, "\(text)")
      #expect(try repository.unapproved() == ["Plant.note"], "\(text)")
    }
  }

  // MARK: Owners

  /// Lines of CODEOWNERS, and whether they give `App/Schemas/approvals.json` an owner.
  static let owners: [(lines: String, isOwned: Bool)] = [
    ("", false), ("* @team", true), ("/App/Schemas/approvals.json @team", true),
    ("App/Schemas/approvals.json\ta@example.org", true), ("App/ @team", true),
    ("/App/Schemas/ @team", true), ("/Schemas/ @team", false), ("*.yaml @team", false),
    ("approvals.json/ @team", false), ("/ @team", false),
    // Lines with two interpretations, or that only one platform reads.
    ("*.json @team", false), ("approvals.json @team", false), ("App @team", false),
    ("App/* @team", false), ("[Data] @team\n*", false), ("^[Data]\n* @team", false),
    ("* @team\n*.json", false), ("*.json\n* @team", true), ("* @team # all", true),
    ("# * @team", false), ("* nobody", false), ("* @", false), ("* @team\n!/App/ @team", false),
    ("[Code]\n*.swift @team\n[Data]\nApp/ @data", true),
    ("^[Code]\n*.swift @team\n[Data]\nApp/ @data", true),
  ]

  @Test("The owners of the approvals file are found in CODEOWNERS", arguments: owners)
  func owned(_ example: (lines: String, isOwned: Bool)) throws {
    let disk = MemoryDisk([".github/CODEOWNERS": example.lines])
    #expect(try isOwned(disk) == example.isOwned)
    // With two files, platforms differ in which one they read.
    disk["CODEOWNERS"] = "*.swift @team\n"
    #expect(try !isOwned(disk))
  }

  private func isOwned(_ disk: MemoryDisk) throws -> Bool {
    try ApprovalAuthority(
      name: "main", path: "App/Schemas", root: ("", "App/Schemas"), fileSystem: disk
    ).isOwned
  }
}
