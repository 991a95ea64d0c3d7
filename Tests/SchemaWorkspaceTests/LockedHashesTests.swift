import Foundation
import ManagedModels
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// Hashes of a shipped store in the lock: how they are recorded, and that they are kept.
@Suite struct LockedHashesTests {
  private func generated() throws -> MemoryDisk {
    let disk = MemoryDisk(["S/V1.yaml": GenerationTests.v1, "S/V2.yaml": GenerationTests.v2])
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    return disk
  }

  private func base64(_ byte: UInt8) -> String {
    Data(repeating: byte, count: 32).base64EncodedString()
  }

  /// Hashes of a store that differ from the manifest's.
  private func foreign(_ byte: UInt8 = 1) throws -> LockedHashes {
    let checksum = VersionHashes(entities: ["Trip": Data(repeating: byte, count: 32)]).checksum
    return try #require(
      LockedHashes(checksum: checksum, entities: ["Trip": base64(byte)], isProven: true))
  }

  /// The hashes of a store of V1.
  private func own() throws -> LockedHashes {
    let made = try #require(read(generated()).lock.entries[0].hashes)
    let checksum = try #require(made.checksum)
    return try #require(
      LockedHashes(checksum: checksum, entities: made.entities, isProven: true))
  }

  /// A folder with V1 shipped, and a store that proves it.
  private func proven() throws -> MemoryDisk {
    let disk = try generated()
    let release = ReleaseMarking.prepare(
      "S", upTo: VersionNumber(1), proving: try own(), fileSystem: disk)
    #expect(release.diagnostics.isEmpty && release.proven == VersionNumber(1))
    try release.write(to: disk)
    return disk
  }

  private func read(_ disk: MemoryDisk) -> (lock: SchemaLock, diagnostics: [Diagnostic]) {
    SchemaLock.read(SourceFile(path: "S/schema.lock", text: disk["S/schema.lock"] ?? ""))
  }

  @Test("Each version in the lock has the checksum and hashes that Core Data computes")
  func made() throws {
    let disk = try generated()
    let (lock, diagnostics) = read(disk)
    #expect(diagnostics.isEmpty && lock.text == disk["S/schema.lock"])
    #expect(!lock.text.contains("proof"))
    #expect(lock.entries.map { $0.hashes?.isProven } == [false, false])
    // As a second implementation computes it (docs/facts/identity.md#the-hash-of-an-entity).
    #expect(
      lock.entries[0].hashes?.entities == ["Trip": "FgD76Z78Jawf4YAhZWL+7el9EvX2ekfL+ibyQci4a/8="])
    #expect(lock.entries[0].hashes?.checksum == "dPiZqCw8kPbRJXQXRfe82WUZK6OLxTMqX2Fnn5HhO/U=")
    #expect(
      lock.entries[1].hashes?.entities == ["Trip": "05yEtmNkR9BIVqvflGgTkoyoKVL8lsUtG4wvcH3vsAo="])
    #expect(SchemaFolder.lock(in: "S", fileSystem: disk).provenHashes.isEmpty)
  }

  /// Two models, one of which has a property of the given type.
  private func generated(_ type: String) throws -> MemoryDisk {
    let stop = "  Stop:\n    properties:\n      title: String\n"
    let disk = MemoryDisk([
      "S/V1.yaml": GenerationTests.v1.replacing("note: String?", with: "size: '\(type)?'") + "\n"
        + stop
    ])
    let run = GenerationPipeline(fileSystem: disk).run("S")
    try #require(!run.diagnostics.hasErrors, "\(run.diagnostics)")
    try run.write(to: disk)
    return disk
  }

  @Test(
    "Models have hashes if the attribute type of each Swift type is known",
    arguments: [
      "URL", "Float", "Int32", "Int16", "Decimal", "UInt8", "UInt32", "UInt64", "[UInt32]",
      "[String]", "[URL]", "[String: Int]",
      "[String: Date]",
    ])
  func certainTypes(_ type: String) throws {
    let hashes = try #require(read(generated(type)).lock.entries[0].hashes)
    #expect(hashes.entities.keys.sorted() == ["Stop", "Trip"] && hashes.checksum != nil)
    #expect(hashes.uncertain.isEmpty)
  }

  @Test(
    "A model with an uncertain hash is named and gets no hash; other models keep their hashes",
    arguments: ["CGFloat", "UInt", "Int8", "UInt16", "[Int: String]", "Set<String>"])
  func uncertainTypes(_ type: String) throws {
    let disk = try generated(type)
    let text = try #require(disk["S/schema.lock"])
    let (lock, diagnostics) = read(disk)
    #expect(diagnostics.isEmpty && lock.text == text)
    let hashes = try #require(lock.entries[0].hashes)
    #expect(Array(hashes.entities.keys) == ["Stop"] && hashes.checksum == nil)
    #expect(hashes.uncertain == ["Trip.size"] && !hashes.isProven)
    #expect(text.contains("    uncertain:\n      - Trip.size\n"))
    #expect(GenerationPipeline(fileSystem: disk).run("S").changes.isEmpty)
    // The sum covers the uncertain models, and nothing in the lock may contradict them.
    for (old, new, rule) in [
      ("      - Trip.size\n", "      - Trip.name\n", "lock-edited"),
      ("    uncertain:\n", "    proof: store\n    uncertain:\n", "lock-entry"),
      ("    uncertain:\n", "    checksum: \(base64(1))\n    uncertain:\n", "lock-entry"),
      ("      Stop: ", "      Stop: A", "lock-entry"),
    ] {
      disk["S/schema.lock"] = text.replacing(old, with: new)
      #expect(read(disk).diagnostics.first?.rule.id == rule, "\(new)")
    }
  }

  @Test("Hashes proven by a store complete the lock unless they contradict it")
  func provenAfterwards() throws {
    for isSame in [true, false] {
      let disk = try generated("CGFloat")
      var shown = try #require(read(disk).lock.entries[0].hashes).entities
      shown["Trip"] = base64(7)
      if !isSame { shown["Stop"] = base64(8) }
      let checksum = VersionHashes(entities: shown.compactMapValues { Data(base64Encoded: $0) })
        .checksum
      let proof = LockedHashes(checksum: checksum, entities: shown, isProven: true)
      let release = ReleaseMarking.prepare("S", upTo: nil, proving: proof, fileSystem: disk)
      #expect(release.diagnostics.map(\.severity) == (isSame ? [] : [.warning]))
      if !isSame { #expect(release.diagnostics[0].message.hasSuffix("they differ in Stop")) }
      try release.write(to: disk)
      #expect(read(disk).lock.provenHashes[VersionNumber(1)]?.entities == shown)
    }
  }

  @Test("Hashes proven by a store are marked as proven and read back")
  func roundTrip() throws {
    let disk = try proven()
    let (lock, diagnostics) = read(disk)
    #expect(diagnostics.isEmpty && lock.text == disk["S/schema.lock"])
    #expect(lock.entries.map { $0.hashes?.isProven } == [true, false])
    #expect(lock.entries.map(\.state) == [.released, .draft])
    #expect(lock.text.contains("    proof: store\n    sum: "))
    #expect(
      SchemaFolder.lock(in: "S", fileSystem: disk).provenHashes == [
        VersionNumber(1): try own()
      ])
  }

  @Test("Proven hashes survive generation, a new version and a later release")
  func kept() throws {
    let disk = try proven()
    let before = disk["S/schema.lock"]
    #expect(GenerationPipeline(fileSystem: disk).run("S").changes.isEmpty)
    disk["S/V2.yaml"] = GenerationTests.v2.replacing("?? 0", with: "?? 1")
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    #expect(disk["S/schema.lock"] != before)
    try ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).write(to: disk)
    #expect(read(disk).lock.provenHashes == [VersionNumber(1): try own()])
    #expect(read(disk).diagnostics.isEmpty)
  }

  @Test("Proving the same hashes again changes nothing, and different hashes are refused")
  func again() throws {
    let disk = try proven()
    let before = disk["S/schema.lock"]
    let same = ReleaseMarking.prepare(
      "S", upTo: VersionNumber(1), proving: try own(), fileSystem: disk)
    #expect(same.diagnostics.isEmpty && same.proven == nil && same.versions.isEmpty)
    try same.write(to: disk)
    let other = ReleaseMarking.prepare(
      "S", upTo: VersionNumber(1), proving: try foreign(7), fileSystem: disk)
    #expect(other.diagnostics.map(\.rule.id) == ["not-releasable"] && other.proven == nil)
    #expect(other.diagnostics[0].message.hasSuffix("different hashes for V1: they differ in Trip"))
    let twin = ReleaseMarking.prepare(
      "S", upTo: VersionNumber(2), proving: try own(), fileSystem: disk)
    #expect(twin.diagnostics.hasErrors && twin.proven == nil)
    #expect(
      twin.diagnostics.contains { $0.message.hasPrefix("V1, another version, has the same hashes") }
    )
    try other.write(to: disk)
    try twin.write(to: disk)
    #expect(disk["S/schema.lock"] == before)
  }

  @Test(
    "Hashes that a store proves are recorded with a warning if they differ from the manifest's"
  )
  func contradicted() throws {
    let disk = try generated()
    let release = ReleaseMarking.prepare(
      "S", upTo: VersionNumber(1), proving: try foreign(), fileSystem: disk)
    #expect(release.diagnostics.map(\.severity) == [.warning] && release.proven != nil)
    #expect(release.diagnostics[0].message.hasSuffix("computes for V1: they differ in Trip"))
    try release.write(to: disk)
    #expect(read(disk).lock.provenHashes == [VersionNumber(1): try foreign()])
    // Devices have these hashes: the unchanged manifest does not count as edited, and the warning stays.
    let run = GenerationPipeline(fileSystem: disk).run("S")
    #expect(run.diagnostics.map(\.rule.id) == ["lock-hashes"] && !run.diagnostics.hasErrors)
    #expect(lint(disk).map(\.rule.id) == ["lock-hashes"])
  }

  private func lint(_ disk: MemoryDisk) -> [Diagnostic] {
    Linter(Linter.Options(today: CalendarDay(year: 2026, month: 1, day: 1)!), fileSystem: disk).run(
      "S"
    ).findings.filter {
      $0.rule.id.hasPrefix("lock-")
    }
  }

  /// Writes a lock with valid sums, as someone who knows how they are computed can.
  private func forge(
    _ disk: MemoryDisk, _ change: (inout SchemaLock) throws -> Void
  ) throws {
    var lock = read(disk).lock
    try change(&lock)
    disk["S/schema.lock"] = lock.text
  }

  @Test("A lock with forged checksums is found by comparing it with the manifests")
  func forged() throws {
    for isProven in [true, false] {
      let disk = try isProven ? proven() : generated()
      let whole = try #require(disk["S/schema.lock"])
      #expect(lint(disk).isEmpty)
      try forge(disk) { lock in
        let bytes = Data(repeating: 3, count: 32)
        lock.entries[0].hashes = LockedHashes(
          checksum: VersionHashes(entities: ["Trip": bytes]).checksum,
          entities: ["Trip": bytes.base64EncodedString()], isProven: isProven)
      }
      let found = lint(disk)
      #expect(found.map(\.rule.id) == ["lock-hashes"])
      #expect(found.map(\.severity) == [isProven ? .warning : .error])
      #expect(found[0].message.hasSuffix("they differ in Trip"))
      let run = GenerationPipeline(fileSystem: disk).run("S")
      // Computed hashes are written again; hashes that a store proved are not schemagen's to change.
      #expect(run.changes.map(\.path) == (isProven ? [] : ["S/schema.lock"]))
      #expect(run.diagnostics.map(\.rule.id) == (isProven ? ["lock-hashes"] : []))
      if !isProven {
        try run.write(to: disk)
        #expect(disk["S/schema.lock"] == whole)
      }
      // A hash with a checksum that belongs to others.
      disk["S/schema.lock"] = whole
      try forge(disk) { lock in
        lock.entries[0].hashes = LockedHashes(
          checksum: try #require(lock.entries[0].hashes?.checksum),
          entities: ["Trip": base64(4)], isProven: isProven)
      }
      #expect(read(disk).diagnostics.map(\.rule.id) == ["lock-edited"])
      #expect(read(disk).diagnostics[0].message.contains("the checksum of V1 is not that of"))
    }
  }

  @Test("'generate --check' reports any lock entry that 'generate' would rewrite")
  func stale() throws {
    let changes: [(inout SchemaLock.Entry) -> Void] = [
      { $0.identity = String($0.identity.reversed()) },
      { $0.digest = VersionDigest(structure: $0.identity, step: $0.identity) },
      { $0.hashes = nil },
    ]
    for change in changes {
      let disk = try generated()
      let whole = disk["S/schema.lock"]
      try forge(disk) { change(&$0.entries[1]) }
      let run = GenerationPipeline(fileSystem: disk).run("S")
      #expect(run.changes.map(\.path) == ["S/schema.lock"])
      try run.write(to: disk)
      #expect(disk["S/schema.lock"] == whole)
    }
  }

  @Test(
    "Each manual edit of a hash in the lock is reported",
    arguments: ["      Trip: ", "    checksum: "])
  func edited(_ line: String) throws {
    let disk = try proven()
    let text = try #require(disk["S/schema.lock"])
    let place = try #require(text.firstRange(of: line))
    let end = text.index(place.upperBound, offsetBy: 44)
    disk["S/schema.lock"] = text.replacingCharacters(
      in: place.upperBound..<end, with: base64(55))
    #expect(read(disk).diagnostics.map(\.rule.id) == ["lock-edited"])
    #expect(SchemaFolder.lock(in: "S", fileSystem: disk).provenHashes.isEmpty)
  }

  @Test("A forged proof in the lock is reported", arguments: [true, false])
  func forgedProof(_ isTaken: Bool) throws {
    let disk = try isTaken ? proven() : generated()
    let sum = "    sum: "
    disk["S/schema.lock"] = disk["S/schema.lock"].map {
      isTaken
        ? $0.replacing("    proof: store\n", with: "")
        : $0.replacing(sum, with: "    proof: store\n" + sum)
    }
    #expect(read(disk).diagnostics.first?.rule.id == "lock-edited")
  }

  @Test("An edit that leaves the checksum unchanged does not affect recognition of stores")
  func neutralEdit() throws {
    // Whether an enum with raw values is optional is not hashed (docs/facts/identity.md#enum-optionality-neutral).
    func manifest(_ property: String) -> String {
      """
      version: 1.0.0
      types: { Status: { enum: String, cases: [open, done] } }
      models:
        Trip:
          properties:
            id: { type: UUID, unique: true }
            \(property)
      """
    }
    let disk = MemoryDisk(["S/V1.yaml": manifest("status: Status?")])
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    try ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).write(to: disk)
    let base = try ComparisonBase(
      name: "main", path: "S", isRelease: false, commit: "1a2b3c4d5e", fileSystem: disk)
    for (property, isLost) in [("status: Status", false), ("state: Status?", true)] {
      disk["S/V1.yaml"] = manifest(property)
      let current = SchemaFolder.read("S", fileSystem: disk)
      for found in [
        GenerationPipeline(fileSystem: disk).run("S").diagnostics,
        BaseComparison(current: current, currentLock: read(disk).lock, base: base).diagnostics(),
      ] {
        #expect(found.map(\.rule.id) == ["shipped-version-edited"])
        #expect(found.first?.message.contains("134504") == isLost, "\(found)")
      }
    }
  }

  @Test(
    "An incomplete or malformed hash is a broken lock entry",
    arguments: [("checksum", "sum2"), ("hashes:", "ashes:"), ("Trip: ", "Trip: A")])
  func broken(_ old: String, _ new: String) throws {
    let disk = try proven()
    disk["S/schema.lock"]?.replace(old, with: new)
    #expect(read(disk).diagnostics.contains { $0.rule.id == "lock-entry" })
  }

  @Test("Hashes that were removed or changed since the base are an error")
  func base() throws {
    let base = try ComparisonBase(
      name: "main", path: "S", isRelease: false, commit: "1a2b3c4d5e", fileSystem: proven())
    func findings(_ disk: MemoryDisk) -> [Diagnostic] {
      BaseComparison(
        current: SchemaFolder.read("S", fileSystem: disk), currentLock: read(disk).lock, base: base
      ).diagnostics()
    }
    #expect(findings(try proven()).isEmpty)
    // Computed hashes may change with schemagen, or be replaced by proven ones.
    let unproven = try generated()
    try ReleaseMarking.prepare("S", upTo: VersionNumber(1), fileSystem: unproven)
      .write(to: unproven)
    let made = try ComparisonBase(
      name: "main", path: "S", isRelease: false, commit: "1a2b3c4d5e", fileSystem: unproven)
    #expect(
      BaseComparison(
        current: SchemaFolder.read("S", fileSystem: try proven()),
        currentLock: read(try proven()).lock, base: made
      ).diagnostics().isEmpty)
    for byte in [UInt8?.none, 8] {
      let disk = try generated()
      try ReleaseMarking.prepare(
        "S", upTo: VersionNumber(1), proving: try byte.map { try foreign($0) }, fileSystem: disk
      ).write(to: disk)
      let found = findings(disk)
      #expect(found.map(\.rule.id) == ["release-mark-removed"])
      #expect(found.first?.message.contains("a store has proven the hashes of V1") == true)
    }
  }

  @Test("A hash must have 32 bytes in base64 and a valid entity name")
  func forms() {
    #expect(LockedHashes(checksum: base64(1), entities: ["Trip": base64(1)], isProven: true) != nil)
    #expect(LockedHashes(checksum: base64(1), entities: [:], isProven: true) == nil)
    #expect(LockedHashes(checksum: "AAAA", entities: ["Trip": base64(1)], isProven: true) == nil)
    #expect(LockedHashes(checksum: base64(1), entities: ["Trip": "no"], isProven: true) == nil)
    #expect(LockedHashes(checksum: base64(1), entities: ["a: b": base64(1)], isProven: true) == nil)
  }

  @Test(
    "Generated code that lists hashes is stale until regenerated after a proof")
  func generatedCode() throws {
    let disk = MemoryDisk([
      "S/V1.yaml": GenerationTests.v1, "S/V2.yaml": GenerationTests.v2,
      "S/schemagen.yaml": "extras: [migrationKit]\n",
    ])
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    func named() -> Bool {
      disk.files.contains { $0.key.hasSuffix(".swift") && $0.value.contains("knownHashes: [") }
    }
    #expect(GenerationPipeline(fileSystem: disk).run("S").changes.isEmpty && !named())
    try ReleaseMarking.prepare(
      "S", upTo: VersionNumber(1), proving: try own(), fileSystem: disk
    ).write(to: disk)
    let stale = GenerationPipeline(fileSystem: disk).run("S")
    #expect(!stale.changes.isEmpty && !stale.diagnostics.hasErrors)
    try stale.write(to: disk)
    #expect(named())
    #expect(GenerationPipeline(fileSystem: disk).run("S").changes.isEmpty)
  }
}
