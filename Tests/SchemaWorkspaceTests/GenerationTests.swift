import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// `generate` on a file system in memory: all or nothing, idempotent, careful with files of others.
@Suite struct GenerationTests {
  static let v1 = """
    version: 1.0.0
    models:
      Trip:
        entity: TripEntity
        properties:
          id: { type: UUID, unique: true }
          name: String = ""
          note: String?
    """
  static let v2 = """
    version: 2.0.0
    summary: Titles
    models:
      Trip:
        entity: TripEntity
        properties:
          id: { type: UUID, unique: true }
          title: { type: String, default: '""', renamedFrom: name }
          length: { type: Int, from: note, convert: '$0?.count ?? 0', revert: 'String($0)' }
    """

  private func disk(_ more: [String: String] = [:]) -> MemoryDisk {
    MemoryDisk(["S/V1.yaml": Self.v1, "S/V2.yaml": Self.v2].merging(more) { $1 })
  }

  private func generate(_ disk: MemoryDisk) throws -> GenerationRun {
    let generation = GenerationPipeline(fileSystem: disk).run("S")
    try generation.write(to: disk)
    return generation
  }

  @Test("A first run writes everything, and a second run changes nothing")
  func isIdempotent() throws {
    let disk = disk()
    let first = try generate(disk)
    #expect(first.diagnostics.isEmpty)
    #expect(first.changes.allSatisfy { $0.action == .create })
    let paths = Set(first.changes.map(\.path))
    for path in [
      "S/Generated/SchemaV1.swift", "S/Generated/SchemaV1ToV2.swift",
      "S/Generated/SchemaV2+Conversion.swift", "S/Generated/MigrationPlan.swift",
      "S/Generated/ActiveSchema.swift", "S/Migrations/MigrationLog.swift", "S/MIGRATIONS.md",
      "S/schema.lock",
    ] {
      #expect(paths.contains(path), "\(path)")
    }
    let writes = disk.writes
    let second = try generate(disk)
    #expect(second.changes.isEmpty && disk.writes == writes)
  }

  @Test("A changed base configuration is noticed, and a missing one is an error")
  func extended() throws {
    let disk = disk([
      "S/schemagen.yaml": "extends: ../policy/schemagen.yaml\n",
      "policy/schemagen.yaml": "extends: more.yaml\naccess: public\n",
      "policy/more.yaml": "names: { plan: SharedPlan }\n",
    ])
    #expect(try !generate(disk).changes.isEmpty)
    #expect(disk["S/Generated/SchemaV2.swift"]?.contains("public enum SchemaV2") == true)
    #expect(disk["S/Generated/SharedPlan.swift"]?.contains("SharedPlan") == true)
    #expect(try generate(disk).changes.isEmpty)
    disk["policy/schemagen.yaml"] = "extends: more.yaml\naccess: package\n"
    #expect(try !generate(disk).changes.isEmpty)
    #expect(disk["S/Generated/SchemaV2.swift"]?.contains("package enum SchemaV2") == true)
    disk["policy/more.yaml"] = "names: { plan: OtherPlan }\n"
    #expect(try !generate(disk).changes.isEmpty)
    #expect(disk["S/Generated/OtherPlan.swift"]?.contains("OtherPlan") == true)
    disk["policy/more.yaml"] = "names: { plan: 1Plan }\n"
    let wrong = try generate(disk)
    #expect(wrong.diagnostics.first?.location?.file == "policy/more.yaml" && wrong.changes.isEmpty)
    disk["policy/more.yaml"] = nil
    let gone = try generate(disk)
    #expect(gone.diagnostics.map(\.location?.file) == ["policy/schemagen.yaml"])
    #expect(gone.diagnostics.first?.message.contains("'more.yaml' cannot be extended") == true)
  }

  @Test("A generation that fails restores all files", arguments: 1...12)
  func isAllOrNothing(_ number: Int) throws {
    let disk = disk()
    _ = try generate(disk)
    disk["S/V2.yaml"] = Self.v2.replacing("Titles", with: "Names").replacing(
      "title:", with: "name2:")
    let before = disk.files
    let generation = GenerationPipeline(fileSystem: disk).run("S")
    try #require(generation.changes.count >= 5)
    disk.fail(at: min(number, generation.changes.count))
    #expect(throws: FileSystemError.self) { try generation.write(to: disk) }
    #expect(disk.files == before)
  }

