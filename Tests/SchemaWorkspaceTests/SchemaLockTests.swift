import Foundation
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// `schema.lock`: its contents, when it changes, and the findings about it.
@Suite struct SchemaLockTests {
  private func generated() throws -> MemoryDisk {
    let disk = MemoryDisk([
      "S/V1.yaml": GenerationTests.v1, "S/V2.yaml": GenerationTests.v2,
    ])
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    return disk
  }

  private func read(_ disk: MemoryDisk) -> SchemaLock {
    SchemaLock.read(SourceFile(path: "S/schema.lock", text: disk["S/schema.lock"] ?? "")).lock
  }

  /// Marks a version as shipped.
  private func release(_ number: VersionNumber, _ disk: MemoryDisk) {
    let release = ReleaseMarking.prepare("S", upTo: number, fileSystem: disk)
    #expect(release.versions == [number] && release.diagnostics.isEmpty)
    #expect(throws: Never.self) { try release.write(to: disk) }
  }

  @Test("Only existing, up-to-date versions can be released")
  func releasing() throws {
    let disk = try generated()
    #expect(
      ReleaseMarking.prepare("S", upTo: VersionNumber(7), fileSystem: disk).diagnostics.map(
        \.rule.id)
        == ["not-releasable"])
    let all = ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk)
    #expect(all.versions == [VersionNumber(1), VersionNumber(2)])
    try all.write(to: disk)
    #expect(read(disk).entries.allSatisfy { $0.state == .released })
    #expect(GenerationPipeline(fileSystem: disk).run("S").changes.isEmpty)
    #expect(ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).versions.isEmpty)
    disk["S/Generated/SchemaV1.swift"]? += "// edited\n"
    let stale = ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk)
    #expect(stale.diagnostics.map(\.rule.id) == ["not-releasable"])
  }

  @Test("A lock is read back as written")
  func roundTrip() throws {
    let disk = try generated()
    let lock = read(disk)
    #expect(lock.entries.map(\.version) == [VersionNumber(1), VersionNumber(2)])
    #expect(lock.entries.allSatisfy { $0.state == .draft && $0.identity.count == 64 })
    #expect(lock.text == disk["S/schema.lock"])
    #expect(lock.owned == ["Migrations/MigrationLog.swift"])
  }

  @Test(
    "A digest changes with its part of the manifest, and the identity with the stored structure")
  func moves() throws {
    let before = read(try generated()).entries[1]
    func after(_ old: String, _ new: String) throws -> SchemaLock.Entry {
      let disk = try generated()
      disk["S/V2.yaml"] = GenerationTests.v2.replacing(old, with: new)
      try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
      return read(disk).entries[1]
    }
    let documented = try after("entity: TripEntity", "entity: TripEntity\n    doc: A trip.")
    #expect(documented.digest == before.digest && documented.identity == before.identity)
    let optional = try after("{ type: UUID, unique: true }", "{ type: UUID }")
    #expect(optional.digest != before.digest && optional.identity != before.identity)
    let step = try after("'$0?.count ?? 0'", "'$0?.count ?? 1'")
    #expect(step.digest != before.digest && step.identity == before.identity)
  }

  @Test("An edited shipped version is an error that explains the consequences")
  func shippedEdited() throws {
    let disk = try generated()
    release(VersionNumber(1), disk)
    #expect(GenerationPipeline(fileSystem: disk).run("S").diagnostics.isEmpty)
    disk["S/V1.yaml"] = GenerationTests.v1.replacing("note: String?", with: "note: String = \"\"")
    let finding = try #require(GenerationPipeline(fileSystem: disk).run("S").diagnostics.first)
    #expect(finding.rule.id == "shipped-version-edited" && finding.message.contains("134504"))
    #expect(finding.location?.file == "S/V1.yaml")
    // A comment is not an edit.
    disk["S/V1.yaml"] = "# shipped\n" + GenerationTests.v1
    #expect(GenerationPipeline(fileSystem: disk).run("S").diagnostics.isEmpty)
  }

  /// Errors in a step after an edited version would be corrected in the wrong place.
  @Test(
    "An edited shipped version is reported instead of errors in later steps",
    arguments: [false, true])
  func shippedBeforeBrokenStep(_ isEdited: Bool) throws {
    let disk = try generated()
    release(VersionNumber(1), disk)
    disk["S/V2.yaml"] = GenerationTests.v2.replacing(", renamedFrom: name", with: "")
    if isEdited { disk["S/V1.yaml"] = GenerationTests.v1.replacing("note", with: "remark") }
    let options = Linter.Options(today: try #require(CalendarDay("2026-01-01")))
    let found = Linter(options, fileSystem: disk).run("S").findings
    let errors = ["shipped-version-edited", "unacknowledged-drop"].map { rule in
      [found, GenerationPipeline(fileSystem: disk).run("S").diagnostics].map { findings in
        findings.contains { $0.rule.id == rule }
      }
    }
    #expect(errors == [[isEdited, isEdited], [!isEdited, !isEdited]])
    guard isEdited else { return }
    let edited = try #require(found.first { $0.rule.id == "shipped-version-edited" })
    #expect(edited.message.contains("134504"))
    #expect(
      edited.help == [
        "restore the manifest from git", "make the change in V2, which has not shipped",
      ])
  }

  @Test(
    "In a shipped version a changed step needs a reason, texts may change, and the structure may not"
  )
  func shippedStepCorrected() throws {
    let disk = try generated()
    try ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).write(to: disk)
    let shipped = read(disk)
    func findings(_ edits: [(String, String)], _ more: String = "") -> [Diagnostic] {
      disk["S/V2.yaml"] = edits.reduce(GenerationTests.v2) { $0.replacing($1.0, with: $1.1) } + more
      return GenerationPipeline(fileSystem: disk).run("S").diagnostics
    }
    let typo = ("summary: Titles", "summary: Better titles\n# and a comment")
    let crash = ("'$0?.count ?? 0'", "'$0?.utf8.count ?? 0'")
    let reason = "\naccept: [{ rule: shipped-step-edited, element: V2, reason: it crashed }]\n"
    #expect(findings([typo]).isEmpty)
    let edited = findings([crash])
    #expect(edited.map(\.rule.id) == ["shipped-step-edited"])
    #expect(edited[0].severity == .error && edited[0].location?.file == "S/V2.yaml")
    #expect(edited[0].help.last?.contains(reason.dropFirst().dropLast(15)) == true)
    let both = findings([crash, ("type: Int,", "type: Int16,")], reason).map(\.rule.id)
    #expect(both.contains("shipped-version-edited"))
    #expect(findings([], reason).map(\.rule.id) == ["unused-acceptance"])
    #expect(findings([crash], reason).isEmpty)
    // After another generation the lock still has the shipped step, so the reason stays.
    let run = GenerationPipeline(fileSystem: disk).run("S")
    #expect(run.changes.contains { $0.path.hasSuffix(".swift") })
    try run.write(to: disk)
    #expect(read(disk).entries.map(\.digest) == shipped.entries.map(\.digest))
    #expect(GenerationPipeline(fileSystem: disk).run("S").changes.isEmpty)
    disk["S/V2.yaml"] = GenerationTests.v2
    #expect(GenerationPipeline(fileSystem: disk).run("S").diagnostics.isEmpty)
  }

  @Test("A removed shipped version is an error")
  func shippedMissing() throws {
    let disk = try generated()
    release(VersionNumber(1), disk)
    disk["S/V1.yaml"] = nil
    disk["S/V2.yaml"] = GenerationTests.v1.replacing("1.0.0", with: "2.0.0")
    let findings = GenerationPipeline(fileSystem: disk).run("S").diagnostics
    #expect(findings.map(\.rule.id) == ["shipped-version-missing"])
  }

  @Test("A new version before a shipped one is refused unless it declares itself shipped")
  func newBetween() throws {
    let disk = try generated()
    release(VersionNumber(1), disk)
    release(VersionNumber(2), disk)
    disk["S/V1.1.yaml"] = GenerationTests.v1.replacing("1.0.0", with: "1.1.0")
      .replacing(
        "models:", with: "models:\n  Extra:\n    properties:\n      a: Int?", maxReplacements: 1)
    func run() -> GenerationRun { GenerationPipeline(fileSystem: disk).run("S") }
    #expect(run().diagnostics.map(\.rule.id).contains("lock-state-order"))
    disk["S/V1.1.yaml"]? += "\nidentity: shipped\n"
    disk["S/V2.yaml"]? += """

      drops: { Extra: nobody used it }
      accept: [{ rule: shipped-step-edited, element: V2, reason: V1.1 had shipped }]

      """
    let generation = run()
    #expect(!generation.diagnostics.hasErrors, "\(generation.diagnostics)")
    try generation.write(to: disk)
    #expect(read(disk).entries.count == 3)
    #expect(read(disk).entries.allSatisfy { $0.state == .released })
  }

  @Test("A draft may be changed and removed")
  func draftsAreFree() throws {
    let disk = try generated()
    disk["S/V2.yaml"] = nil
    let generation = GenerationPipeline(fileSystem: disk).run("S")
    #expect(generation.diagnostics.isEmpty)
    try generation.write(to: disk)
    #expect(read(disk).entries.count == 1)
  }
}
