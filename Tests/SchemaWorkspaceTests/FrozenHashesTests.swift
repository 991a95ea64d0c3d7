import Foundation
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// Hashes of a shipped store in the lock: how they get there, and that they stay.
@Suite struct FrozenHashesTests {
  private func generated() throws -> MemoryDisk {
    let disk = MemoryDisk(["S/V1.yaml": GenerationTests.v1, "S/V2.yaml": GenerationTests.v2])
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    return disk
  }

  private func base64(_ byte: UInt8) -> String {
    Data(repeating: byte, count: 32).base64EncodedString()
  }

  private func hashes(_ byte: UInt8 = 1) throws -> FrozenHashes {
    try #require(
      FrozenHashes(
        checksum: base64(9), entities: ["Trip": base64(byte), "Stop": base64(2)]))
  }

  /// A folder of which V1 has shipped with hashes.
  private func frozen() throws -> MemoryDisk {
    let disk = try generated()
    let release = ReleaseMarking.prepare(
      "S", upTo: VersionNumber(1), freezing: try hashes(), fileSystem: disk)
    #expect(release.diagnostics.isEmpty && release.frozen == VersionNumber(1))
    try release.write(to: disk)
    return disk
  }

  private func read(_ disk: MemoryDisk) -> (lock: SchemaLock, diagnostics: [Diagnostic]) {
    SchemaLock.read(SourceFile(path: "S/schema.lock", text: disk["S/schema.lock"] ?? ""))
  }

  @Test("they stand in the entry, by the names' bytes, and are read back")
  func roundTrip() throws {
    let disk = try frozen()
    let (lock, diagnostics) = read(disk)
    #expect(diagnostics.isEmpty && lock.text == disk["S/schema.lock"])
    #expect(lock.entries.map(\.hashes) == [try hashes(), nil])
    #expect(lock.entries.map(\.state) == [.released, .draft])
    #expect(
      lock.text.contains(
        "    checksum: \(base64(9))\n    hashes:\n      Stop: \(base64(2))\n      Trip: \(base64(1))\n"
          + "    sum: "))
    #expect(lock.text.contains("\nformat: 2\n"))
    #expect(
      SchemaFolder.frozenHashes(in: "S", fileSystem: disk) == [VersionNumber(1): try hashes()])
  }

  @Test("a lock without any is to the byte what it was before there were any")
  func withoutAny() throws {
    let disk = try generated()
    #expect(disk["S/schema.lock"]?.contains("\nformat: 1\n") == true)
    #expect(disk["S/schema.lock"]?.contains("hashes") == false)
    #expect(SchemaFolder.frozenHashes(in: "S", fileSystem: disk).isEmpty)
    // That of the checkout was written by earlier releases.
    let path = Checkout.root + "/Schemas/Ritualist/schema.lock"
    let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    let (lock, diagnostics) = SchemaLock.read(SourceFile(path: path, text: text))
    #expect(diagnostics.isEmpty && lock.text == text)
  }

  @Test("generation keeps them, and so do a new version and a later release")
  func kept() throws {
    let disk = try frozen()
    let before = disk["S/schema.lock"]
    #expect(GenerationPipeline(fileSystem: disk).run("S", isFresh: true).changes.isEmpty)
    disk["S/V2.yaml"] = GenerationTests.v2.replacing("?? 0", with: "?? 1")
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    #expect(disk["S/schema.lock"] != before)
    try ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).write(to: disk)
    #expect(read(disk).lock.entries.map(\.hashes) == [try hashes(), nil])
    #expect(read(disk).diagnostics.isEmpty)
  }

  @Test("the same again changes nothing; others are refused, and named")
  func again() throws {
    let disk = try frozen()
    let before = disk["S/schema.lock"]
    let same = ReleaseMarking.prepare(
      "S", upTo: VersionNumber(1), freezing: try hashes(), fileSystem: disk)
    #expect(same.diagnostics.isEmpty && same.frozen == nil && same.versions.isEmpty)
    try same.write(to: disk)
    let other = ReleaseMarking.prepare(
      "S", upTo: VersionNumber(1), freezing: try hashes(7), fileSystem: disk)
    #expect(other.diagnostics.map(\.rule.id) == ["not-releasable"] && other.frozen == nil)
    #expect(other.diagnostics[0].message.hasSuffix("frozen for V1 already, and differ in Trip"))
    let twin = ReleaseMarking.prepare(
      "S", upTo: VersionNumber(2), freezing: try hashes(), fileSystem: disk)
    #expect(twin.diagnostics.map(\.rule.id) == ["not-releasable"])
    #expect(twin.diagnostics[0].message.contains("these hashes are frozen for V1"))
    try other.write(to: disk)
    try twin.write(to: disk)
    #expect(disk["S/schema.lock"] == before)
  }

  @Test(
    "the sum covers them: each edit by hand is told",
    arguments: ["      Trip: ", "    checksum: ", "      Stop: "])
  func edited(_ line: String) throws {
    let disk = try frozen()
    let text = try #require(disk["S/schema.lock"])
    let place = try #require(text.firstRange(of: line))
    let end = text.index(place.upperBound, offsetBy: 44)
    disk["S/schema.lock"] = text.replacingCharacters(
      in: place.upperBound..<end, with: base64(55))
    #expect(read(disk).diagnostics.map(\.rule.id) == ["lock-edited"])
    #expect(SchemaFolder.frozenHashes(in: "S", fileSystem: disk).isEmpty)
  }

  @Test(
    "half of them, or what is not a hash, is a broken entry",
    arguments: [("checksum", "sum2"), ("hashes:", "ashes:"), ("Trip: ", "Trip: A")])
  func broken(_ old: String, _ new: String) throws {
    let disk = try frozen()
    disk["S/schema.lock"]?.replace(old, with: new)
    #expect(read(disk).diagnostics.contains { $0.rule.id == "lock-entry" })
  }

  @Test("held against a base: taken away or changed is an error")
  func base() throws {
    let base = try ComparisonBase(
      name: "main", path: "S", isRelease: false, commit: "1a2b3c4d5e", fileSystem: frozen())
    func findings(_ disk: MemoryDisk) -> [Diagnostic] {
      BaseComparison(
        current: SchemaFolder.read("S", fileSystem: disk), currentLock: read(disk).lock, base: base
      ).diagnostics()
    }
    #expect(findings(try frozen()).isEmpty)
    for byte in [UInt8?.none, 8] {
      let disk = try generated()
      try ReleaseMarking.prepare(
        "S", upTo: VersionNumber(1), freezing: try byte.map { try hashes($0) }, fileSystem: disk
      ).write(to: disk)
      let found = findings(disk)
      #expect(found.map(\.rule.id) == ["release-mark-removed"])
      #expect(found.first?.message.contains("the hashes that V1 shipped with") == true)
    }
  }

  @Test("32 bytes in base64, of names that Swift takes")
  func forms() {
    #expect(FrozenHashes(checksum: base64(1), entities: ["Trip": base64(1)]) != nil)
    #expect(FrozenHashes(checksum: base64(1), entities: [:]) == nil)
    #expect(FrozenHashes(checksum: "AAAA", entities: ["Trip": base64(1)]) == nil)
    #expect(FrozenHashes(checksum: base64(1), entities: ["Trip": "no"]) == nil)
    #expect(FrozenHashes(checksum: base64(1), entities: ["a: b": base64(1)]) == nil)
  }

  @Test("generated code that names them is out of date once they are frozen, and then is not")
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
      "S", upTo: VersionNumber(1), freezing: try hashes(), fileSystem: disk
    ).write(to: disk)
    let stale = GenerationPipeline(fileSystem: disk).run("S")
    #expect(!stale.changes.isEmpty && !stale.diagnostics.hasErrors)
    try stale.write(to: disk)
    #expect(named())
    #expect(GenerationPipeline(fileSystem: disk).run("S").changes.isEmpty)
    // What was generated with them is skipped again.
    #expect(GenerationPipeline(fileSystem: disk).run("S").folder == nil)
  }
}
