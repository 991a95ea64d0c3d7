internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSyntax

/// Files of test targets: plans and models in them are nobody's store.
enum TestCode {
  /// The app's files and those of its tests, where the app's declare models or versions.
  static func parted(_ sources: [SwiftSource]) -> (app: [SwiftSource], tests: [SwiftSource]) {
    let shared = sharedFolders(sources.map(\.file.path))
    let tests = sources.filter { isTest($0, below: shared) }
    guard !tests.isEmpty else { return (sources, []) }
    let paths = Set(tests.map(\.file.path))
    let app = sources.filter { !paths.contains($0.file.path) }
    return app.contains(where: declaresStore) ? (app, tests) : (sources, [])
  }

  /// Whether a file declares models, versions or plans.
  static func declaresStore(_ source: SwiftSource) -> Bool {
    ["@Model", "@SwiftData.Model", "VersionedSchema", "SchemaMigrationPlan"].contains {
      source.file.text.contains($0)
    }
  }

  /// How many folders all files have in common: they say nothing of one of them.
  private static func sharedFolders(_ paths: [String]) -> Int {
    let folders = paths.map { $0.split(separator: "/").dropLast() }
    guard var shared = folders.first else { return 0 }
    for folder in folders {
      shared = zip(shared, folder).prefix { $0 == $1 }.map(\.0)[...]
    }
    return shared.count
  }

  private static func isTest(_ source: SwiftSource, below shared: Int) -> Bool {
    let folders = source.file.path.split(separator: "/").dropLast().dropFirst(shared)
    if folders.contains(where: { $0.hasSuffix("Tests") }) { return true }
    return source.syntax.statements.contains { statement in
      guard case .decl(let declaration) = statement.item,
        let imported = declaration.as(ImportDeclSyntax.self)
      else { return false }
      return ["XCTest", "Testing"].contains(imported.path.trimmedDescription)
    }
  }
}

extension AdoptionRun {
  /// Says which files were left aside.
  mutating func reportTests(_ tests: [SwiftSource]) {
    for source in tests where TestCode.declaresStore(source) {
      report(
        .testCode, "this file belongs to tests: what it declares is not adopted",
        at: Place(file: source.file.path, line: 1, column: 1),
        help: ["if its models are the app's, name its folder alone"])
    }
  }
}
