import Foundation
import ManagedModels
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// Versions as data. Tests/SchemaFiles/validate_reports.py validates exports with their JSON Schema.
@Suite struct ExportTests {
  private static let first = """
    version: 1.0.0
    models:
      Trip:
        properties:
          id: { type: UUID, unique: true }
          name: String = "a"
          note: String?
      Tag: { properties: { text: String } }
    """
  private static let second = """
    version: 2.0.0
    summary: "Ü \\"quoted\\" \\\\ </script> 🏝"
    models:
      Journey:
        renamedFrom: Trip
        doc: "One\\ntwo"
        properties:
          id: { type: UUID, unique: true }
          title: { type: String, default: '"\\n\\u{7}"', renamedFrom: name }
          length: { type: Int, from: note, convert: '$0?.count ?? 0', revert: 'String($0)' }
          added: Int?
      Tag: { properties: { text: String } }
    """
  private static let third = """
    version: 3.0.0
    models:
      Journey:
        properties:
          id: { type: UUID, unique: true }
          heading: { type: String, default: '"a"', renamedFrom: title }
          length: { type: Int }
          added: Int?
          size: { type: CGFloat, default: 0 }
      Label: { from: Tag, properties: { text: String } }
    """

  private func disk(_ more: [String: String] = [:]) -> MemoryDisk {
    MemoryDisk(
      ["S/V1.yaml": Self.first, "S/V2.yaml": Self.second, "S/V3.yaml": Self.third].merging(more) {
        $1
      })
  }

  /// The exported versions, as other programs read them.
  private func versions(_ disk: MemoryDisk, _ numbers: Int...) throws -> [[String: Any]] {
    let export = try SchemaExport("S", fileSystem: disk)
    let text = export.json(numbers.map { VersionNumber($0) })
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(document["format"] as? Int == 1)
    return try #require(document["versions"] as? [[String: Any]])
  }

  /// The element of a list with the given name.
  private func named(_ name: String, _ key: String, _ owner: [String: Any]) throws -> [String: Any]
  {
    let list = try #require(owner[key] as? [[String: Any]])
    return try #require(list.first { $0["name"] as? String == name }, "\(name)")
  }

  private func refusal(_ disk: MemoryDisk) throws -> [String] {
    let error = #expect(throws: SchemaExport.Refusal.self) {
      try SchemaExport("S", fileSystem: disk)
    }
    return try #require(error).diagnostics.filter { $0.severity == .error }.map(\.rule.id)
  }

  /// If this file changes, `format` must be raised, unless only keys were added.
  @Test("An export matches its recorded file")
  func isCurrent() throws {
    let export = try SchemaExport(
      Checkout.root + "/Tests/Support/Fixtures/Everything", fileSystem: Disk())
    let change = try difference(
      of: export.json([VersionNumber(2)]),
      fromSnapshot: "Tests/SchemaFiles/exports/Everything-V2.json",
      recordedBy: "ExportTests")
    if let change { Issue.record("\(change)") }
  }

  @Test(
    "An export lists versions in ascending order, with original names of properties")
  func order() throws {
    let found = try versions(disk(), 3, 1, 3)
    #expect(found.map { $0["name"] as? String } == ["V1", "V3"])
    let heading = try named("heading", "properties", named("Journey", "models", found[1]))
    #expect(heading["originalName"] as? String == "title")
  }

  @Test(
    "An export omits uncertain hashes, and a version's checksum if any of its hashes is uncertain")
  func hashes() throws {
    let found = try versions(disk(), 2, 3)
    #expect(found[0]["checksum"] is String && found[1]["checksum"] == nil)
    #expect(try named("Journey", "models", found[1])["hash"] == nil)
    #expect(try named("Label", "models", found[1])["hash"] is String)
  }

  @Test("An export prefers proven hashes and shows which versions have shipped")
  func proven() throws {
    let disk = MemoryDisk(["S/V1.yaml": Self.first])
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    #expect(try versions(disk, 1)[0]["state"] as? String == "draft")
    let hashes = ["Trip": Data(repeating: 1, count: 32), "Tag": Data(repeating: 2, count: 32)]
    let checksum = VersionHashes(entities: hashes).checksum
    let shown = try #require(
      LockedHashes(
        checksum: checksum, entities: hashes.mapValues { $0.base64EncodedString() }, isProven: true)
    )
    try ReleaseMarking.prepare("S", upTo: VersionNumber(1), proving: shown, fileSystem: disk)
      .write(to: disk)
    let version = try versions(disk, 1)[0]
    #expect(version["state"] as? String == "released")
    #expect(version["areHashesProven"] as? Bool == true)
    #expect(version["checksum"] as? String == checksum)
    #expect(
      try named("Tag", "models", version)["hash"] as? String
        == hashes["Tag"]?.base64EncodedString())

    disk["S/V1.yaml"] = Self.first.replacing("note: String?", with: "note: Int?")
    #expect(try refusal(disk) == ["shipped-version-edited"])
    disk["S/schema.lock"] = nil
    #expect(try refusal(disk) == ["missing-lock"])
  }

  @Test("An export escapes any text correctly")
  func texts() throws {
    let version = try versions(disk(), 2)[0]
    #expect(version["summary"] as? String == "Ü \"quoted\" \\ </script> 🏝")
    let journey = try named("Journey", "models", version)
    #expect(journey["documentation"] as? String == "One\ntwo")
    let title = try named("title", "properties", journey)
    #expect((title["attribute"] as? [String: Any])?["default"] as? String == "\"\\n\\u{7}\"")
  }

  @Test("An export is refused if manifests, steps or the lock have errors")
  func refusals() throws {
    #expect(try refusal(MemoryDisk()) == ["unreadable"])
    var found = try refusal(disk(["S/V3.yaml": "version: 3.0.0\n"]))
    #expect(found == ["missing-key"], "\(found)")
    let dropped = Self.third.replacing("      added: Int?\n", with: "")
    found = try refusal(disk(["S/V3.yaml": dropped]))
    #expect(found == ["unacknowledged-drop"], "\(found)")
    found = try refusal(disk(["S/schema.lock": "format: 99\n"]))
    #expect(found == ["lock-format"], "\(found)")
  }
}
