import Foundation
import SchemaModel
import SchemaWorkspace
import SwiftSources
import TestSupport
import Testing

/// Reading folders, and reasons not to parse a file.
@Suite struct SourceTreeTests {
  private static let all = Prefilter([""])

  private static func write(_ files: [String: String], below folder: String) throws {
    for (path, text) in files {
      try Disk().write(Array(text.utf8), to: Path.join(folder, path))
    }
  }

  private static func names(_ reading: SourceTree.Reading, below folder: String) -> [String] {
    reading.files.map { String($0.path.dropFirst(folder.count + 1)) }
  }

  @Test("Only the app's Swift files are read, in the order of their paths")
  func walk() throws {
    try withTemporaryFolder { folder in
      let foreign = [
        ".build/A.swift", ".hidden/A.swift", ".A.swift", "DerivedData/A.swift", "Pods/A.swift",
        "Carthage/A.swift", "node_modules/A.swift", "B.xcassets/A.swift", "B.xcodeproj/A.swift",
        "A.txt", "Aswift",
      ]
      let own = ["A.swift", "Z/B.swift", "a b/é.swift", "a/b/c/D.swift", "swift/E.swift"]
      try Self.write(
        Dictionary(uniqueKeysWithValues: (foreign + own).map { ($0, "let a = 1\n") }),
        below: folder)
      let reading = SourceTree(folders: [folder]).files(containing: Self.all)
      #expect(Self.names(reading, below: folder) == own.sorted())
      #expect(reading.count == own.count)
      #expect(reading.diagnostics.isEmpty)
    }
  }

  @Test("Links to files are followed, links to folders are not")
  func links() throws {
    try withTemporaryFolder { folder in
      try Self.write(["Own/A.swift": "let a = 1\n", "other.txt": "let b = 1\n"], below: folder)
      let manager = FileManager.default
      try manager.createSymbolicLink(
        atPath: folder + "/Own/Loop", withDestinationPath: folder + "/Own")
      try manager.createSymbolicLink(
        atPath: folder + "/Own/B.swift", withDestinationPath: folder + "/other.txt")
      try manager.createSymbolicLink(
        atPath: folder + "/Own/C.swift", withDestinationPath: folder + "/gone")
      let reading = SourceTree(folders: [folder]).files(containing: Self.all)
      #expect(Self.names(reading, below: folder) == ["Own/A.swift", "Own/B.swift"])
      #expect(reading.diagnostics.isEmpty)
    }
  }

  @Test("A file named or reached twice is read once")
  func twice() throws {
    try withTemporaryFolder { folder in
      try Self.write(["A/B.swift": "", "A/C.swift": "", "D.swift": ""], below: folder)
      let reading = SourceTree(
        folders: [folder + "/D.swift", folder + "/A/", folder, folder + "/A/C.swift"]
      ).files(containing: Self.all)
      #expect(Self.names(reading, below: folder) == ["A/B.swift", "A/C.swift", "D.swift"])
      #expect(reading.count == 3)
    }
  }

  @Test("Links to one file are read once, and broken links are ignored")
  func linkedTwice() throws {
    try withTemporaryFolder { folder in
      try Self.write(["A.swift": "", "Elsewhere.txt": ""], below: folder)
      let files = FileManager.default
      for (link, end) in [
        ("B.swift", "A.swift"), ("C.swift", "Elsewhere.txt"), ("D.swift", "Elsewhere.txt"),
        ("E.swift", "missing"),
      ] {
        try files.createSymbolicLink(
          atPath: folder + "/" + link, withDestinationPath: folder + "/" + end)
      }
      let reading = SourceTree(folders: [folder]).files(containing: Self.all)
      #expect(Self.names(reading, below: folder) == ["A.swift", "C.swift"])
      #expect(reading.diagnostics.isEmpty)
    }
  }

  @Test(
    "Code with extreme nesting is not parsed",
    arguments: [
      "let a: " + String(repeating: "[", count: 600),
      "let a = b" + String(repeating: ".c", count: 20_000),
      String(repeating: "#if A\n", count: 300),
      "let a = " + String(repeating: "!", count: 20_000) + "b",
      "let a: " + String(repeating: "Array<", count: 200) + "Int",
      "func f() { if a {} " + String(repeating: "else if b {} ", count: 12_000) + "}",
    ])
  func deep(text: String) throws {
    try withTemporaryFolder { folder in
      try Self.write(["A.swift": text], below: folder)
      let reading = SourceTree(folders: [folder]).files(containing: Self.all)
      #expect(reading.files.isEmpty)
      #expect(reading.diagnostics.map(\.severity) == [.error])
    }
  }

