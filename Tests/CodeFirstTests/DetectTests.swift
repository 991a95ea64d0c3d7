import CodeFirst
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import Testing

@Suite struct DetectTests {
  private static let manifest = """
    version: 1.0.0
    models:
      SDHabit:
        entity: Habit
        properties:
          id: { type: UUID, default: UUID(), unique: true }
          name: String = ""
          kind: Kind = Kind.daily
          settings: { type: Data, default: Data(), encodes: "[Int]", fallback: "[]", inEntity: omit }
          logs: { relationship: "[SDLog]", inverse: habit, deleteRule: cascade }
      SDLog:
        properties:
          date: Date = Date.distantPast
          habit: { relationship: "SDHabit?" }
    types:
      Kind: { enum: String, cases: [daily, weekly] }
    """

  /// A folder of manifests with everything generated, in memory.
  private func generated(_ manifests: [(String, String)] = [("V1.yaml", manifest)]) throws
    -> MemoryFiles
  {
    let files = MemoryFiles(
      manifests.map { SourceFile(path: "Schemas/\($0.0)", text: $0.1) })
    let generation = GenerationPipeline(fileSystem: files).run("Schemas")
    try #require(!generation.diagnostics.hasErrors)
    try generation.write(to: files)
    return files
  }

  private func detect(_ files: MemoryFiles, _ more: [(String, String)] = []) -> Detection {
    var sources = files.changes.compactMap { path, bytes in
      bytes.map { SourceFile(path: path, bytes: $0) }
    }.filter { $0.path.hasSuffix(".swift") }
    sources += more.map { SourceFile(path: $0.0, text: $0.1) }
    return Detection(
      files: sources, folders: ["Schemas"], today: CalendarDay("2026-11-21")!, fileSystem: files)
  }

  private func edit(_ files: MemoryFiles, _ path: String, _ old: String, _ new: String) throws {
    let bytes = try #require(try files.read(path, limit: 1 << 20))
    let text = String(decoding: bytes, as: UTF8.self)
    try #require(text.contains(old))
    files.write(Array(text.replacing(old, with: new).utf8), to: path)
  }

  private func lines(_ detect: Detection) -> [String] {
    detect.findings.map { "\($0.location?.line ?? 0) \($0.rule.id) \($0.element ?? "")" }
  }

  @Test func whatIsGeneratedMatches() throws {
    let detect = detect(try generated())
    #expect(detect.findings.map(\.message) == [])
    #expect(detect.schemas.map(\.version) == [VersionNumber(1)])
  }

  /// The plan's versions are generated now, so the help must not name options of 'adopt'.
  @Test func plansThatAreLeftOverAreToGo() throws {
    let plan = """
      import SwiftData
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [SchemaV1.self] }
        static var stages: [MigrationStage] { [] }
      }

      """
    let files = try generated()
    for plans in [plan, plan + plan.replacing("enum Plan", with: "enum Other")] {
      let found = detect(files, [("App/Plan.swift", plans)]).findings
      #expect(found.map(\.rule) == [.cannotAdopt])
      let help = found.flatMap(\.help).joined()
      #expect(help.contains("open the store with the plan"), "\(found)")
      #expect(!help.contains("--plan"), "\(help)")
    }
  }

  /// Nothing else reads the app's own types. If only the manifest changed, the help shows both answers.
  @Test(arguments: [
    ("", "change V1.yaml, which has not shipped"),
    (
      "identity: shipped\n",
      "run 'schemagen new-version' and make the change there, since V1 has shipped"
    ),
  ])
  func anOwnEnumWithAnotherRawValue(identity: String, wayOut: String) throws {
    let manifest = Self.manifest.replacing(
      "Kind: { enum: String, cases: [daily, weekly] }",
      with: "Kind: { enum: String, cases: { daily: d, weekly: weekly }, own: true }")
    let files = try generated([("V1.yaml", identity + manifest)])
    let detect = detect(
      files, [("App/Kind.swift", "enum Kind: String, Codable { case daily, weekly }")])
    let finding = try #require(detect.findings.first { $0.rule == .modelDiffers })
    #expect(finding.location?.file == "App/Kind.swift")
    #expect(finding.help.count == 2)
    #expect(finding.help[0].hasPrefix("if V1 is right, change 'Kind' in the app"))
    #expect(finding.help[1].hasPrefix("if the app is right, " + wayOut))
  }