  @Test("An error in any version prevents generation from writing files")
  func errorsWriteNothing() throws {
    let disk = disk()
    disk["S/V2.yaml"] = Self.v2.replacing(
      ", from: note, convert: '$0?.count ?? 0', revert: 'String($0)'", with: "")
    let generation = GenerationPipeline(fileSystem: disk).run("S")
    #expect(generation.diagnostics.map(\.rule.id).contains("missing-default"))
    #expect(generation.changes.isEmpty && !generation.isMalformed)
  }

  @Test("An obsolete generated file is removed only if it carries schemagen's mark")
  func prunes() throws {
    let disk = disk()
    _ = try generate(disk)
    disk["S/Generated/Mine.swift"] = "// Mine\n"
    disk["S/V2.yaml"] = Self.v1.replacing("1.0.0", with: "2.0.0")
      .replacing("note: String?", with: "note: String?\n      more: Int?")
    let generation = try generate(disk)
    let removed = generation.changes.filter { $0.action == .remove }.map(\.path)
    #expect(removed == ["S/Generated/SchemaV1ToV2.swift", "S/Generated/V1ToV2Rows.swift"])
    #expect(disk["S/Generated/Mine.swift"] == "// Mine\n")
    #expect(disk["S/Generated/SchemaV1ToV2.swift"] == nil)
  }

  @Test("A file that schemagen did not write is not overwritten")
  func foreignFiles() throws {
    let disk = disk(["S/Generated/SchemaV1.swift": "// by hand\n"])
    let generation = GenerationPipeline(fileSystem: disk).run("S")
    #expect(generation.diagnostics.map(\.rule.id) == ["foreign-file"])
    #expect(generation.changes.isEmpty)
  }

  @Test("An edited generated file is restored, and an edited user file is kept")
  func edits() throws {
    let disk = disk()
    _ = try generate(disk)
    let schema = try #require(disk["S/Generated/SchemaV1.swift"])
    disk["S/Generated/SchemaV1.swift"] = schema + "// edited\n"
    disk["S/Migrations/MigrationLog.swift"] = "// my own\n"
    let check = GenerationPipeline(fileSystem: disk).run("S")
    #expect(check.changes.map(\.path) == ["S/Generated/SchemaV1.swift"])
    try check.write(to: disk)
    #expect(disk["S/Generated/SchemaV1.swift"] == schema)
    #expect(disk["S/Migrations/MigrationLog.swift"] == "// my own\n")
    disk["S/Migrations/MigrationLog.swift"] = nil
    #expect(GenerationPipeline(fileSystem: disk).run("S").changes.map(\.action) == [.create])
  }

