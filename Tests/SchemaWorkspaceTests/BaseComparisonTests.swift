import Foundation
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// Versions that have shipped according to a base: each way to break them, and what may change.
@Suite struct BaseComparisonTests {
  /// Two generated versions, of which the given number have shipped.
  private func released(_ count: Int) throws -> MemoryDisk {
    let disk = MemoryDisk(["S/V1.yaml": GenerationTests.v1, "S/V2.yaml": GenerationTests.v2])
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    if count > 0 {
      try ReleaseMarking.prepare("S", upTo: VersionNumber(count), fileSystem: disk).write(to: disk)
    }
    return disk
  }

  private func base(_ disk: MemoryDisk, isTag: Bool = false) throws -> ComparisonBase {
    try ComparisonBase(
      name: "main", path: "S", isRelease: isTag, commit: "1a2b3c4d5e", fileSystem: disk)
  }

  private func compare(_ disk: MemoryDisk, with base: ComparisonBase) -> [Diagnostic] {
    let text = disk["S/schema.lock"].map { SourceFile(path: "S/schema.lock", text: $0) }
    return BaseComparison(
      current: SchemaFolder.read("S", fileSystem: disk),
      currentLock: text.map { SchemaLock.read($0).lock } ?? SchemaLock(), base: base
    ).diagnostics()
  }

  @Test(
    "The finding for an edited shipped version shows the change and its consequences",
    arguments: [
      ("note: String?", "note: Int?", "Trip.note: ", "134504"),
      ("note: String?", "note: String?\n      more: Int?", "Trip.more: ", "134504"),
    ])
  func edited(_ old: String, _ new: String, _ element: String, _ stake: String) throws {
    let base = try base(released(1))
    let disk = try released(1)
    disk["S/V1.yaml"] = GenerationTests.v1.replacing(old, with: new)
    let found = compare(disk, with: base)
    let finding = try #require(found.first)
    #expect(found.count == 1 && finding.rule.id == "shipped-version-edited")
    #expect(finding.message.contains(stake) && finding.message.contains("according to main"))
    let lines = disk["S/V1.yaml"]!.split(separator: "\n", omittingEmptySubsequences: false)
    let line = lines[try #require(finding.location?.line) - 1].drop { $0 == " " }
    let name = element.dropLast(2).split(separator: ".").last!
    #expect(line.hasPrefix("\(name):"), "\(line)")
    #expect(finding.help.contains { $0.hasPrefix("changed: " + element) }, "\(finding.help)")
    #expect(finding.help.contains("restore V1.yaml: git checkout 1a2b3c4 -- S/V1.yaml"))
  }

  @Test(
    "A change that affects neither stores nor steps is allowed after a release",
    arguments: [
      ("name: String = \"\"", "name: String = \"x\""), ("entity: TripEntity", "entity: Journey"),
    ])
  func freeEdit(_ old: String, _ new: String) throws {
    let disk = try released(1)
    disk["S/V1.yaml"] = GenerationTests.v1.replacing(old, with: new)
    #expect(disk["S/V1.yaml"] != GenerationTests.v1)
    #expect(compare(disk, with: try base(released(1))).isEmpty)
  }

  @Test(
    "An edit that changes no row is reported if an older app or the new code may decode rows differently"
  )
  func readOtherwise() throws {
    func released(_ type: String, _ configuration: String) throws -> MemoryDisk {
      let disk = MemoryDisk(["S/schemagen.yaml": configuration])
      disk["S/V1.yaml"] = """
        version: 1.0.0
        models: { Trip: { properties: { mood: Mood? } } }
        types: { Mood: { \(type) } }

        """
      try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
      try ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).write(to: disk)
      return disk
    }
    func told(_ configuration: String, _ edit: (String) -> String) throws -> [String] {
      let type = "enum: String, cases: [good, bad]"
      let disk = try released(type, configuration)
      let base = try base(released(type, configuration))
      disk["S/V1.yaml"] = edit(disk["S/V1.yaml"] ?? "")
      return compare(disk, with: base).map { "\($0.rule.id) \($0.severity)" }
    }
    let more = { (text: String) in text.replacing("bad", with: "bad, calm") }
    #expect(try told("cloudKit: private\n", more) == ["cloudkit-content-changed warning"])
    #expect(try told("", more) == [])
    #expect(try told("cloudKit: private\ncloud: { oldest: V2 }\n", more) == [])
    let translated = { (text: String) in
      text.replacing("Mood", with: "Laune").replacing(
        "[good, bad]", with: "{ gut: bad, schlecht: good }")
    }
    #expect(try told("", translated) == ["enum-cases-renamed warning"])
    let plain = { (text: String) in text.replacing("Mood", with: "Laune") }
    #expect(try told("", plain) == [])
  }