  @Test func aNewModelIsToldWithItsManifest() throws {
    let detect = detect(
      try generated(),
      [
        (
          "App/Streak.swift",
          """
          import SwiftData

          @Model final class SDHabitStreak {
            var length = 0
            var habit: ActiveSDHabit?
            init() {}
          }
          """
        )
      ])
    #expect(lines(detect) == ["3 new-model SDHabitStreak"])
    let help = try #require(detect.findings.first?.help.first)
    #expect(
      help == """
        V1 has not shipped yet: make the change in V1.yaml:
        models:
          SDHabitStreak:
            properties:
              length: Int = 0
              habit: { relationship: "SDHabit?" }
        """)
  }

  @Test(arguments: [
    (
      "var name: String = \"\"", "var name: String?", ["model-differs SDHabit.name"]
    ),
    (
      "var name: String = \"\"", "var name: String = \"\"\n    var size = 1",
      ["model-differs SDHabit.size"]
    ),
    ("    var name: String = \"\"\n", "", ["model-differs SDHabit.name"]),
    ("deleteRule: .cascade, ", "", ["model-differs SDHabit.logs"]),
    ("    var name: String", "    // Only a comment.\n    var name: String", []),
    ("      SchemaV1.SDLog.self,\n", "", ["unlisted-model SDLog"]),
  ])
  func anEditedFileIsToldWithWhatItChanges(
    old: String, new: String, expected: [String]
  ) throws {
    let files = try generated()
    try edit(files, "Schemas/Generated/SchemaV1.swift", old, new)
    let detect = detect(files)
    let rules = detect.findings.map { "\($0.rule.id) \($0.element ?? "")" }
    #expect(
      Set(rules) == Set(expected + ["edited-generated-file Schemas"]),
      "\(detect.findings.map(\.message))")
    let edited = try #require(detect.findings.first { $0.rule.id == "edited-generated-file" })
    let text = String(
      decoding: try #require(try files.read("Schemas/Generated/SchemaV1.swift", limit: 1 << 20)),
      as: UTF8.self)
    let line = text.split(separator: "\n", omittingEmptySubsequences: false)[
      edited.location!.line - 1]
    // The first line that differs: what was added, or what follows what was removed.
    #expect(new.isEmpty || new.contains(line.drop { $0 == " " }))
  }

  @Test func handWrittenModelsAreHeldAgainstTheirManifest() throws {
    // No generated code: the manifest mirrors what is written by hand.
    let files = MemoryFiles([SourceFile(path: "Schemas/V1.yaml", text: Self.manifest)])
    let models = """
      import Foundation
      import SwiftData

      enum Kind: String, Codable { case daily, weekly, monthly }

      @Model final class SDHabit {
        @Attribute(.unique) var id: UUID = UUID()
        var name: Int = 0
        var kind: Kind = Kind.daily
        var settings: Data = Data()
        init() {}
      }
      """
    let detect = detect(files, [("App/Models.swift", models)])
    #expect(
      lines(detect) == [
        "4 model-differs Kind.monthly", "6 model-differs SDHabit.logs",
        "8 model-differs SDHabit.name", "8 model-differs SDHabit.name", "11 removed-model SDLog",
      ], "\(detect.findings)")
  }

  @Test func aModelThatIsNoClassAnyMoreIsTold() throws {
    let files = MemoryFiles([SourceFile(path: "Schemas/V1.yaml", text: Self.manifest)])
    let detect = detect(
      files,
      [
        (
          "App/Log.swift",
          "@Model final class SDLog { var date: Date = Date.distantPast\ninit() {} }"
        )
      ])
    #expect(
      detect.findings.map { "\($0.rule.id) \($0.element ?? "")" }.sorted()
        == ["model-differs SDLog.habit", "removed-model SDHabit"])
  }

  @Test func anotherVersionsFilesAreNoModels() throws {
    let second = Self.manifest.replacing("version: 1.0.0", with: "version: 2.0.0")
      .replacing("  SDLog:", with: "  SDNote:\n    properties: { text: String = \"\" }\n  SDLog:")
    let files = try generated([("V1.yaml", Self.manifest), ("V2.yaml", second)])
    #expect(detect(files).findings.map(\.message) == [])
  }

  @Test func aVersionThatIsNotGeneratedYetIsNoRemovedModel() throws {
    let files = try generated()
    files.write(
      Array(Self.manifest.replacing("version: 1.0.0", with: "version: 2.0.0").utf8),
      to: "Schemas/V2.yaml")
    let detect = detect(files)
    #expect(detect.findings.map(\.rule.id) == ["empty-version"], "\(detect.findings)")
  }

  @Test func aSecondClassOfTheNameIsTold() throws {
    let detect = detect(
      try generated(),
      [("App/Own.swift", "struct Own { @Model final class SDLog { var a = 1\ninit() {} } }")])
    #expect(lines(detect) == ["1 new-model SDLog"])
  }

  @Test func anEmptiedFileIsNotOverlooked() throws {
    let files = try generated()
    files.write([], to: "Schemas/Generated/SchemaV1.swift")
    #expect(detect(files).findings.contains { $0.rule.id == "edited-generated-file" })
  }

  @Test func withoutAnyClassNothingIsAsItShouldBe() {
    let files = MemoryFiles([SourceFile(path: "Schemas/V1.yaml", text: Self.manifest)])
    #expect(detect(files).findings.map(\.rule.id) == ["removed-model"])
  }

  @Test func aCommentAboveAttributesIsAboutTheClass() throws {
    let model =
      "// schemagen:accept new-model: a cache\n@available(iOS 18, *)\n@Model\nfinal class Cache { init() {} }"
    let detect = detect(try generated(), [("App/Cache.swift", model)])
    #expect(detect.findings.map(\.message) == [])
    #expect(detect.accepted.count == 1)
  }

  @Test(arguments: [
    ("// schemagen:accept new-model: a cache that no release has", []),
    ("// schemagen:accept new-model until 2026-11-21: next week", []),
    (
      "// schemagen:accept new-model until 2026-11-20: last week",
      ["expired-acceptance", "new-model"]
    ),
    ("// schemagen:accept new-model", ["malformed-acceptance", "new-model"]),
    ("// schemagen:accept removed-model: wrong", ["new-model", "unused-acceptance"]),
    // A rule that 'detect' does not check.
    ("// schemagen:accept hardcoded-version: right elsewhere", ["new-model"]),
  ])
  func findingsAreAcceptedInComments(comment: String, expected: [String]) throws {
    let model = comment + "\n@Model final class Cache { init() {} }"
    let detect = detect(try generated(), [("App/Cache.swift", model)])
    #expect(detect.findings.map(\.rule.id).sorted() == expected)
    #expect(detect.accepted.count == (expected.isEmpty ? 1 : 0))
  }

  @Test func severitiesAreTheConfigurations() throws {
    let files = try generated([
      ("V1.yaml", Self.manifest), ("schemagen.yaml", "rules: { new-model: note }"),
    ])
    let detect = detect(files, [("App/Cache.swift", "@Model final class Cache { init() {} }")])
    #expect(detect.findings.map(\.severity) == [.note])
  }

  @Test func brokenManifestsAreMalformed() {
    let files = MemoryFiles([SourceFile(path: "Schemas/V1.yaml", text: "version: x\n")])
    let detect = detect(files)
    #expect(detect.isMalformed)
    #expect(detect.findings.hasErrors)
    let text = DetectionReport(detect).document.text()
    #expect(text.contains("NOT COMPARED WITH EVERYTHING"), "\(text)")
    #expect(!text.contains("no migration needed"))
  }

  @Test func itReadsAsTheSeedShowsIt() throws {
    let files = try generated()
    let calm = DetectionReport(detect(files)).document.text()
    #expect(
      calm == """
        🔍 [Schema Detection] Checking for model changes requiring new migration...
        ✅ [Schema Detection] Models match latest schema - no migration needed
        📋 [Schema Detection] Current schema version: V1

        """)
    #expect(
      DetectionReport(detect(files)).headline
        == "🔍 [Schema Detection] Complete: \(detect(files).count) Swift files, nothing to do")
    let model = "@Model final class SDHabitStreak { init() {} }"
    let found = detect(files, [("App/Streak.swift", model)])
    #expect(
      DetectionReport(found).document.text() == """
        🔍 [Schema Detection] Checking for model changes requiring new migration...
        🚨 [Schema Detection] NEW MODELS DETECTED:
           ➕ SDHabitStreak
        🎯 ACTION REQUIRED: Add to V1.yaml, which has not shipped yet
        📋 [Schema Detection] Current schema version: V1
        📖 [Schema Detection] Need help? schemagen explain RULE

        """)
  }

  @Test("Detection reports a changed constant of an option set, but not a new one")
  func optionSets() throws {
    let app =
      "struct Flags: OptionSet, Codable { let rawValue: Int; static let a = Flags(rawValue: 1) }"
    let manifest = """
      version: 1.0.0
      models: { A: { properties: { flags: Flags? } } }
      types: { Flags: { opaque: true } }
      """
    let asked = detect(try generated([("V1.yaml", manifest)]), [("App/Flags.swift", app)])
    let help = asked.findings.map { $0.help.joined() }.joined()
    let coding = String(help[try #require(help.firstRange(of: "coding: ")).upperBound...])
    let known = try generated([
      ("V1.yaml", manifest.replacing("opaque: true", with: "opaque: true, coding: \(coding)"))
    ])
    func found(_ code: String) -> [String] {
      detect(known, [("App/Flags.swift", code)]).findings.map(\.rule.id)
    }
    #expect(found(app) == [])
    let more = "; static let b = Flags(rawValue: 2) }"
    #expect(found(String(app.dropLast(2)) + more) == [])
    #expect(found(app.replacing("rawValue: 1)", with: "rawValue: 4)")) == ["model-differs"])
  }
}
