internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
package import SwiftSources
internal import SwiftSyntax

/// Separates the files of test targets, whose plans and models belong to no store.
package enum TestCode {
  /// Separates the app's files from its tests' files. If no file of the app declares models, all files count as the
  /// app's.
  package static func parted(_ sources: [SwiftSource]) -> (app: [SwiftSource], tests: [SwiftSource])
  {
    let folders = testFolders(sources)
    let tests = sources.filter { source in
      importsTesting(source) || folders.contains { source.file.path.hasPrefix($0) }
    }
    guard !tests.isEmpty else { return (sources, []) }
    let paths = Set(tests.map(\.file.path))
    let app = sources.filter { !paths.contains($0.file.path) }
    return app.contains(where: declaresStore) ? (app, tests) : (sources, [])
  }

  package static func declaresStore(_ source: SwiftSource) -> Bool {
    ["@Model", "@SwiftData.Model", "VersionedSchema", "SchemaMigrationPlan"].contains {
      source.file.text.contains($0)
    }
  }

  /// Folders of test targets, with a trailing slash: `Tests`, and `AppTests` if it is next to `App` or contains a test.
  ///
  /// A folder that contains all files does not count.
  private static func testFolders(_ sources: [SwiftSource]) -> Set<String> {
    let paths = sources.map { $0.file.path.split(separator: "/").dropLast().map(String.init) }
    var all: Set<[String]> = []
    for path in paths {
      for length in 1..<(path.count + 1) { all.insert(Array(path.prefix(length))) }
    }
    let testing = zip(sources, paths).filter { importsTesting($0.0) }.map(\.1)
    var found: Set<String> = []
    for folder in all where !paths.allSatisfy({ $0.starts(with: folder) }) {
      guard let name = folder.last, name.hasSuffix("Tests") else { continue }
      let app = [String(name.dropLast(5)), String(name.dropLast(7))].map {
        folder.dropLast() + [$0]
      }
      let isTarget =
        name == "Tests" || app.contains { all.contains(Array($0)) }
        || testing.contains { $0.starts(with: folder) }
      if isTarget { found.insert(folder.joined(separator: "/") + "/") }
    }
    // An absolute path keeps its first slash.
    return Set(found.flatMap { [$0, "/" + $0] })
  }

  private static let testing = Prefilter(["XCTest", "Testing"])

  private static func importsTesting(_ source: SwiftSource) -> Bool {
    guard source.file.bytes.withUnsafeBytes(testing.matches) else { return false }
    return source.syntax.statements.contains { statement in
      guard case .decl(let declaration) = statement.item,
        let imported = declaration.as(ImportDeclSyntax.self)
      else { return false }
      return ["XCTest", "Testing"].contains(imported.path.trimmedDescription)
    }
  }
}

extension Adoption {
  mutating func reportTests(_ tests: [SwiftSource]) {
    for source in tests where TestCode.declaresStore(source) {
      report(
        .testCode, "this file belongs to tests: what it declares is not adopted",
        at: Place(file: source.file.path, line: 1, column: 1),
        help: ["if the file's models are the app's, name only the file's folder"])
    }
  }
}
