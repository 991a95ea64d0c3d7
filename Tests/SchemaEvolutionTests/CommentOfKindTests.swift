import SchemaModel
import TestSupport
import Testing

@testable import SchemaEvolution
@testable import SchemaWorkspace

/// A comment in a pull request for each kind of change.
@Suite struct CommentOfKindTests {
  @Test(arguments: ClassificationExample.all)
  func isShown(_ example: ClassificationExample) throws {
    func manifest(_ number: Int, _ body: String) -> String {
      body.hasPrefix("version: ") ? body : "version: \(number).0.0\n\(body)\n"
    }
    let disk = MemoryDisk(["Schemas/V1.yaml": manifest(1, example.old)])
    if example.cloudKit == .private { disk["Schemas/schemagen.yaml"] = "cloudKit: private\n" }
    let base = try ComparisonBase(
      name: "main", path: "Schemas", isRelease: true, fileSystem: MemoryDisk(disk.files))
    disk["Schemas/V2.yaml"] = manifest(2, example.new)
    let report = BaseReport("Schemas", base: base, fileSystem: disk)
    let text = PullRequestComment([.init(report)], command: "schemagen diff --against main")
      .render()

    let row = ClassificationTable[example.kind]
    let lines = text.split(separator: "\n")
    let cells = lines.filter { $0.hasPrefix("| ") }.map { line in
      line.dropFirst(2).dropLast(2).split(separator: " | ", omittingEmptySubsequences: false)
    }
    let shown = cells.filter {
      $0.count == 5 && $0[1] == "`\(example.element)`" && $0[2].hasPrefix(row.title)
    }
    #expect(shown.count == 1, "\(text)")
    let found = try #require(shown.first)
    #expect(found[0].filter { $0 != "*" } == example.effect.rawValue)
    #expect(!found[3].isEmpty)
    // An error is the author's to resolve, and each loss of values is somebody's.
    switch example.finding?.severity {
    case .error:
      #expect(
        found[4].hasPrefix("**author must:** ") && text.contains("❌ **Blocked: "), "\(found[4])")
    case .warning: #expect(found[4].hasPrefix("author should: "), "\(found[4])")
    case .note, nil:
      #expect(
        example.effect == .dropped ? found[4].hasPrefix("**reviewer must:** ") : !found[4].isEmpty)
    }
    #expect(lines.first == "## What this change does to stored data")
    for placeholder in ["Optional(", "nil)", "()`)", "**: \n", "| |", "|  |", "TODO", "\u{FFFD}"] {
      #expect(!text.contains(placeholder), "\(placeholder) in \(text)")
    }
    #expect(!text.contains("Not everything fits"))
    #expect(text.utf8.count < PullRequestComment.limit)
  }
}
