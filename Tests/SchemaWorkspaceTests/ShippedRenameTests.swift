import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// A rename that was not declared, found after the version had shipped: the engine took it for a removal.
@Suite struct ShippedRenameTests {
  private static let v1 = """
    version: 1.0.0
    models:
      Trip:
        properties:
          title: String
          state: String?
    """
  private static let v2 = """
    version: 2.0.0
    models:
      Trip:
        properties:
          title: String
          phase: String?

    """

  /// V1 is marked as shipped. V2 is in a tag, and nothing was generated for it.
  private func shipped(
    _ v2: String = v2, from name: String = "state"
  ) throws -> (disk: MemoryDisk, tag: MemoryDisk) {
    let disk = MemoryDisk(["S/V1.yaml": Self.v1.replacing("state", with: name)])
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    try ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).write(to: disk)
    disk["S/V2.yaml"] = v2
    return (disk, MemoryDisk(disk.files))
  }

  private func mark(_ disk: MemoryDisk, _ tag: MemoryDisk) throws -> ReleaseMarking {
    let base = try ComparisonBase(name: "v2", path: "S", isRelease: true, fileSystem: tag)
    return ReleaseMarking.prepare("S", from: base, fileSystem: disk)
  }

  private func generate(_ disk: MemoryDisk) throws -> [Diagnostic] {
    let run = GenerationPipeline(fileSystem: disk).run("S")
    try run.write(to: disk)
    return run.diagnostics
  }

  private func lint(_ disk: MemoryDisk, _ base: ComparisonBase? = nil) -> LintResult {
    let today = CalendarDay(year: 2026, month: 1, day: 1)!
    return Linter(Linter.Options(today: today, base: base), fileSystem: disk).run("S")
  }

  private func findings(_ disk: MemoryDisk, against tag: MemoryDisk? = nil) throws -> [Diagnostic] {
    let base = try tag.map {
      try ComparisonBase(name: "v2", path: "S", isRelease: true, fileSystem: $0)
    }
    return lint(disk, base).findings.filter { $0.severity > .note }
  }

  /// Writes what a help line says, after `write:` or in the quotes after `accept:`.
  private func follow(_ help: String, in disk: MemoryDisk) throws {
    var text = try #require(disk["S/V2.yaml"])
    if let drops = help.firstMatch(of: /write: (drops: .*)/)?.output.1 {
      text += drops + "\n"
    } else if let accept = help.firstMatch(of: /'(accept: .*?\}\])'/)?.output.1 {
      text += accept.replacing("…", with: "2.0 shipped so") + "\n"
    } else if let property = help.firstMatch(of: /: +(phase: \{.*\})/)?.output.1 {
      text = text.replacing("phase: String?", with: property)
    } else if help.contains("run 'schemagen generate'") {
      #expect(try !generate(disk).hasErrors)
    } else {
      Issue.record("nobody can follow this: \(help)")
    }
    disk["S/V2.yaml"] = text
  }

  private static let answers = ["drops: {", "phase: {"].flatMap { answer in
    ["state", "old"].flatMap { name in [true, false].map { (answer, name, $0) } }
  }

  /// Whichever answer is taken, whether or not the names are similar, and whether all help lines are followed or only
  /// the first.
  @Test(
    "Following the help of 'release' leads to a clean run in at most five steps",
    arguments: answers)
  func arrives(_ answer: String, _ name: String, _ followsAll: Bool) throws {
    let (disk, tag) = try shipped(from: name)
    var seen: [String?] = []
    var count = 0
    while true {
      let marking = try mark(disk, tag)
      guard let error = marking.diagnostics.first(where: { $0.severity == .error }) else {
        #expect(marking.diagnostics.isEmpty && marking.versions.map(\.name) == ["V2"])
        try marking.write(to: disk)
        break
      }
      try #require(count < 5, "\(error)")
      count += 1
      // The other lines say what changed.
      var helps = error.help.filter { help in
        [answer, "accept: [{", "run 'schemagen"].contains { help.contains($0) }
      }
      if !followsAll, !helps.isEmpty { helps = [helps[0]] }
      try #require(!helps.isEmpty, "\(error.help)")
      for help in helps { try follow(help, in: disk) }
      let now = disk.files.values.sorted().joined()
      #expect(!seen.contains(now), "a circle: \(error)")
      seen.append(now)
    }
    #expect(count <= (followsAll ? 2 : 3))
    #expect(try generate(disk).isEmpty)
    #expect(try generate(disk).isEmpty)
    #expect(try findings(disk).isEmpty)
    #expect(try findings(disk, against: tag).isEmpty)
    // The lock has the shipped step: without the entry, the correction counts as an edit.
    let entry = try #require(
      disk["S/V2.yaml"]?.split(separator: "\n").first { $0.hasPrefix("accept") })
    disk["S/V2.yaml"] = disk["S/V2.yaml"]?.replacing(entry, with: "")
    #expect(try generate(disk).map(\.rule.id) == ["shipped-step-edited"])
  }

  @Test("Restoring a shipped step is suggested first, unless it would be refused again")
  func restoring() throws {
    func help(_ v2: String, _ edited: String) throws -> [String] {
      let (disk, tag) = try shipped(v2)
      disk["S/V2.yaml"] = edited
      let found = try mark(disk, tag).diagnostics.filter { $0.rule.id == "shipped-step-edited" }
      return try #require(found.first).help
    }
    let drops = Self.v2 + "drops: { Trip.state: { reason: gone, notCarriedTo: phase } }\n"
    #expect(try !help(Self.v2, drops).contains { $0.hasPrefix("restore") })
    let rename = Self.v2.replacing("String?\n\n", with: "String?\n").replacing(
      "phase: String?", with: "phase: { type: String?, renamedFrom: state }")
    let found = try help(drops, rename)
    #expect(found.dropLast().last?.hasPrefix("restore") == true, "\(found)")
  }

  @Test(
    "An acceptance of a step's edit has no effect before a release or without an edit"
  )
  func waiting() throws {
    let accept = "accept: [{ rule: shipped-step-edited, element: V2, reason: it shipped so }]\n"
    let drops = Self.v2 + "drops: { Trip.state: { reason: gone, notCarriedTo: phase } }\n" + accept
    let (disk, _) = try shipped(drops)
    for found in [try generate(disk), try findings(disk)] {
      #expect(found.map(\.rule.id) == ["unused-acceptance"])
      #expect(found.map(\.severity) == [.warning])
      #expect(found[0].correction == nil && found[0].message.contains(" has no effect yet: "))
    }
    #expect(lint(disk).fixes.allSatisfy { $0.finding.rule.id != "unused-acceptance" })
    try ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).write(to: disk)
    #expect(lint(disk).fixes.contains { $0.finding.rule.id == "unused-acceptance" })
    #expect(try generate(disk).map(\.severity) == [.error])
    #expect(try generate(disk).map(\.help) == [["remove the entry"]])
  }

  @Test("After a release the suggested answer includes the acceptance it requires")
  func marked() throws {
    let (disk, _) = try shipped(
      Self.v2 + "drops: { Trip.state: { reason: gone, notCarriedTo: phase } }\n")
    #expect(try generate(disk).isEmpty)
    try ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).write(to: disk)
    disk["S/V2.yaml"] = Self.v2
    let found = try generate(disk)
    #expect(found.map(\.rule.id) == ["shipped-step-edited", "ambiguous-rename"])
    #expect(found[1].help.last?.contains("accept: [{ rule: shipped-step-edited") == true)
    for help in found[1].help.filter({ $0.contains("phase: {") || $0.contains("accept") }) {
      try follow(help, in: disk)
    }
    #expect(try generate(disk).isEmpty)
  }
}
