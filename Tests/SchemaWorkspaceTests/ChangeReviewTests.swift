import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// What a change says about itself, and how strictly it is reviewed.
@Suite struct ChangeReviewTests {
  private static let required: String = ChangeRepository.v1.replacing(
    "note: String?", with: "note: String")

  private func found(_ repository: ChangeRepository) throws -> [String] {
    try repository.lint().findings.map { "\($0.rule.id) \($0.element ?? "") \($0.severity)" }
  }

  @Test("'identity: shipped' does not make a version shipped if the base does not know the version")
  func claimedVersions() throws {
    let repository = try ChangeRepository(Self.required + "identity: shipped\n", approvals: nil)
    _ = try repository.release()
    let found = try found(repository)
    #expect(found.contains("required-without-fill Plant.note error"), "\(found)")
    #expect(found.contains("weaker-checks V2 warning"), "\(found)")
    // According to the change alone the version has shipped.
    let alone = try repository.lint(againstBase: false).findings
    #expect(!alone.contains { $0.severity == .error }, "\(alone)")
  }

  /// Each change of the configuration, the element that its finding names, and an error that still counts.
  static let loosened: [(line: String, was: String, element: String, error: String?)] = [
    (
      "rules: { unacknowledged-drop: note, ambiguous-rename: note }\npolicy: inferred", "",
      "policy", "unacknowledged-drop Plant.note error"
    ),
    (
      "rules: { unacknowledged-drop: note }", "policy: strict", "rules",
      "unacknowledged-drop Plant.note error"
    ),
    ("rules: { model-differs: off }", "", "rules", nil),
    ("cloudKit: none", "cloudKit: private", "cloudKit", nil),
    (
      "cloudKit: private\ncloud: { container: iCloud.a.b }",
      "cloudKit: private\ncloud: { container: iCloud.a.c }", "cloud", nil
    ),
    ("platforms: { iOS: 26 }", "platforms: { iOS: 17, macOS: 14 }", "platforms", nil),
    ("classes: ../Frozen", "classes: ../App", "classes", nil),
  ]

  @Test(
    "Settings that weaken checks are reported, and the base's settings count", arguments: loosened)
  func configurations(
    _ example: (line: String, was: String, element: String, error: String?)
  ) throws {
    let dropped = ChangeRepository.v1.replacing("      note: String?\n", with: "")
    var repository = try ChangeRepository(dropped, approvals: nil)
    repository.main["S/schemagen.yaml"] = example.was + "\n"
    repository.branch["S/schemagen.yaml"] = example.line + "\n"
    let found = try found(repository)
    let severity = example.element == "platforms" ? "note" : "warning"
    #expect(found.contains("weaker-checks \(example.element) \(severity)"), "\(found)")
    if let error = example.error { #expect(found.contains(error), "\(found)") }
    // In the other direction nothing gets weaker.
    (repository.main, repository.branch) = (repository.branch, repository.main)
    repository.main["S/V2.yaml"] = nil
    repository.branch["S/V2.yaml"] = "version: 2.0.0\n" + dropped
    let back = try self.found(repository).filter { $0.hasPrefix("weaker-checks") }
    #expect(back.allSatisfy { $0.contains("classes") || $0.contains(" cloud ") }, "\(back)")
  }

  @Test("A change of declared build settings or digests needs another person's approval")
  func statements() throws {
    let opaque = ChangeRepository.v1 + "  Size: { opaque: true, own: true, coding: 11111111 }\n"
    for mode in [nil, "base"] {
      let repository = try ChangeRepository(
        opaque.replacing("11111111", with: "22222222").replacing(
          "size: Int", with: "size: Int\n      x: Int?"), approvals: mode, v1: opaque)
      let configuration = repository.main["S/schemagen.yaml"] ?? ""
      repository.branch["S/schemagen.yaml"] = configuration + "define: { LITE: false }\n"
      func told(_ rule: String) throws -> [String] {
        try repository.lint().findings.filter { $0.rule.id == rule }.compactMap(\.element).sorted()
      }
      #expect(try told("weaker-checks") == (mode == nil ? ["define.LITE"] : []))
      #expect(try told("unapproved-loss") == (mode == nil ? [] : ["Size", "define.LITE"]))
      try repository.approve(in: repository.main)
      #expect(try told("unapproved-loss") == [])
      repository.branch["S/schemagen.yaml"] = configuration + "define: { LITE: true }\n"
      #expect(try told("unapproved-loss") == (mode == nil ? [] : ["define.LITE"]))
    }
  }

  @Test("Changed functions of a shipped step are reported, and those of a draft are not")
  func functions() throws {
    let file = "S/Migrations/V1ToV2.swift"
    let more = ChangeRepository.v1.replacing(
      "size: Int", with: "size: { type: String, from: size, convert: { function: size } }")
    for mode in [nil, "base"] {
      var repository = try ChangeRepository(more, approvals: mode)
      let rule = mode == nil ? "weaker-checks" : "unapproved-loss"
      func isTold() throws -> Bool {
        try repository.lint().findings.contains {
          $0.rule.id == rule && $0.element == "V1ToV2.functions"
        }
      }
      repository.branch[file] =
        "extension V1ToV2 { static func size(_ size: Int) -> String { \"\" } }\n"
      #expect(try !isTold())
      _ = try repository.release()
      repository.main = MemoryDisk(repository.branch.files)
      #expect(try !isTold())
      repository.branch[file] =
        "extension V1ToV2 { static func size(_ size: Int) -> String { \"0\" } }\n"
      #expect(try isTold())
    }
  }

  @Test("An approval of a hook or template does not cover changed code")
  func code() throws {
    let more = ChangeRepository.v1.replacing("size: Int", with: "size: Int\n      x: Int?")
    for mode in [nil, "base"] {
      let repository = try ChangeRepository(more + "hooks: [before]\n", approvals: mode)
      let rule = mode == nil ? "weaker-checks" : "unapproved-loss"
      func isTold(_ element: String) throws -> Bool {
        try repository.lint().findings.contains { $0.rule.id == rule && $0.element == element }
      }
      let file = "S/Migrations/V1ToV2.swift"
      repository.branch[file] = "extension V1ToV2 { static func before() {} }\n"
      #expect(try isTold("V1ToV2.before"))
      try repository.approve(in: repository.main)
      #expect(try isTold("V1ToV2.before") == (mode == nil))
      repository.branch[file] = "extension V1ToV2 { static func before() { deleteAll() } }\n"
      #expect(try isTold("V1ToV2.before"), "what was approved is other code")
      #expect(try !isTold("templates"))
      let configuration = repository.main["S/schemagen.yaml"] ?? ""
      repository.branch["S/schemagen.yaml"] = configuration + "templates: T\n"
      repository.branch["S/T/MigrationLog.mustache"] = "{{%CONTENT_TYPE:TEXT}}\n// other\n"
      #expect(try isTold("templates"))
      repository.main["S/schemagen.yaml"] = repository.branch["S/schemagen.yaml"]
      repository.main["S/T/MigrationLog.mustache"] = repository.branch["S/T/MigrationLog.mustache"]
      #expect(try !isTold("templates"))
    }
  }
}
