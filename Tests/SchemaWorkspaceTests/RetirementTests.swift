import Foundation
import SchemaEvolution
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// `retire`: old versions leave the plan, and return.
@Suite struct RetirementTests {
  /// Four versions, all but the last released, with the app's own code for the first step.
  private func disk() throws -> MemoryDisk {
    let v1 = "version: 1.0.0\nmodels:\n  Trip:\n    properties:\n      name: String\n"
    let v2 = v1.replacing("1.0.0", with: "2.0.0").replacing(
      "name: String", with: "title: { type: String, renamedFrom: name }\n      days: Int = 1")
    let v3 =
      "version: 3.0.0\nmodels:\n  Trip:\n    properties:\n      title: String\n      days: Int = 1\n"
      + "      notes: String?\n"
    let disk = MemoryDisk([
      "S/V1.yaml": v1, "S/V2.yaml": v2 + "hooks: [before]\n", "S/V3.yaml": v3,
      "S/V4.yaml": v3.replacing("3.0.0", with: "4.0.0").replacing("notes", with: "remarks")
        + "drops: { Trip.notes: { reason: unused, notCarriedTo: remarks } }\n",
      "S/schemagen.yaml": "# Ours.\naccess: public\nextras: [migrationKit]\n",
    ])
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    let hook = try #require(disk["S/Migrations/V1ToV2.swift"])
    disk["S/Migrations/V1ToV2.swift"] = hook.replacing(#/#error.*/#, with: "try context.save()")
    try ReleaseMarking.prepare("S", upTo: VersionNumber(3), fileSystem: disk).write(to: disk)
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    return disk
  }

  private func retire(
    _ disk: MemoryDisk, below: Int?, through: String? = nil
  ) throws -> RetirementRun {
    let run = try RetirementRun(
      "S", below: below.map { VersionNumber($0) }, through: through, fileSystem: disk)
    try run.write(to: disk)
    return run
  }

  private func generate(_ disk: MemoryDisk) throws {
    let run = GenerationPipeline(fileSystem: disk).run("S")
    #expect(!run.diagnostics.hasErrors, "\(run.diagnostics)")
    try run.write(to: disk)
  }

  private func lock(_ disk: MemoryDisk) -> SchemaLock {
    SchemaFolder.lock(in: "S", fileSystem: disk)
  }

  @Test(
    "Retiring versions removes their code, keeps the rest identical, and can be undone"
  )
  func thereAndBack() throws {
    let disk = try disk()
    let before = disk.files
    #expect(try retire(disk, below: 3, through: "2.5").refusal == nil)
    #expect(
      disk["S/schemagen.yaml"]
        == "# Ours.\naccess: public\nextras: [migrationKit]\nretired: { below: V3, through: \"2.5\" }\n"
    )
    #expect(disk["S/Migrations/V1ToV2.swift"] == nil)
    #expect(disk["S/Retired/V1ToV2.swift"] == before["S/Migrations/V1ToV2.swift"])
    try generate(disk)
    for name in ["SchemaV1.swift", "SchemaV2.swift"] { #expect(disk["S/Generated/\(name)"] == nil) }
    // Decisions that V1's and V2's names caused in later versions stay.
    for name in ["SchemaV3.swift", "SchemaV4.swift"] {
      #expect(disk["S/Generated/\(name)"] == before["S/Generated/\(name)"])
    }
    #expect(disk["S/Generated/SchemaV3.swift"]?.contains("originalName: \"name\"") == true)
    let plan = try #require(disk["S/Generated/MigrationPlan.swift"])
    #expect(plan.contains("SchemaV3.self") && !plan.contains("SchemaV2"))
    let description = try #require(disk["S/Generated/MigrationPlan+Description.swift"])
    let parts = description.components(separatedBy: "      retired: [\n")
    #expect(parts.count == 2 && !parts[0].contains("name: \"V1\""))
    #expect(parts.last?.contains("name: \"V2\"") == true)
    #expect(description.contains("retiredThrough: \"2.5\"\n"))
    #expect(disk["S/MIGRATIONS.md"]?.contains("| V2 | | 2 | retired |") == true)
    #expect(disk["S/MIGRATIONS.md"]?.contains("| V3 | | 1 | the plan begins here |") == true)
    // The lock still has them.
    #expect(lock(disk).entries == lock(MemoryDisk(before)).entries)
    #expect(
      !Linter(Linter.Options(today: CalendarDay(year: 2026, month: 1, day: 1)!), fileSystem: disk)
        .run("S").findings.hasErrors)

    #expect(try retire(disk, below: nil).refusal == nil)
    try generate(disk)
    #expect(disk.files == before)
  }

  @Test("Retiring fewer versions than before restores those no longer retired and keeps 'through:'")
  func further() throws {
    let disk = try disk()
    _ = try retire(disk, below: 3, through: "2.5")
    #expect(try retire(disk, below: 2).refusal == nil)
    #expect(disk["S/schemagen.yaml"]?.contains("{ below: V2, through: \"2.5\" }") == true)
    // The step from V1 is still retired, and the step from V2 has no code.
    #expect(disk["S/Retired/V1ToV2.swift"] != nil)
    try generate(disk)
    #expect(disk["S/Generated/SchemaV2.swift"] != nil && disk["S/Generated/SchemaV1.swift"] == nil)
  }