  @Test("Excluded paths are skipped however they are written, and named paths are read")
  func excluded() throws {
    try withTemporaryFolder { folder in
      try Self.write(
        ["A/B.swift": "", "C/D.swift": "", ".e/F.swift": "", "G.swift": ""], below: folder)
      let excluded = [folder + "/C/../A", folder + "/./G.swift", folder + "/missing"]
      let reading = SourceTree(folders: [folder, folder + "/.e"], excluding: excluded)
        .files(containing: Self.all)
      #expect(Self.names(reading, below: folder) == [".e/F.swift", "C/D.swift"])
    }
  }

  @Test("An unreadable, oversized or binary file is reported")
  func unreadable() throws {
    try withTemporaryFolder { folder in
      try Self.write(["A.swift": "let a = 1\n"], below: folder)
      try Disk().write([0x61, 0xFF], to: folder + "/B.swift")
      try Disk().write(
        [UInt8](repeating: 0x20, count: SourceTree.readLimit + 1), to: folder + "/C.swift")
      #expect(mkfifo(folder + "/D.swift", 0o600) == 0)
      let reading = SourceTree(folders: [folder, folder + "/E", folder + "/D.swift"])
        .files(containing: Self.all)
      #expect(Self.names(reading, below: folder) == ["A.swift"])
      #expect(
        reading.diagnostics.map { "\($0.severity): \($0.message)" } == [
          "error: '\(folder)/B.swift' cannot be read: it is not UTF-8",
          "note: '\(folder)/C.swift' has more than 8 MiB, and is skipped",
          "error: '\(folder)/D.swift' cannot be read: it is a device or a pipe, not a file",
          "error: '\(folder)/E' cannot be read: no such file or directory",
        ])
    }
  }

  @Test(
    "A file passes the filter if it contains a word or a whole name",
    arguments: [
      ("@Model class A {}", true), ("@ModelActor", true), ("SchemaV8.self", true),
      ("xSchemaV8", false), ("SchemaV88", false), ("SchemaV8_1", false), ("éSchemaV8", false),
      ("[SchemaV1_1]", true), ("HabitModelV8", true), ("IPV4Address, ParserV2, VStack", false),
      ("// SchemaV8", false), ("a\n  \t/// of SchemaV8.", false),
      ("let a: SchemaV8 // SchemaV8", true),
      ("\"//\", SchemaV8", true), ("\"\"\"\n// \\(SchemaV8.self)\n\"\"\"", true),
      ("/*\n// */ SchemaV8", true), ("// a\rSchemaV8", true), ("// SchemaV8\nSchemaV8", true),
      ("SchemaV8ToV9()", true), ("V8Habit", true), ("Old", false), ("", false), ("V", false),
    ])
  func prefilter(text: String, isLetThrough: Bool) throws {
    let names = ["SchemaV8", "SchemaV1_1", "HabitModelV8", "SchemaV8ToV9", "V8Habit"]
    try withTemporaryFolder { folder in
      try Self.write(["A.swift": text], below: folder)
      // Names with many endings are searched by their stems, which may let more files through.
      let many = names + ["Alpha1", "Beta1", "Gamm1", "Delt2"]
      for names in [names, many] {
        let reading = SourceTree(folders: [folder])
          .files(containing: Prefilter(["@Model", "@ModelActor"], names: names))
        #expect(reading.files.isEmpty != isLetThrough || names.count > 5)
        #expect(!isLetThrough || reading.files.map(\.text) == [text])
        #expect(reading.count == 1)
      }
    }
  }

  @Test("Many files are read completely and in order")
  func chunks() throws {
    try withTemporaryFolder { folder in
      let files = (0..<300).map { ("F\($0 / 10)/A\($0).swift", $0 % 3 == 0 ? "Wanted" : "") }
      try Self.write(Dictionary(uniqueKeysWithValues: files), below: folder)
      let reading = SourceTree(folders: [folder]).files(containing: Prefilter(["Wanted"]))
      #expect(reading.files.map(\.path) == reading.files.map(\.path).sorted())
      #expect(reading.files.count == 100)
      #expect(reading.count == 300)
    }
  }
}
