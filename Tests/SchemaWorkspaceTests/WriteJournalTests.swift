import SchemaWorkspace
import TestSupport
import Testing

/// Several files written at once or not at all, whatever kills the run.
struct WriteJournalTests {
  private let before = [
    "S/V1.yaml": "one", "S/schema.lock": "old lock", "S/Generated/Gone.swift": "gone",
    "App/Generated/Same.swift": "same", "App/Generated/New.swift": "old",
  ]
  private let changes = [
    FileChange(
      action: .update, path: "App/Generated/New.swift", contents: Array("new".utf8),
      previous: Array("old".utf8)),
    FileChange(
      action: .create, path: "App/Generated/More.swift", contents: Array("more".utf8),
      previous: nil),
    FileChange(
      action: .remove, path: "S/Generated/Gone.swift", contents: [], previous: Array("gone".utf8)),
    FileChange(
      action: .update, path: "S/schema.lock", contents: Array("new lock".utf8),
      previous: Array("old lock".utf8)),
  ]
  private let after = [
    "S/V1.yaml": "one", "S/schema.lock": "new lock", "App/Generated/Same.swift": "same",
    "App/Generated/New.swift": "new", "App/Generated/More.swift": "more",
  ]
  private let journal = "S/.schemagen-journal"

  @Test("A successful run leaves no journal")
  func whole() throws {
    let disk = MemoryDisk(before)
    try changes.write(in: "S", to: disk)
    #expect(disk.files == after)
    #expect(disk.writes == changes.count + 2, "the journal, and its end")
    #expect(try WriteJournal.finish(in: "S", disk) == 0)
  }

  @Test(
    "A run that is killed at any point is completed by the next one, even if killed again",
    arguments: 1...6)
  func killed(_ number: Int) throws {
    let disk = MemoryDisk(before)
    disk.die(at: number)
    #expect(throws: FileSystemError.self) { try changes.write(in: "S", to: disk) }
    let left = disk.files
    #expect((left[journal] == nil) == (number == 1))
    for second in 1...6 {
      let next = MemoryDisk(left)
      next.die(at: second)
      _ = try? WriteJournal.finish(in: "S", next)
      let third = MemoryDisk(next.files)
      let count = try WriteJournal.finish(in: "S", third)
      #expect(third.files == (number == 1 ? before : after), "\(number), \(second)")
      #expect(count == 0 || count == changes.count)
    }
  }

  @Test("A failing run restores all files and leaves no journal", arguments: 1...5)
  func failed(_ number: Int) {
    let disk = MemoryDisk(before)
    disk.fail(at: number)
    #expect(throws: FileSystemError.self) { try changes.write(in: "S", to: disk) }
    #expect(disk.files == before)
  }

  @Test("A file changed since an interrupted run is not overwritten", arguments: ["theirs", nil])
  func edited(_ text: String?) throws {
    let disk = MemoryDisk(before)
    disk.die(at: 3)
    #expect(throws: FileSystemError.self) { try changes.write(in: "S", to: disk) }
    let next = MemoryDisk(disk.files)
    next["App/Generated/New.swift"] = text
    let left = next.files
    let error = #expect(throws: FileSystemError.self) {
      _ = try WriteJournal.finish(in: "S", next)
    }
    #expect(error?.path == journal)
    #expect(error?.reason.contains("'App/Generated/New.swift' changed since") == true)
    #expect(next.files == left)
  }

  @Test("A file changed during a run is not overwritten")
  func changedMeanwhile() {
    let disk = MemoryDisk(before)
    disk["App/Generated/New.swift"] = "theirs"
    let left = disk.files
    let error = #expect(throws: FileSystemError.self) { try changes.write(in: "S", to: disk) }
    #expect(error?.path == "App/Generated/New.swift")
    #expect(disk.files == left)
  }

  @Test(
    "An unreadable journal is reported and kept",
    arguments: [
      "", "{", "{}", #"{"changes":[]}more"#, #"{"changes":[{"path":"V1.yaml","new":5}]}"#,
      #"{"changes":[{"path":"V1.yaml","new":"not Base64"}]}"#,
    ])
  func broken(_ text: String) throws {
    var files = before
    files[journal] = text
    let disk = MemoryDisk(files)
    let error = #expect(throws: FileSystemError.self) {
      _ = try WriteJournal.finish(in: "S", disk)
    }
    #expect(error?.path == journal)
    #expect(disk.files == files)
  }

  @Test("An interrupted run can be completed from another folder")
  func fromElsewhere() throws {
    let folder = "/app/Schemas"
    let path = "/app/Generated/A.swift"
    let disk = MemoryDisk([path: "old"])
    let changes = [
      FileChange(
        action: .update, path: path, contents: Array("new".utf8), previous: Array("old".utf8)),
      FileChange(action: .create, path: folder + "/schema.lock", contents: [], previous: nil),
    ]
    disk.die(at: 2)
    #expect(throws: FileSystemError.self) { try changes.write(in: folder, to: disk) }
    var moved: [String: String] = [:]
    for (path, text) in disk.files { moved[String(path.dropFirst("/app/".count))] = text }
    let next = MemoryDisk(moved)
    #expect(try WriteJournal.finish(in: "Schemas", next) == 2)
    #expect(next.files == ["Generated/A.swift": "new", "Schemas/schema.lock": ""])
  }
}