  @Test("A function missing in a user file is reported with its signature")
  func unwrittenFunctions() throws {
    let disk = disk()
    disk["S/V2.yaml"] = Self.v2.replacing("'$0?.count ?? 0'", with: "{ function: measure }")
    let written = GenerationPipeline(fileSystem: disk).run("S")
    #expect(written.diagnostics.map(\.rule.id) == ["unwritten-function"])
    #expect(written.diagnostics.allSatisfy { $0.severity == .warning })
    try written.write(to: disk)
    #expect(disk["S/Migrations/V1ToV2.swift"]?.contains("#error") == true)
    // The app does not compile with it, so 'check' reports it and 'release' refuses it.
    func found() -> [Diagnostic] {
      Linter(Linter.Options(today: CalendarDay("2026-01-01")!), fileSystem: disk).run("S").findings
        .filter { $0.rule.id == "unwritten-function" }
    }
    #expect(found().map(\.severity) == [.error])
    let scaffold = try #require(disk["S/Migrations/V1ToV2.swift"])
    let lines = scaffold.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      found().first?.location?.line == lines.firstIndex { $0.contains("#error") }.map { $0 + 1 })
    let release = ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk)
    #expect(release.versions == [] && release.diagnostics.hasErrors)
    #expect(ReleaseMarking.prepare("S", upTo: VersionNumber(1), fileSystem: disk).versions != [])
    disk["S/Migrations/V1ToV2.swift"] = scaffold.replacing(#/#error.*/#, with: "note?.count ?? 0")
    #expect(found() == [])
    #expect(ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).versions.count == 2)
    disk["S/Migrations/V1ToV2.swift"] = "enum V1ToV2 {}\n"
    let finding = try #require(
      GenerationPipeline(fileSystem: disk).run("S").diagnostics.first)
    #expect(finding.rule.id == "unwritten-function" && finding.severity == .warning)
    #expect(finding.help.first?.contains("static func measure(_ note: String?) -> Int {") == true)
    #expect(disk["S/Migrations/V1ToV2.swift"] == "enum V1ToV2 {}\n")
  }

  @Test("A hook that uses rows of another version is reported")
  func rowsOfAnotherVersion() throws {
    let disk = disk()
    let converted = Self.v2.split(separator: "\n").last.map { String($0) } ?? ""
    let plain = Self.v2.replacing(converted, with: "      note: String?")
    func hooked(_ manifest: String) -> String { manifest + "\nhooks: [before]\n" }
    func findings() -> [Diagnostic] {
      GenerationPipeline(fileSystem: disk).run("S").diagnostics.filter {
        $0.rule.id == "rows-of-other-version"
      }
    }
    disk["S/V2.yaml"] = hooked(Self.v2)
    disk["S/Migrations/V1ToV2.swift"] = """
      // Not SchemaV1.Trip: a comment.
      enum V1ToV2 {
        static func before(_ context: ModelContext) throws {
          for row in try context.fetch(FetchDescriptor<SchemaV1.Trip>()) { row.title = "" }
          _ = (SchemaV1.versionIdentifier, SchemaV1ToV2.Trip.self, MySchemaV1.Trip.self)
        }
      }

      """
    let found = try #require(findings().first)
    #expect(findings().count == 1)
    #expect(found.location?.line == 4 && found.help == ["write 'SchemaV1ToV2.Trip'"])
    #expect(found.severity == .error)

    disk["S/V2.yaml"] = hooked(plain)
    #expect(findings().map(\.help) == [["write 'SchemaV1.Trip'"]])
    #expect(findings().first?.location?.line == 5)

    // Nothing calls it any more, so nobody has to correct it.
    func types(_ manifest: String) throws -> UserFileTypes? {
      disk["S/V2.yaml"] = manifest
      let evolution = try #require(SchemaFolder.read("S", fileSystem: disk).evolution)
      return UserFileTypes(path: "S/Migrations/V1ToV2.swift", text: "", evolution)
    }
    #expect(try types(plain) == nil && types(hooked(plain)) != nil)
  }

  @Test("Files move if the configuration names new folders")
  func moves() throws {
    let disk = disk(["S/schemagen.yaml": "output: Made\n"])
    _ = try generate(disk)
    disk["S/Migrations/MigrationLog.swift"] = "// my own\n"
    disk["S/Made/Mine.swift"] = "// Mine\n"
    disk["S/schemagen.yaml"] = "output: ../App\nowned: ../Own\ndocumentation: CHANGES.md\n"
    #expect(try generate(disk).diagnostics.isEmpty)
    let left = disk.files.keys.filter { $0.hasPrefix("S/") }.sorted()
    let manifests = ["S/V1.yaml", "S/V2.yaml", "S/schema.lock", "S/schemagen.yaml"]
    #expect(left == ["S/CHANGES.md", "S/Made/Mine.swift"] + manifests)
    #expect(disk["App/SchemaV1.swift"] != nil && disk["Own/MigrationLog.swift"] == "// my own\n")
    #expect(try generate(disk).changes.isEmpty)
  }

  @Test("A user file that is no longer called is reported and kept", arguments: [1, 2])
  func uncalledFiles(_ runs: Int) throws {
    let disk = disk()
    disk["S/V2.yaml"] = Self.v2.replacing("'$0?.count ?? 0'", with: "{ function: measure }")
    _ = try generate(disk)
    disk["S/V2.yaml"] = Self.v2
    for _ in 1...runs {
      let found = try generate(disk).diagnostics
      #expect(found.map(\.rule.id) == ["uncalled-user-file"])
      #expect(found.first?.message == "nothing calls 'S/Migrations/V1ToV2.swift' any more")
    }
    #expect(disk["S/Migrations/V1ToV2.swift"] != nil)
    disk["S/Migrations/V1ToV2.swift"] = nil
    #expect(try generate(disk).diagnostics.isEmpty)
  }

  @Test("A user file that moves to another folder exists at every moment", arguments: 1...3)
  func movesInOrder(_ number: Int) throws {
    let disk = disk()
    _ = try generate(disk)
    disk["S/Migrations/MigrationLog.swift"] = "// my own\n"
    disk["S/schemagen.yaml"] = "owned: Own\n"
    let changes = GenerationPipeline(fileSystem: disk).run("S").changes
    #expect(changes.count == 3)
    disk.die(at: number)
    #expect(throws: FileSystemError.self) { try changes.write(in: "S", to: disk) }
    #expect(disk.files.values.contains("// my own\n"))
  }

  @Test("A rule that does not exist cannot be configured or accepted")
  func unknownRules() throws {
    let disk = disk(["S/schemagen.yaml": "rules: { shared-defalt: off }\n"])
    disk["S/V2.yaml"] = Self.v2 + "\naccept: [{ rule: nonsense, element: Trip, reason: why }]\n"
    let findings = GenerationPipeline(fileSystem: disk).run("S").diagnostics
    let unknown = findings.filter { $0.rule.id == "unknown-rule" }
    #expect(
      unknown.count == 2 && unknown.contains { $0.help == ["did you mean 'shared-default'?"] })
  }

  @Test("A folder in place of a manifest is an error")
  func strangeFiles() throws {
    let disk = disk(["S/V3.yaml/x": ""])
    #expect(
      GenerationPipeline(fileSystem: disk).run("S").diagnostics.first?.message
        == "'S/V3.yaml' is a folder")
  }

  @Test("Comments and the order of keys change neither the lock nor generated files")
  func commentsAreNoChange() throws {
    let disk = disk()
    _ = try generate(disk)
    let before = disk.files
    disk["S/V1.yaml"] = "# a comment\n" + Self.v1 + "\n"
    disk["S/V2.yaml"] = Self.v2.replacing(
      "{ type: String, default: '\"\"', renamedFrom: name }",
      with: "{ renamedFrom: name, default: '\"\"', type: String }")
    let generation = GenerationPipeline(fileSystem: disk).run("S")
    #expect(generation.folder != nil, "the bytes differ, so the manifests are read")
    #expect(generation.changes.isEmpty, "\(generation.changes.map(\.path))")
    #expect(disk["S/schema.lock"] == before["S/schema.lock"])
  }

  @Test(
    "A user's template replaces the built-in one, and an unknown name in it is an error"
  )
  func templates() throws {
    let disk = disk(["S/schemagen.yaml": "templates: T\n"])
    disk["S/T/MigrationLog.mustache"] =
      "{{%CONTENT_TYPE:TEXT}}\n// {{mark}}\nenum MigrationLog {}\n"
    let generation = GenerationPipeline(fileSystem: disk).run("S")
    let log = generation.changes.first { $0.path == "S/Migrations/MigrationLog.swift" }
    #expect(
      log.map { String(decoding: $0.contents, as: UTF8.self) }?.hasSuffix("enum MigrationLog {}\n")
        == true)
    disk["S/T/MigrationLog.mustache"] = "// {{mark}}\n  {{marc}}\n"
    let broken = GenerationPipeline(fileSystem: disk).run("S")
    let finding = try #require(broken.diagnostics.first)
    #expect(
      finding.rule.id == "template" && finding.location?.line == 2 && finding.location?.column == 3)
    #expect(finding.help.first == "did you mean 'mark'?")
    disk["S/T/MigrationLog.mustache"] = nil
    disk["S/T/Migrationlog.mustache"] = ""
    #expect(GenerationPipeline(fileSystem: disk).run("S").diagnostics.first?.rule.id == "template")
  }

  @Test("Severities can be configured, except for rules about failing migrations")
  func ruleLevels() throws {
    let shared = Self.v2.replacing(
      "length: { type: Int, from: note, convert: '$0?.count ?? 0', revert: 'String($0)' }",
      with: "note: String?\n      made: Date = Date()")
    let disk = disk(["S/V2.yaml": shared])
    #expect(GenerationPipeline(fileSystem: disk).run("S").diagnostics.map(\.severity) == [.warning])
    disk["S/schemagen.yaml"] = "rules: { shared-default: error }\n"
    #expect(GenerationPipeline(fileSystem: disk).run("S").diagnostics.hasErrors)
    disk["S/schemagen.yaml"] = "rules: { shared-default: off }\n"
    #expect(GenerationPipeline(fileSystem: disk).run("S").diagnostics.isEmpty)
    disk["S/V2.yaml"] = shared.replacing("made: Date = Date()", with: "made: Date")
    disk["S/schemagen.yaml"] = "rules: { missing-default: off }\n"
    let refused = GenerationPipeline(fileSystem: disk).run("S").diagnostics
    #expect(refused.map(\.rule.id).sorted() == ["missing-default", "refused-level"])
  }
}
