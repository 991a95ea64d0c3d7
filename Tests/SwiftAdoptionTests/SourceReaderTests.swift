import SchemaModel
import SchemaWorkspace
import SwiftAdoption
import SwiftSources
import TestSupport
import Testing

@Suite struct SourceReaderTests {
  /// Declarations that the folder of models lacks may be anywhere beside the manifests.
  @Test func filesOfAWiderTreeDeclareWhatNoneHereDoes() throws {
    try withTemporaryFolder { folder in
      for (path, text) in [
        ("Models/Kind.swift", "enum Kind {}"), ("Other/Kind.swift", "enum Kind {}"),
        ("Other/Mood.swift", "enum Mood {}"),
      ] {
        try Disk().write(Array(text.utf8), to: Path.join(folder, path))
      }
      let files = SourceTree(folders: [folder + "/Models"])
        .files(declaring: .types(["Kind", "Mood"]), else: SourceTree(folders: [folder]))
      #expect(
        files.map { String($0.path.dropFirst(folder.count + 1)) }
          == ["Models/Kind.swift", "Other/Mood.swift"])
    }
  }
}