  @Test("An impossible retirement is refused and writes nothing")
  func refused() throws {
    for (below, words) in [
      (1, "no version comes before V1"), (7, "there is no version V7; there are V1, V2, V3, V4"),
      (4, "no version from there on has shipped"), (nil, "no version is retired"),
    ] as [(Int?, String)] {
      let disk = try disk()
      let before = disk.files
      let run = try retire(disk, below: below)
      #expect(run.refusal?.reason.contains(words) == true, "\(String(describing: run.refusal))")
      #expect(disk.files == before)
    }
    let both = try disk()
    both["S/Retired/V1ToV2.swift"] = "// other\n"
    #expect(try retire(both, below: 2).refusal?.reason.contains("both exist") == true)
    let mapped = try disk()
    mapped["S/schemagen.yaml"] = "extras: [cloudMappers]\n"
    #expect(try retire(mapped, below: 2).refusal?.reason.contains("'cloudMappers'") == true)
  }

  @Test("A hand-written 'retired' key is checked")
  func byHand() throws {
    for (value, words) in [
      ("{ below: V9 }", "there is no version V9"), ("{ below: V1 }", "no version comes before V1"),
      ("{ below: V4 }", "no store on a device could be opened"),
      ("{ through: 3 }", "'below' is missing"),
      ("{ below: x }", "'x' is not a version"), ("V3", "a mapping"),
    ] {
      let disk = try disk()
      disk["S/schemagen.yaml"] = "retired: \(value)\n"
      let found = SchemaFolder.read("S", fileSystem: disk).diagnostics
      #expect(found.contains { $0.message.contains(words) && $0.severity == .error }, "\(found)")
      // The command also corrects the key, if it is the only error.
      if value.contains("below: V") { #expect(try retire(disk, below: 3).refusal == nil) }
    }
  }

  @Test("The plan of every example history can start at any later version")
  func everywhere() throws {
    var count = 0
    for folder in Checkout.references where !folder.contains("benchmark") {
      let path = "\(Checkout.root)/\(folder)"
      let whole = SchemaFolder.read(path, fileSystem: Disk())
      let evolution = try #require(whole.evolution)
      for version in evolution.history.dropFirst() {
        var configuration = evolution.configuration
        configuration.retirement = Configuration.Retirement(below: Located(version.number))
        let retired = AnalysisPipeline(
          history: evolution.history, configuration: configuration, shipped: evolution.shipped,
          hooks: evolution.hooks
        ).run()
        let kept = retired.kept
        let offset = evolution.chain.firstIndex { $0.identifier == version.number } ?? 0
        #expect(kept.history[0].number == version.number)
        #expect(kept.chain.map(\.name) == evolution.chain.dropFirst(offset).map(\.name))
        #expect(kept.identities.map(\.full) == evolution.identities.dropFirst(offset).map(\.full))
        #expect(kept.versions[0].step == nil && kept.steps.count == kept.versions.count - 1)
        #expect(kept.stages.map(\.from.name) == kept.chain.dropLast().map(\.name))
        #expect(kept.stages.map(\.to.name) == kept.chain.dropFirst().map(\.name))
        let numbers = Set(kept.chain.map(\.identifier))
        for hazard in kept.stages.flatMap(\.barrierReasons) {
          #expect(numbers.contains(hazard.from) && numbers.contains(hazard.to))
        }
        count += 1
      }
    }
    #expect(count > 10)
  }

  @Test("A survey of stores counts the users that a retirement leaves behind")
  func survey() throws {
    let disk = try disk()
    _ = try retire(disk, below: 3)
    let evolution = try #require(SchemaFolder.read("S", fileSystem: disk).evolution)
    #expect(
      evolution.leftBehind(nil) == "retired: V1 to V2: their stores are no longer migrated")
    let lines =
      ["V1", "V1", "V3"].map { "{\"status\":\"recognized\",\"version\":\"\($0)\"}\n" }
      + ["\n{\"status\":\"unreadable\",\"version\":null}\n", "{\"status\":\"no-store\"}\n"]
    let survey = try FleetSurvey(SourceFile(path: "x.jsonl", text: lines.joined()))
    #expect(
      evolution.leftBehind(survey)?.hasSuffix("; 2 of 4 surveyed stores (V1: 2)") == true)
    let report = DiffReport(evolution, survey: survey)
    #expect(report.render(.text).contains("2 of 4 surveyed stores"))
    #expect(report.render(.text).contains("V1 → V2 (retired, not in the plan)"))
    #expect(report.render(.json).contains("\"surveyed\""))
    #expect(throws: FileSystemError.self) {
      try FleetSurvey(SourceFile(path: "x.jsonl", text: lines[0] + "oops\n"))
    }
  }

  @Test("Where losses need an approval, retiring versions needs one")
  func approval() throws {
    for mode in ["owners", "base"] {
      let change = try ChangeRepository(ChangeRepository.v1 + "#\n", approvals: mode)
      change.branch["S/V2.yaml"] =
        "version: 2.0.0\n"
        + ChangeRepository.v1.replacing("size: Int", with: "size: Int\n      more: Int?")
      try GenerationPipeline(fileSystem: change.branch).run("S").write(to: change.branch)
      try ReleaseMarking.prepare("S", upTo: nil, fileSystem: change.branch).write(to: change.branch)
      #expect(try change.unapproved() == [])
      let run = try RetirementRun(
        "S", below: VersionNumber(2), through: nil, fileSystem: change.branch)
      #expect(run.refusal == nil, "\(String(describing: run.refusal))")
      try run.write(to: change.branch)
      #expect(try change.unapproved() == ["retired"])
    }
  }

  @Test("Where losses need an approval, giving up stores of older releases needs one")
  func oldestRelease() throws {
    for mode in ["owners", "base"] {
      let change = try ChangeRepository(ChangeRepository.v1 + "#\n", approvals: mode)
      #expect(try change.unapproved() == [])
      let configuration = try #require(change.branch["S/schemagen.yaml"])
      change.branch["S/schemagen.yaml"] = configuration + "oldestRelease: v1.1\n"
      #expect(try change.unapproved() == ["oldestRelease"])
    }
  }
}
