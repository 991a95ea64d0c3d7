import Foundation
import TestSupport
import Testing

/// CloudKit exports with the real binary: the exit statuses that scripts use, and files that stay complete.
@Suite struct CloudCommandTests {
  private static let v1 =
    "version: 1.0.0\nmodels:\n  Trip:\n    properties:\n      title: String = \"\"\n"

  private func schemagen(_ arguments: String..., in folder: String) throws -> Finished {
    try run(Checkout.schemagen, arguments, in: folder, environment: ["NO_COLOR": "1"])
  }

  private func prepare(_ folder: String) throws {
    let file = URL(filePath: folder).appending(path: "Schemas")
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: file.appending(path: name))
    }
    try write("V1.yaml", Self.v1)
    try write("V2.yaml", Self.v1.replacing("1.0.0", with: "2.0.0") + "      note: String?\n")
    try write("schemagen.yaml", "cloudKit: private\n")
  }

  /// Removes the comments, as a server does when it exports an imported file.
  private func unmark(_ path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0].hasPrefix("// "))
    try Data(lines.dropFirst().joined(separator: "\n").utf8).write(to: URL(filePath: path))
  }

  @Test(
    "'cloud diff' exits with 0 for a complete export, 1 incomplete, 2 unreadable, 3 incompatible")
  func statuses() throws {
    try withTemporaryFolder { folder in
      try prepare(folder)
      let made = try schemagen("cloud", "schema", "--of", "V1", "-o", "p.ckdb", in: folder)
      #expect(made.status == 0 && made.output.isEmpty && made.errors.contains("replaces"))
      // The unchanged file is not an export.
      #expect(
        try schemagen("cloud", "diff", "--production", "p.ckdb", "--of", "V1", in: folder)
          .status == 2)
      try unmark(folder + "/p.ckdb")
      func diff(_ more: String...) throws -> Finished {
        try run(
          Checkout.schemagen, ["cloud", "diff", "--production", "p.ckdb"] + more, in: folder,
          environment: ["NO_COLOR": "1"])
      }
      #expect(try diff("--of", "V1").status == 0)
      let lacking = try diff()
      #expect(lacking.status == 1 && lacking.output.contains("'CD_note'"))
      #expect(try diff("--of", "V1", "--strict").status == 0)
      #expect(try diff("--of", "V7").status == 2)
      #expect(try diff("--all-shipped").status == 2)
      #expect(try diff("--from", "V1").output.contains("'CD_note'"))
      #expect(try diff("--from", "V1", "--of", "V1").status == 2)
      // The first message is that nothing is missing.
      #expect(
        try diff("--of", "V1").output.hasPrefix("Schemas: production has everything that V1"))
      let path = folder + "/p.ckdb"
      let whole = try String(contentsOfFile: path, encoding: .utf8)
      for text in ["", String(whole.dropLast(9)), "models: {}\n"] {
        try Data(text.utf8).write(to: URL(filePath: path))
        #expect(try diff("--of", "V1").status == 2, "\(text.count)")
        let report = try diff("--format", "json", "--report", "sarif=r.sarif")
        #expect(report.status == 2 && report.output.hasPrefix("{"), "\(report.output)")
        let sarif = try String(contentsOfFile: folder + "/r.sarif", encoding: .utf8)
        #expect(sarif.contains("broken-cloud-schema"))
        try FileManager.default.removeItem(atPath: folder + "/r.sarif")
        #expect(try schemagen("cloud", "plan", "--production", "p.ckdb", in: folder).status == 2)
      }
      let wrong = whole.replacing("CD_title         STRING", with: "CD_title         BYTES")
      #expect(wrong != whole)
      try Data(wrong.utf8).write(to: URL(filePath: path))
      #expect(try diff("--of", "V1").status == 3)
      #expect(try schemagen("cloud", "plan", "--production", "p.ckdb", in: folder).status == 3)
      let merged = try schemagen("cloud", "schema", "--into", "p.ckdb", "-o", "p.ckdb", in: folder)
      #expect(merged.status == 3)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == wrong)
    }
  }

  @Test("Merging into a CloudKit export keeps every line, and the result matches the schema")
  func merging() throws {
    try withTemporaryFolder { folder in
      try prepare(folder)
      _ = try schemagen("cloud", "schema", "--of", "V1", "-o", "dev.ckdb", in: folder)
      let before = try String(contentsOfFile: folder + "/dev.ckdb", encoding: .utf8)
      let merged = try schemagen("cloud", "schema", "--into", "dev.ckdb", in: folder)
      #expect(merged.status == 0 && merged.errors.isEmpty)
      #expect(merged.output.hasSuffix(");\n") && !merged.output.hasSuffix("\n\n"))
      // What is not kept is reported.
      try Data(("-- mine\n" + before).utf8).write(to: URL(filePath: folder + "/own.ckdb"))
      let own = try schemagen("cloud", "schema", "--into", "own.ckdb", in: folder)
      #expect(own.status == 0 && own.errors.contains("comments in 'own.ckdb' are not kept"))
      let lines = Set(merged.output.split(separator: "\n"))
      #expect(before.split(separator: "\n").allSatisfy(lines.contains))
      try Data(merged.output.utf8).write(to: URL(filePath: folder + "/dev.ckdb"))
      try unmark(folder + "/dev.ckdb")
      let diff = try schemagen("cloud", "diff", "--production", "dev.ckdb", in: folder)
      #expect(diff.status == 0)
    }
  }
}