  @Test("An edit of a shipped step is reported unless its manifest accepts it")
  func editedStep() throws {
    let base = try base(released(2))
    let disk = try released(2)
    disk["S/V2.yaml"] = GenerationTests.v2.replacing("?? 0", with: "?? 1")
    let finding = try #require(compare(disk, with: base).first)
    #expect(finding.rule.id == "shipped-step-edited")
    #expect(finding.help.contains { $0.hasPrefix("changed: Trip.length: what the step") })
    #expect(finding.help.contains { $0.contains("rule: shipped-step-edited, element: V2") })
    let report = BaseReport("S", base: base, fileSystem: disk)
    #expect(report.findings.map(\.rule.id) == ["shipped-step-edited"])
    disk["S/V2.yaml"]? += "\naccept: [{ rule: shipped-step-edited, element: V2, reason: x }]\n"
    #expect(BaseReport("S", base: base, fileSystem: disk).findings.isEmpty)
  }

  @Test("Comments, the order of keys and drafts may change after a release")
  func free() throws {
    let base = try base(released(1))
    let disk = try released(1)
    disk["S/V1.yaml"] =
      "# shipped\nsummary: It is what it was\n"
      + GenerationTests.v1.replacing("      note: String?", with: "").replacing(
        "      name:", with: "      note: String?\n      name:")
    disk["S/V2.yaml"] = GenerationTests.v2.replacing("title", with: "heading")
    #expect(compare(disk, with: base).isEmpty)
    disk["S/V2.yaml"] = nil
    #expect(compare(disk, with: base).isEmpty)
  }

  @Test("A removed shipped version is reported")
  func missing() throws {
    let base = try base(released(2))
    let disk = try released(2)
    disk["S/V2.yaml"] = nil
    let found = compare(disk, with: base)
    #expect(found.map(\.rule.id) == ["shipped-version-missing"])
    #expect(
      found.first?.help.contains("restore V2.yaml: git checkout 1a2b3c4 -- S/V2.yaml") == true)
  }

  @Test("A renumbered shipped version is recognised, even if another takes its number")
  func renumbered() throws {
    let base = try base(released(2))
    let disk = try released(2)
    disk["S/V3.yaml"] = GenerationTests.v2.replacing("2.0.0", with: "3.0.0")
    disk["S/V2.yaml"] = nil
    let found = compare(disk, with: base)
    #expect(found.map(\.rule.id) == ["shipped-version-renumbered"])
    #expect(found.first?.message.contains("is called V3 now") == true)
    disk["S/V2.yaml"] = GenerationTests.v1.replacing("1.0.0", with: "2.0.0")
      .replacing("note: String?", with: "note: String?\n      x: Int?")
    #expect(compare(disk, with: base).map(\.rule.id) == ["shipped-version-renumbered"])
  }

  @Test("A removed release mark and a deleted lock are reported")
  func marks() throws {
    let base = try base(released(2))
    let unmarked = compare(try released(1), with: base)
    #expect(unmarked.map(\.rule.id) == ["release-mark-removed"])
    #expect(unmarked.first?.message.contains("V2 has shipped") == true)
    let disk = try released(2)
    disk["S/schema.lock"] = nil
    let deleted = compare(disk, with: base)
    #expect(deleted.map(\.rule.id) == ["release-mark-removed"])
    #expect(deleted.first?.message.contains("the lock is gone") == true)
    #expect(deleted.first?.message.contains("V1, V2") == true)
  }

  @Test("A tag proves that its versions shipped, with or without a lock")
  func tag() throws {
    let tagged = try released(0)
    let disk = try released(0)
    disk["S/V2.yaml"] = GenerationTests.v2.replacing("?? 0", with: "?? 1")
    #expect(compare(disk, with: try base(tagged)).isEmpty)
    #expect(
      compare(disk, with: try base(tagged, isTag: true)).map(\.rule.id) == [
        "shipped-step-edited"
      ])
    tagged["S/schema.lock"] = nil
    #expect(
      compare(disk, with: try base(tagged, isTag: true)).map(\.rule.id) == [
        "shipped-step-edited"
      ])
    #expect(compare(try released(0), with: try base(tagged, isTag: true)).isEmpty)
  }

  @Test(
    "A base without the folder, or with broken files, is reported and comparison continues"
  )
  func brokenBase() throws {
    let disk = try released(1)
    let new = compare(disk, with: try base(MemoryDisk(["x": ""])))
    #expect(new.map(\.rule.id) == ["new-folder"] && new.first?.severity == .note)
    let broken = try released(1)
    broken["S/V2.yaml"] = "version: ["
    disk["S/V1.yaml"] = GenerationTests.v1.replacing("note: String?", with: "note: Int?")
    let found = compare(disk, with: try base(broken))
    #expect(Set(found.map(\.rule.id)) == ["broken-base", "shipped-version-edited"])
    #expect(found.first { $0.rule.id == "broken-base" }?.severity == .warning)
    broken["S/schema.lock"] = ""
    #expect(Set(compare(disk, with: try base(broken)).map(\.rule.id)) == ["broken-base"])
  }
}
