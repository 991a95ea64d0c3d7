import Foundation
import SchemaEvolution
import SchemaModel
import SchemaRendering
import SchemaReporting
import TestSupport
import Testing

@testable import SchemaWorkspace

/// Folders whose store syncs: the comparison with an export, the conditions of a release, and the findings for
/// incidents of real apps (docs/cookbook/cloud-sync.md).
@Suite struct CloudFolderTests {
  private static let v1 = """
    version: 1.0.0
    models:
      Trip:
        properties:
          title: String = ""
          stops: { relationship: "[Stop]?", inverse: trip }
      Stop:
        properties:
          name: String?
          trip: { relationship: Trip? }

    """
  private static let v2 = v1.replacing("1.0.0", with: "2.0.0")
    .replacing("title: String = \"\"\n", with: "title: String = \"\"\n      note: String?\n")

  private static func disk(
    _ versions: [String] = [v1, v2], cloud: String = "production: p.ckdb"
  ) throws -> MemoryDisk {
    let disk = MemoryDisk()
    for (index, text) in versions.enumerated() { disk["Schemas/V\(index + 1).yaml"] = text }
    disk["Schemas/schemagen.yaml"] = "cloudKit: private\ncloud: { \(cloud) }\n"
    try GenerationPipeline(fileSystem: disk).run("Schemas").write(to: disk)
    return disk
  }

  /// An export of production with everything from these versions.
  private static func production(_ versions: VersionNumber..., on disk: MemoryDisk) throws
    -> CloudSchema
  {
    let records = try versions.map {
      try CloudFolder("Schemas", .version($0), fileSystem: disk).versions[0].records
    }
    return CloudSchema.empty.merging(records, .private)
  }

  private static func findings(
    _ schema: CloudSchema, _ choice: CloudFolder.Choice = .newest, on disk: MemoryDisk
  ) throws -> [Diagnostic] {
    disk["Schemas/p.ckdb"] = schema.text
    var folder = try CloudFolder("Schemas", choice, fileSystem: disk)
    let export = try folder.export("Schemas/p.ckdb", fileSystem: disk)
    return folder.levelled(folder.comparison(with: export).findings())
      .filter { $0.severity > .note }
  }

  private static func release(_ number: VersionNumber, on disk: MemoryDisk) throws
    -> ReleaseMarking
  {
    let marking = ReleaseMarking.prepare("Schemas", upTo: number, fileSystem: disk)
    try marking.write(to: disk)
    return marking
  }

  // MARK: Releases

  @Test func aReleaseAsksForProduction() throws {
    let disk = try Self.disk(cloud: "profile: private")
    let blind = try Self.release(VersionNumber(1), on: disk)
    #expect(blind.diagnostics.map(\.rule) == [.cloudNotDeployed])
    #expect(blind.diagnostics.map(\.severity) == [.warning])
    #expect(blind.versions == [VersionNumber(1)])
  }

  @Test func aReleaseWithoutDeploymentIsRefused() throws {
    let disk = try Self.disk()
    disk["Schemas/p.ckdb"] = try Self.production(VersionNumber(1), on: disk).text
    #expect(try Self.release(VersionNumber(1), on: disk).versions == [VersionNumber(1)])
    let before = disk["Schemas/schema.lock"]
    let refused = try Self.release(VersionNumber(2), on: disk)
    #expect(refused.versions.isEmpty && disk["Schemas/schema.lock"] == before)
    let finding = try #require(refused.diagnostics.first)
    #expect(finding.rule == .cloudNotDeployed && finding.severity == .error)
    #expect(finding.message.contains("'CD_note'"), "\(finding.message)")
    // An author who must continue lowers the severity visibly.
    disk["Schemas/schemagen.yaml"]! += "rules: { cloud-not-deployed: warning }\n"
    try GenerationPipeline(fileSystem: disk).run("Schemas").write(to: disk)
    #expect(try Self.release(VersionNumber(2), on: disk).versions == [VersionNumber(2)])
    #expect(disk["Schemas/schema.lock"]?.components(separatedBy: "production: ").count == 2)
  }

