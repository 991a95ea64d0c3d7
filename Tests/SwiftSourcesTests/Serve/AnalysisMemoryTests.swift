import SchemaEvolution
import SchemaManifest
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// What is kept between two looks at a folder changes nothing of what is found.
@Suite struct AnalysisMemoryTests {
  private static let folder = "/app/Schemas"

  /// The manifests of a random history, and the lock where all but its newest version have shipped.
  private func files(seed: Int) -> [String: String] {
    let history = HistoryGenerator.history(seed: seed)
    var files: [String: String] = [:]
    for version in history {
      files["\(Self.folder)/\(version.number.name).yaml"] = ManifestText(version).text
    }
    let read = SchemaFolder.read(Self.folder, fileSystem: memoryFiles(files))
    if let evolution = read.evolution, history.count > 2, seed % 2 == 0 {
      var lock = SchemaLock(evolution, previous: SchemaLock())
      _ = lock.release(upTo: history[history.count - 2].number)
      files["\(Self.folder)/schema.lock"] = lock.text
    }
    return files
  }

  private func memoryFiles(_ files: [String: String]) -> MemoryFiles {
    MemoryFiles(files.map { SourceFile(path: $0.key, text: $0.value) })
  }

  /// Edits as somebody makes them, one in each manifest in turn: lines that move, go, or say something else.
  private func edited(_ text: String, _ turn: Int) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let place = (turn * 7 + 3) % max(1, lines.count)
    switch turn % 5 {
    case 0: lines.insert("# a comment", at: place)
    case 1: lines = lines.map { $0.replacing("String", with: "Int") }
    case 2: if lines.count > 4 { lines.remove(at: place) }
    case 3: lines[place] += " "
    default: lines = lines.map { $0.replacing(": ", with: ":  ") }
    }
    return lines.joined(separator: "\n")
  }

  @Test("With a memory, lint finds what it finds without", arguments: 0..<24)
  func findsTheSame(seed: Int) {
    var files = files(seed: seed)
    let original = files
    let memory = AnalysisMemory()
    let manifests = files.keys.filter { $0.hasSuffix(".yaml") }.sorted()
    for turn in 0..<(3 * manifests.count) {
      let path = manifests[turn % manifests.count]
      // Back again now and then, so that what was known once is the past.
      files[path] = turn % 3 == 2 ? original[path]! : edited(files[path]!, turn + seed)
      if turn == 4 { files["\(Self.folder)/schemagen.yaml"] = "policy: strict\n" }
      if turn == 7 { files["\(Self.folder)/schemagen.yaml"] = "\npolicy: strict\n" }
      var options = Linter.Options(today: CalendarDay("2026-01-01")!)
      let fresh = Linter(options, fileSystem: memoryFiles(files)).run(Self.folder)
      options.memory = memory
      let kept = Linter(options, fileSystem: memoryFiles(files)).run(Self.folder)
      #expect(kept.findings == fresh.findings, "turn \(turn)")
      #expect(kept.accepted.map(\.finding) == fresh.accepted.map(\.finding))
      #expect(kept.fixes.map(\.fix) == fresh.fixes.map(\.fix))
      #expect(kept.evolution?.identities == fresh.evolution?.identities)
      #expect(kept.evolution?.hazards == fresh.evolution?.hazards)
      #expect(kept.evolution?.steps.map(\.changes) == fresh.evolution?.steps.map(\.changes))
      #expect(
        kept.evolution?.stages.map(\.isCustom) == fresh.evolution?.stages.map(\.isCustom))
      #expect(kept.sources == fresh.sources)
    }
  }

  @Test func stagesFollowTheNewestManifest() {
    func manifest(_ version: Int, _ properties: String, _ rest: String = "") -> String {
      "version: \(version).0.0\nmodels:\n  Trip:\n    properties:\n      title: String = \"\"\n\(properties)\(rest)"
    }
    var files = [
      "\(Self.folder)/V1.yaml": manifest(1, "      note: String = \"\"\n"),
      "\(Self.folder)/V2.yaml": manifest(2, "", "drops: { Trip.note: nobody saw it }\n"),
    ]
    let memory = AnalysisMemory()
    var found: [Int] = []
    // With the old name, those who skip V2 would keep values that others have lost.
    for name in ["words", "note", "words", "note"] {
      files["\(Self.folder)/V3.yaml"] = manifest(3, "      \(name): String = \"\"\n")
      var options = Linter.Options(today: CalendarDay("2026-01-01")!)
      let fresh = Linter(options, fileSystem: memoryFiles(files)).run(Self.folder)
      options.memory = memory
      let kept = Linter(options, fileSystem: memoryFiles(files)).run(Self.folder)
      #expect(kept.evolution?.hazards == fresh.evolution?.hazards)
      #expect(kept.evolution?.stages.map(\.isBarrier) == fresh.evolution?.stages.map(\.isBarrier))
      found.append(kept.evolution?.hazards.count ?? -1)
    }
    #expect(found == [0, 1, 0, 1])
  }
}
