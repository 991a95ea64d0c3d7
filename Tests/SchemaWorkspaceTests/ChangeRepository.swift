import SchemaModel
import SchemaWorkspace
import TestSupport

/// A repository: V1 has shipped on main, and a branch has V2.
struct ChangeRepository {
  static let v1: String = """
    models:
      Plant:
        properties:
          name: String
          note: String?
          size: Int
          kind: Kind
          rooms: { relationship: "[Room]", inverse: plants }
      Room:
        properties:
          name: String
          plants: { relationship: "[Plant]" }
    types:
      Kind: { enum: String, cases: [fern, moss] }

    """

  var main: MemoryDisk
  var branch: MemoryDisk

  /// - Parameters:
  ///   - v2: What the branch adds, but for its first line.
  ///   - v1: What has shipped, likewise.
  init(
    _ v2: String, approvals: String? = "owners", owners: String? = "/S/ @data", v1: String = Self.v1
  ) throws {
    main = MemoryDisk(["S/V1.yaml": "version: 1.0.0\n" + v1])
    if let approvals { main["S/schemagen.yaml"] = "approvals: \(approvals)\n" }
    if let owners { main[".github/CODEOWNERS"] = owners + "\n" }
    try GenerationPipeline(fileSystem: main).run("S").write(to: main)
    try ReleaseMarking.prepare("S", upTo: nil, fileSystem: main).write(to: main)
    branch = MemoryDisk(main.files)
    branch["S/V2.yaml"] = "version: 2.0.0\n" + v2
  }

  var base: ComparisonBase {
    get throws {
      let authority = try ApprovalAuthority(
        name: "origin/main", path: "S", root: ("", "S"), fileSystem: main)
      return try ComparisonBase(
        name: "origin/main", path: "S", isRelease: false, authority: authority, fileSystem: main)
    }
  }

  func lint(againstBase: Bool = true) throws -> LintResult {
    let options = Linter.Options(
      today: CalendarDay(year: 2026, month: 1, day: 1)!, baseline: "S/lint-baseline.json",
      base: againstBase ? try base : nil)
    return Linter(options, fileSystem: branch).run("S")
  }

  /// Marks the branch's versions as released, as `schemagen release` does.
  func release() throws -> ReleaseMarking {
    try GenerationPipeline(fileSystem: branch).run("S").write(to: branch)
    let marking = ReleaseMarking.prepare("S", upTo: nil, fileSystem: branch)
    try marking.write(to: branch)
    return marking
  }

  /// The losses without an approval, by element.
  func unapproved(againstBase: Bool = true) throws -> [String] {
    try lint(againstBase: againstBase).findings.filter { $0.rule.id == "unapproved-loss" }
      .compactMap(\.element)
  }

  /// Approves every loss, as `schemagen approve` does.
  func approve(in disk: MemoryDisk) throws {
    var approvals = Approvals()
    for loss in try lint().losses.losses { approvals.approve(loss, measured: []) }
    disk["S/approvals.json"] = approvals.text
  }
}
