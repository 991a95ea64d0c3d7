import Foundation
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// The real file system, with links, pipes and devices.
@Suite struct DiskTests {
  @Test("Writing to a symbolic link writes its target and keeps the target's mode")
  func links() throws {
    try withTemporaryFolder { folder in
      let disk = Disk()
      try disk.write(Array("old".utf8), to: folder + "/target")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: folder + "/target")
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link", withDestinationPath: "target")
      try disk.write(Array("new".utf8), to: folder + "/link")
      #expect(try String(contentsOfFile: folder + "/target", encoding: .utf8) == "new")
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/link")
      #expect(attributes[.type] as? FileAttributeType == .typeSymbolicLink)
      let target = try FileManager.default.attributesOfItem(atPath: folder + "/target")
      #expect(target[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test("Pipes are not read, devices not replaced and folders not written")
  func devices() throws {
    try withTemporaryFolder { folder in
      let disk = Disk()
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      #expect(throws: FileSystemError.self) { try disk.read(folder + "/pipe", limit: 10) }
      #expect(throws: FileSystemError.self) { try disk.write([65], to: folder + "/pipe") }
      #expect(throws: FileSystemError.self) { try disk.append([65], to: folder + "/pipe") }
      let reader = open(folder + "/pipe", O_RDONLY | O_NONBLOCK)
      try disk.write([65, 66], to: folder + "/pipe")
      var read = [UInt8](repeating: 0, count: 4)
      #expect(Foundation.read(reader, &read, 4) == 2 && read[1] == 66)
      close(reader)
      try disk.write([65], to: "/dev/null")
      let attributes = try FileManager.default.attributesOfItem(atPath: "/dev/null")
      #expect(attributes[.type] as? FileAttributeType == .typeCharacterSpecial)
      #expect(throws: FileSystemError.self) { try disk.write([65], to: folder) }
    }
  }

  @Test("A file is read up to the limit, and reading a folder or a missing file gives nil")
  func reads() throws {
    try withTemporaryFolder { folder in
      let disk = Disk()
      let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
      try disk.write(bytes, to: folder + "/file")
      try disk.write([], to: folder + "/empty")
      #expect(try disk.read(folder + "/file", limit: 1 << 20) == bytes)
      #expect(try disk.read(folder + "/file", limit: bytes.count) == bytes)
      #expect(try disk.read(folder + "/file", limit: 70_000) == Array(bytes.prefix(70_000)))
      #expect(try disk.read(folder + "/file", limit: 0) == [])
      #expect(try disk.read(folder + "/empty", limit: 10) == [])
      for none in ["", "/none", "/none/file", "/file/below"] {
        #expect(try disk.read(folder + none, limit: 10) == nil, "\(none)")
      }
      #if os(Linux)
        // The system gives its size as 0.
        let maps = try #require(try disk.read("/proc/self/maps", limit: 1 << 24))
        #expect(maps.count > 1 << 12 && maps.last == UInt8(ascii: "\n"))
      #endif
    }
  }

  /// If the folder were taken for a missing lock, a new lock would be written without the shipped versions.
  @Test("A folder in place of the lock stops generation and lint")
  func lockThatIsNoFile() {
    let manifest = "version: 1.0.0\nmodels:\n  Trip:\n    properties:\n      name: String\n"
    let disk = MemoryDisk(["S/V1.yaml": manifest, "S/schema.lock/inside": ""])
    let generation = GenerationPipeline(fileSystem: disk).run("S")
    #expect(generation.isMalformed && generation.changes.isEmpty)
    #expect(generation.diagnostics.map(\.rule.id) == ["unreadable"])
  }

  @Test("Appending keeps the existing contents")
  func append() throws {
    try withTemporaryFolder { folder in
      let disk = Disk()
      try disk.append(Array("a".utf8), to: folder + "/file")
      try disk.append(Array("b".utf8), to: folder + "/file")
      #expect(try String(contentsOfFile: folder + "/file", encoding: .utf8) == "ab")
    }
  }
}
