import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// From an adoption with losses and errors of old plans to generated code: mark what has shipped, answer the rest.
@Suite struct AdoptedReleaseTests {
  private static let v1 = """
    version: 1.0.0
    models:
      TripV1: { properties: { name: String, count: Int } }
    identity: shipped
    """
  private static let v2 = """
    version: 2.0.0
    models:
      TripV2: { properties: { name: String, count: Int } }
    drops: { TripV1: unconfirmed }
    identity: shipped
    """
  private static let v3 = """
    version: 3.0.0
    models:
      TripV2: { properties: { name: String, count: Int, days: Int } }
    identity: shipped
    """

  private func disk(_ files: [String: String] = [:]) -> MemoryDisk {
    MemoryDisk(
      ["S/V1.yaml": Self.v1, "S/V2.yaml": Self.v2, "S/V3.yaml": Self.v3].merging(files) { $1 })
  }

  private func run(_ disk: MemoryDisk) -> GenerationRun {
    GenerationPipeline(fileSystem: disk).run("S")
  }

  private func summary(_ found: [Diagnostic]) -> [String] {
    found.map { "\($0.severity) \($0.rule.id)" }
  }

  @Test("Findings in shipped versions become warnings and do not stop generation")
  func shippedHistoryBlocksNothing() throws {
    let disk = disk()
    #expect(summary(run(disk).diagnostics) == ["error unconfirmed-drop", "error missing-default"])
    let release = ReleaseMarking.prepare("S", upTo: VersionNumber(3), fileSystem: disk)
    #expect(release.versions.map(\.name) == ["V1", "V2", "V3"])
    #expect(
      summary(release.diagnostics) == ["warning unconfirmed-drop", "warning missing-default"])
    try release.write(to: disk)
    let generation = run(disk)
    #expect(generation.diagnostics == release.diagnostics)
    #expect(
      generation.diagnostics.allSatisfy { $0.message.contains(" has shipped with this change: ") })
    try generation.write(to: disk)
    let document = try #require(disk["S/MIGRATIONS.md"])
    #expect(document.contains("**unconfirmed removal**"))
    #expect(document.contains("dropped: unconfirmed"))
    // It stays visible, and nothing else remains to be done.
    let again = run(disk)
    #expect(again.changes.isEmpty && again.diagnostics == generation.diagnostics)
    #expect(ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).versions == [])
    let lint = Linter(
      Linter.Options(today: CalendarDay(year: 2026, month: 1, day: 1)!), fileSystem: disk
    ).run("S")
    #expect(!lint.findings.hasErrors)
    #expect(lint.findings.contains { $0.rule.id == "unconfirmed-drop" })
  }

  @Test("Findings in unshipped versions stay errors and do not stop a release of older ones")
  func laterVersionsWait() throws {
    let disk = disk()
    let release = ReleaseMarking.prepare("S", upTo: VersionNumber(2), fileSystem: disk)
    #expect(release.versions.map(\.name) == ["V1", "V2"])
    #expect(summary(release.diagnostics) == ["warning unconfirmed-drop"])
    try release.write(to: disk)
    #expect(
      summary(run(disk).diagnostics) == ["warning unconfirmed-drop", "error missing-default"])
    disk["S/V3.yaml"] = Self.v3.replacing("days: Int", with: "days: { type: Int, fill: 1 }")
    let generation = run(disk)
    #expect(summary(generation.diagnostics) == ["warning unconfirmed-drop"])
    try generation.write(to: disk)
    let marked = ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk)
    #expect(marked.versions.map(\.name) == ["V3"])
  }

  @Test("A reason can be added to a shipped version later")
  func reasonsComeLater() throws {
    let disk = disk()
    try ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).write(to: disk)
    disk["S/V2.yaml"] = Self.v2.replacing("unconfirmed", with: "trips were in no release")
    #expect(summary(run(disk).diagnostics) == ["warning missing-default"])
  }

  @Test("A corrected step is checked again")
  func correctionsAreJudged() throws {
    let disk = disk()
    try ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).write(to: disk)
    let renamed = Self.v3.replacing(
      "days: Int", with: "days: Int, size: { type: Int, renamedFrom: count }"
    )
    .replacing("count: Int, ", with: "")
    disk["S/V3.yaml"] = renamed
    #expect(run(disk).diagnostics.hasErrors)
    // The same rows with a value of their own, as the message suggests.
    disk["S/V3.yaml"] =
      Self.v3.replacing("days: Int", with: "days: { type: Int, fill: 1 }")
      + "\naccept: [{ rule: shipped-step-edited, element: V3, reason: no row got past it }]"
    #expect(summary(run(disk).diagnostics) == ["warning unconfirmed-drop"])
  }

  @Test("A release ignores errors in adopted versions, but not in others")
  func generatedVersionsAreCurrent() throws {
    let plain = Self.v2.replacing("\nidentity: shipped", with: "")
    for (files, expected) in [
      (["S/V2.yaml": plain, "S/V3.yaml": Self.v3], 3),
      (["S/V1.yaml": Self.v1.replacing("\nidentity: shipped", with: "")], 3),
    ] {
      let release = ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk(files))
      #expect(release.versions.count == expected, "\(release.diagnostics.map(\.message))")
    }
    // One of the versions was not adopted, or none was.
    let reasoned = plain.replacing("unconfirmed", with: "gone for good")
    let bare = [
      "S/V1.yaml": Self.v1.replacing("\nidentity: shipped", with: ""), "S/V2.yaml": reasoned,
      "S/V3.yaml": Self.v3.replacing("\nidentity: shipped", with: ""),
    ]
    for files in [["S/V2.yaml": reasoned], bare] {
      let refused = ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk(files))
      #expect(refused.versions == [] && refused.diagnostics.hasErrors)
    }
  }
}