  /// The lock names the export that proved it, and this entry cannot be forged.
  @Test func theLockRemembersTheExport() throws {
    let disk = try Self.disk()
    disk["Schemas/p.ckdb"] = try Self.production(VersionNumber(1), VersionNumber(2), on: disk).text
    #expect(try Self.release(VersionNumber(2), on: disk).versions.count == 2)
    let text = try #require(disk["Schemas/schema.lock"])
    let read = SchemaLock.read(SourceFile(path: "schema.lock", text: text))
    #expect(read.diagnostics == [])
    let digest = try #require(read.lock.entries.last?.production)
    #expect(read.lock.entries.first?.production == nil)
    // Generation keeps it.
    try GenerationPipeline(fileSystem: disk).run("Schemas").write(to: disk)
    #expect(disk["Schemas/schema.lock"] == text)
    for (forged, rule) in [
      (text.replacing("    production: \(digest)\n", with: ""), "lock-edited"),
      (text.replacing(digest, with: String(digest.reversed())), "lock-edited"),
      (text.replacing(digest, with: "yes"), "lock-entry"),
    ] {
      let found = SchemaLock.read(SourceFile(path: "schema.lock", text: forged)).diagnostics
      #expect(found.map(\.rule.id) == [rule])
    }
  }

  @Test func aStoreThatDoesNotSyncIsNotAsked() throws {
    let disk = try Self.disk()
    disk["Schemas/schemagen.yaml"] = ""
    try GenerationPipeline(fileSystem: disk).run("Schemas").write(to: disk)
    #expect(try Self.release(VersionNumber(2), on: disk).diagnostics == [])
  }

  /// A field of a version in between is also reported as missing, and the help includes it.
  @Test func aReleaseComparesAllThatItMarks() throws {
    let third =
      Self.v1.replacing("1.0.0", with: "3.0.0") + "drops: { Trip.note: nobody wrote one }\n"
    let disk = try Self.disk([Self.v1, Self.v2, third])
    disk["Schemas/p.ckdb"] = try Self.production(VersionNumber(1), on: disk).text
    #expect(try Self.release(VersionNumber(1), on: disk).versions == [VersionNumber(1)])
    let refused = try Self.release(VersionNumber(3), on: disk)
    #expect(refused.versions.isEmpty)
    let finding = try #require(refused.diagnostics.first { $0.rule == .cloudNotDeployed })
    #expect(finding.message.contains("'CD_note'"))
    #expect(finding.help[0].contains("'schemagen cloud plan --from V1'"), "\(finding.help)")
    // The command that the plan prints refers to the same versions.
    var folder = try CloudFolder("Schemas", .after(VersionNumber(1)), fileSystem: disk)
    let export = try folder.export("Schemas/p.ckdb", fileSystem: disk)
    let plan = CloudPlan(folder, export, []).document.markdown
    #expect(plan.contains("schemagen cloud schema --from V1 --into"))
    #expect(plan.contains("schemagen cloud diff --from V1 --production"))
  }

  /// Production had everything only after the release.
  @Test func theLockLearnsOfALaterDeployment() throws {
    let disk = try Self.disk(cloud: "profile: private")
    #expect(try Self.release(VersionNumber(1), on: disk).deployed == nil)
    disk["Schemas/p.ckdb"] = try Self.production(VersionNumber(1), on: disk).text
    disk["Schemas/schemagen.yaml"] = "cloudKit: private\ncloud: { production: p.ckdb }\n"
    try GenerationPipeline(fileSystem: disk).run("Schemas").write(to: disk)
    let noted = try Self.release(VersionNumber(1), on: disk)
    #expect(noted.versions.isEmpty && noted.deployed == VersionNumber(1))
    #expect(disk["Schemas/schema.lock"]?.contains("    production: ") == true)
    #expect(try Self.release(VersionNumber(1), on: disk).deployed == nil)
  }

  /// For adopted versions, what production lacks is reported and does not prevent their release mark.
  @Test func adoptedVersionsAreCompared() throws {
    let disk = try Self.disk([Self.v1 + "identity: shipped\n"])
    disk["Schemas/p.ckdb"] = CloudSchema.empty.text
    let marking = try Self.release(VersionNumber(1), on: disk)
    #expect(marking.versions == [VersionNumber(1)])
    #expect(
      marking.diagnostics.map { "\($0.rule.id) \($0.severity)" } == ["cloud-not-deployed warning"])
  }

  /// One model in two containers: a field that is deployed in only one of them.
  @Test(arguments: [
    "production: [p.ckdb, q.ckdb]",
    "production: { iCloud.com.example.Trips: p.ckdb, iCloud.com.example.Pro: q.ckdb }",
  ])
  func severalContainers(_ cloud: String) throws {
    let disk = try Self.disk(cloud: cloud)
    let whole = try Self.production(VersionNumber(1), VersionNumber(2), on: disk).text
    disk["Schemas/p.ckdb"] = whole
    disk["Schemas/q.ckdb"] = try Self.production(VersionNumber(1), on: disk).text
    let name = cloud.contains("Pro") ? "iCloud.com.example.Pro" : "'Schemas/q.ckdb'"
    let refused = try Self.release(VersionNumber(2), on: disk)
    #expect(refused.versions.isEmpty)
    #expect(
      refused.diagnostics.first?.message.hasPrefix("\(name): production's 'CD_Trip'") == true,
      "\(refused.diagnostics)")
    var folder = try CloudFolder("Schemas", .newest, fileSystem: disk)
    let exports = try folder.exports(disk)
    let plans = exports.map { CloudPlan(folder, $0, [], isOneOfSeveral: true).document.markdown }
    #expect(plans[0].contains("There is nothing to deploy."))
    #expect(plans[1].hasPrefix("# Deploying V2 to \(name)\n"))
    if cloud.contains("Pro") {
      #expect(plans[1].contains("--container-id iCloud.com.example.Pro "))
    }
    #expect(
      CloudPlan.missing(in: "Schemas", fileSystem: disk)
        == "lacks 2 fields (\(name.replacing("'", with: "")))")
    disk["Schemas/q.ckdb"] = whole
    #expect(CloudPlan.missing(in: "Schemas", fileSystem: disk) == nil)
    #expect(try Self.release(VersionNumber(2), on: disk).versions.count == 2)
  }

  @Test("A CloudKit schema that schemagen or a person wrote is not accepted as an export")
  func filesThatNoServerWrote() throws {
    let disk = try Self.disk()
    var folder = try CloudFolder("Schemas", .newest, fileSystem: disk)
    let whole = try Self.production(VersionNumber(2), on: disk)
    disk["Schemas/p.ckdb"] = CloudExport.written(whole, like: nil)
    do {
      _ = try folder.export("Schemas/p.ckdb", fileSystem: disk)
      Issue.record("it was taken for an export")
    } catch {
      #expect(error.diagnostics.count == 1)
      #expect(error.diagnostics[0].message.contains("'schemagen cloud schema' wrote this file"))
    }
    _ = try folder.export("Schemas/p.ckdb", isProduction: false, fileSystem: disk)
    var hand = whole
    hand.recordTypes.removeAll { $0.name == "Users" }
    let place = try #require(hand.recordTypes.firstIndex { $0.name == "CD_Stop" })
    let index = try #require(
      hand.recordTypes[place].fields.firstIndex { $0.name == "CD_trip" })
    hand.recordTypes[place].fields[index].type = .single(.reference, isEncrypted: false)
    disk["Schemas/p.ckdb"] = hand.text
    do {
      _ = try folder.export("Schemas/p.ckdb", fileSystem: disk)
      Issue.record("it was taken for an export")
    } catch {
      #expect(Set(error.diagnostics.map(\.rule)) == [.brokenCloudSchema, .cloudConflict])
    }
  }

  /// A field stays encrypted, or not, permanently. This does not affect the store, and is an error if the model syncs.
  @Test(arguments: [
    ("cloudKit: private", "error"), ("cloudKit: none", "warning"),
    ("cloudKit: private\ncloud: { local: [Stop] }", "warning"),
  ])
  func encryptionIsFinal(_ settings: String, _ severity: String) throws {
    let second = Self.v1.replacing("1.0.0", with: "2.0.0")
      .replacing("name: String?", with: "name: { type: String?, allowsCloudEncryption: true }")
    let disk = try Self.disk([Self.v1, second])
    disk["Schemas/schemagen.yaml"] = settings + "\n"
    let found = SchemaFolder.read("Schemas", fileSystem: disk).diagnostics
      .filter { $0.rule.id == "cloud-encryption-changed" }
    #expect(found.map { "\($0.element ?? "") \($0.severity)" } == ["Stop.name \(severity)"])
    #expect(found[0].message.contains("stays unencrypted") == (severity == "error"))
  }

  /// A property that may be renamed keeps its name: no help suggests a copy, which would leave the cloud's values
  /// behind.
  @Test(arguments: ["remark: String?", "label: String?"])
  func noHelpLeadsToACopy(_ property: String) throws {
    let third = Self.v2.replacing("2.0.0", with: "3.0.0").replacing("note: String?", with: property)
    let disk = try Self.disk([Self.v1, Self.v2, third])
    let found = SchemaFolder.read("Schemas", fileSystem: disk).diagnostics
    let help = found.flatMap(\.help)
    #expect(help.contains { $0.contains("note: { type: String?, entityProperty: ") }, "\(help)")
    #expect(!help.contains { $0.contains("convert: $0") || $0.contains("from: note") }, "\(help)")
    disk["Schemas/schemagen.yaml"] = ""
    let local = SchemaFolder.read("Schemas", fileSystem: disk).diagnostics.flatMap(\.help)
    #expect(local.contains { $0.contains("renamedFrom: note") }, "\(local)")
  }

  // MARK: Choices

  @Test func versionsThatSync() throws {
    let disk = try Self.disk(cloud: "oldest: V2")
    #expect(throws: CloudTrouble.self) {
      try CloudFolder("Schemas", .shipped, fileSystem: disk)
    }
    _ = try Self.release(VersionNumber(2), on: disk)
    #expect(try CloudFolder("Schemas", .shipped, fileSystem: disk).names == "V2")
    disk["Schemas/schemagen.yaml"] = "cloudKit: private\n"
    #expect(try CloudFolder("Schemas", .shipped, fileSystem: disk).names == "V1 to V2")
    #expect(try CloudFolder("Schemas", .newest, fileSystem: disk).names == "V2")
    #expect(try CloudFolder("Schemas", .after(VersionNumber(1)), fileSystem: disk).names == "V2")
    for choice in [CloudFolder.Choice.version(VersionNumber(7)), .after(VersionNumber(2))] {
      #expect(throws: CloudTrouble.self) {
        try CloudFolder("Schemas", choice, fileSystem: disk)
      }
    }
  }

  @Test(
    "A CloudKit export that cannot be read completely is refused, not taken for an empty difference"
  )
  func brokenExports() throws {
    let disk = try Self.disk()
    let whole = try Self.production(VersionNumber(2), on: disk).text
    var folder = try CloudFolder("Schemas", .newest, fileSystem: disk)
    // Cut after a record type, it would read as a smaller container.
    let cut = whole.range(of: "    RECORD TYPE Users").map { String(whole[..<$0.lowerBound]) }
    for text in ["", "DEFINE SCHEMA\n", try #require(cut), String(whole.dropLast(20)), "{}"] {
      disk["Schemas/p.ckdb"] = text
      #expect(throws: CloudTrouble.self, "\(text.suffix(40))") {
        try folder.export("Schemas/p.ckdb", fileSystem: disk)
      }
    }
    #expect(throws: CloudTrouble.self) {
      try folder.export("Schemas/none.ckdb", fileSystem: disk)
    }
  }

  @Test func anUnknownLocalModelIsTold() throws {
    let disk = try Self.disk(cloud: "local: [Stopp]")
    do {
      _ = try CloudFolder("Schemas", .newest, fileSystem: disk)
      Issue.record("nothing was said of it")
    } catch {
      #expect(error.diagnostics.first?.help == ["did you mean 'Stop'?"])
    }
  }

  // MARK: What went wrong elsewhere

  /// 1, 2: production was never deployed, or not since then.
  @Test func nothingWasDeployed() throws {
    let disk = try Self.disk()
    let found = try Self.findings(.empty, on: disk)
    #expect(found.map(\.rule) == [.cloudTypeMissing, .cloudTypeMissing])
    #expect(found.map { $0.element ?? "" }.sorted() == ["Stop", "Trip"])
  }

  /// 3, 4: optional fields that were missing in every export of development, because no value had ever been written.
  @Test func aFieldThatDevelopmentNeverHad() throws {
    let disk = try Self.disk()
    let found = try Self.findings(Self.production(VersionNumber(1), on: disk), on: disk)
    #expect(found.map { $0.element ?? "" } == ["Trip.note"])
    #expect(found[0].message.contains("a row with a value in the field does not sync"))
  }

  /// 6: every type is checked, and a missing field that every record has stops all of them.
  @Test func oneRequiredField() throws {
    let disk = try Self.disk(
      [
        Self.v1,
        Self.v1.replacing("1.0.0", with: "2.0.0")
          .replacing("name: String?\n", with: "name: String?\n      nights: Int = 1\n"),
      ])
    let found = try Self.findings(Self.production(VersionNumber(1), on: disk), on: disk)
    #expect(found.map { $0.element ?? "" } == ["Stop.nights"])
    #expect(found[0].message.contains("every row has a value in the field, so no row syncs"))
  }

  /// 7: sharing works only in development.
  @Test func sharingIsDead() throws {
    let disk = try Self.disk(cloud: "sharing: true")
    let found = try Self.findings(Self.production(VersionNumber(2), on: disk), on: disk)
    let elements = Set(found.compactMap(\.element))
    #expect(elements.contains("cloudkit.share") && elements.contains("CD_Trip.CD_moveReceipt"))
  }

  /// 9: a schema written by hand, with REFERENCE for a relationship and STRING for an enum.
  @Test func writtenByHand() throws {
    let disk = try Self.disk([
      Self.v1.replacing("name: String?\n", with: "name: String?\n      kind: Kind?\n")
        + "types: { Kind: { enum: String, cases: [inn, hut] } }\n"
    ])
    var schema = try Self.production(VersionNumber(1), on: disk)
    let place = try #require(schema.recordTypes.firstIndex { $0.name == "CD_Stop" })
    for index in schema.recordTypes[place].fields.indices {
      switch schema.recordTypes[place].fields[index].name {
      case "CD_trip":
        schema.recordTypes[place].fields[index].type = .single(.reference, isEncrypted: false)
      case "CD_kind": schema.recordTypes[place].fields[index].type = .string
      default: continue
      }
    }
    let found = try Self.findings(schema, on: disk)
    #expect(found.map(\.rule) == [.cloudConflict, .cloudConflict])
    #expect(Set(found.compactMap(\.element)) == ["Stop.kind", "Stop.trip"])
    #expect(found.allSatisfy { $0.help[0].contains("a name that no version had") })
  }

  // MARK: Plans and comments

  /// Sharing needs a type that only sharing creates, and receipts, which the plan and the merged file have.
  @Test func sharingHasAPlan() throws {
    let disk = try Self.disk(cloud: "sharing: true")
    disk["Schemas/p.ckdb"] = try Self.production(VersionNumber(2), on: disk).text
    var folder = try CloudFolder("Schemas", .newest, fileSystem: disk)
    let export = try folder.export("Schemas/p.ckdb", fileSystem: disk)
    let text = CloudPlan(folder, export, []).document.markdown
    for line in [
      "Production lacks 4 fields and 1 record type.", "rows cannot be shared",
      "share a row with someone", "- `CD_Trip`: `CD_moveReceipt`, `CD_moveReceipt_ckAsset`",
      "- the new record type `cloudkit.share`",
    ] {
      #expect(text.contains(line), "\(line) in \(text)")
    }
    // Once both exist, neither the plan nor the comparison reports anything.
    var whole = export.schema.merging(
      folder.versions.map(\.records), folder.configuration.cloud.writtenProfile)
    whole.recordTypes.append(.init("cloudkit.share"))
    #expect(try Self.findings(whole, on: disk) == [])
    let done = try folder.export("Schemas/p.ckdb", fileSystem: disk)
    #expect(CloudPlan(folder, done, []).document.markdown.contains("There is nothing to deploy."))
  }

  /// The order shows which version waits: not the oldest, which lacks only fields for large values.
  @Test func thePlanNamesTheVersionThatWaits() throws {
    let disk = try Self.disk()
    var schema = try Self.production(VersionNumber(1), on: disk)
    for index in schema.recordTypes.indices {
      schema.recordTypes[index].fields.removeAll { $0.name.hasSuffix("_ckAsset") }
    }
    func plan(_ choice: CloudFolder.Choice) throws -> String {
      disk["Schemas/p.ckdb"] = schema.text
      var folder = try CloudFolder("Schemas", choice, fileSystem: disk)
      let export = try folder.export("Schemas/p.ckdb", fileSystem: disk)
      return CloudPlan(folder, export, folder.comparison(with: export).findings()).document.markdown
    }
    #expect(try plan(.newest).contains("Deploy before you submit V2"))
    let small = try plan(.version(VersionNumber(1)))
    #expect(small.contains("only such values do not sync") && !small.contains("before you submit"))
    // It has already shipped, and its rows wait to be synced.
    _ = try Self.release(VersionNumber(1), on: disk)
    schema.recordTypes.removeAll { $0.name == "CD_Stop" }
    #expect(try plan(.newest).contains("Deploy now: V1 has shipped"))
    // The names of types in an export must not reach the terminal as control characters.
    schema.recordTypes.append(.init("CD_x\u{1B}[31m|<img>"))
    let shown = try plan(.newest)
    #expect(!shown.contains("\u{1B}") && !shown.contains("<img>") || shown.contains("\\<img"))
  }

  /// An element that was removed and came back as something else is reported with the version that had it first.
  @Test func verdictsReachOverVersions() throws {
    let third =
      Self.v1.replacing("1.0.0", with: "3.0.0") + "drops: { Trip.note: nobody wrote one }\n"
    let fourth = Self.v2.replacing("2.0.0", with: "4.0.0").replacing(
      "note: String?", with: "note: Data?")
    let disk = try Self.disk([Self.v1, Self.v2, third, fourth])
    let evolution = try #require(SchemaFolder.read("Schemas", fileSystem: disk).evolution)
    let last = try #require(evolution.steps.last)
    let found = evolution.distantDevices(of: last)
    #expect(
      found.map { entry in
        "\(entry.from.name) \(entry.verdicts.map { "\($0.verdict) \($0.element)" })"
      } == ["V2 [\"refused Trip.note\"]"])
    #expect(evolution.steps.dropLast().allSatisfy { evolution.distantDevices(of: $0).isEmpty })
    var older = evolution
    _ = older
    disk["Schemas/schemagen.yaml"] = "cloudKit: private\ncloud: { oldest: V3 }\n"
    older = try #require(SchemaFolder.read("Schemas", fileSystem: disk).evolution)
    #expect(older.steps.last.map { older.distantDevices(of: $0).isEmpty } == true)
  }

  @Test func aPlanNamesEachField() throws {
    let disk = try Self.disk(cloud: "container: iCloud.com.example.Trips")
    disk["Schemas/p.ckdb"] = try Self.production(VersionNumber(1), on: disk).text
    var folder = try CloudFolder("Schemas", .newest, fileSystem: disk)
    let export = try folder.export("Schemas/p.ckdb", fileSystem: disk)
    let text = CloudPlan(folder, export, folder.comparison(with: export).findings()).document
      .markdown
    for line in [
      "Production lacks 2 fields.", "`CD_Trip`: `CD_note`, `CD_note_ckAsset`",
      "| `CD_Trip.CD_note` | STRING | `Trip.note` |", "Deploy before you submit V2",
      "--container-id iCloud.com.example.Trips --environment production",
    ] {
      #expect(text.contains(line), "\(line) in \(text)")
    }
    disk["Schemas/p.ckdb"] = try Self.production(VersionNumber(2), on: disk).text
    let done = try folder.export("Schemas/p.ckdb", fileSystem: disk)
    #expect(CloudPlan(folder, done, []).document.markdown.contains("There is nothing to deploy."))
  }

  @Test func aReportSaysSinceWhenAFieldIsThere() throws {
    let second =
      Self.v2.replacing("      name: String?\n", with: "")
      + "drops: { Stop.name: nobody gave one }\n"
    let disk = try Self.disk([Self.v1, second])
    let evolution = try #require(SchemaFolder.read("Schemas", fileSystem: disk).evolution)
    let report = try #require(
      HistoryReport(title: "Trips", evolution, findings: [], lock: SchemaLock()))
    let page = report.page
    for row in [
      "<code>CD_note</code></td><td><code>STRING</code></td><td>V2</td><td></td>",
      "<code>CD_name</code></td><td><code>STRING</code></td><td>V1</td><td><span class=\"warning\">stays, last written by V1</span>",
      "<code>CD_trip</code></td><td><code>STRING</code></td><td>V1</td><td></td>",
    ] {
      #expect(page.contains(row), "\(row)")
    }
    disk["Schemas/schemagen.yaml"] = ""
    let local = try #require(SchemaFolder.read("Schemas", fileSystem: disk).evolution)
    let other = HistoryReport(title: "Trips", local, findings: [], lock: SchemaLock())
    #expect(
      other?.page.contains(
        "In the cloud") == false)
  }

  @Test func aPullRequestNeedsADeployment() throws {
    let disk = try Self.disk([Self.v1])
    disk["Schemas/p.ckdb"] = try Self.production(VersionNumber(1), on: disk).text
    _ = try Self.release(VersionNumber(1), on: disk)
    let base = try ComparisonBase(
      name: "main", path: "Schemas", isRelease: false, commit: "1a2b3c4d5e",
      fileSystem: MemoryDisk(disk.files))
    func comment() -> String {
      let report = BaseReport("Schemas", base: base, fileSystem: disk)
      return PullRequestComment([.init(report)], command: "schemagen diff").render()
    }
    #expect(!comment().contains("deployment"))
    disk["Schemas/V2.yaml"] = Self.v2
    #expect(
      comment().contains("⚠️ **needs a deployment**: CloudKit's production lacks 2 fields"),
      "\(comment())")
    disk["Schemas/p.ckdb"] = "?"
    #expect(comment().contains("its export cannot be read"))
  }
}
