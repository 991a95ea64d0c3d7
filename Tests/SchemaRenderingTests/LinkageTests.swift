import Foundation
import Testing

/// The modules that rendering, and thereby `schemagen generate`, links.
@Suite struct LinkageTests {
  /// The quoted names in each target of Package.swift, by the target's own name, which comes first.
  private static func targets() throws -> [String: [String]] {
    var root = URL(filePath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    var targets: [String: [String]] = [:]
    let targetCalls = try Regex(
      "\\.(target|systemLibrary|executableTarget|testTarget|macro|plugin)\\(")
    for declaration in manifest.split(separator: targetCalls).dropFirst() {
      let texts = declaration.split(separator: "\"", omittingEmptySubsequences: false)
      let quoted = texts.indices.filter { !$0.isMultiple(of: 2) }.map { String(texts[$0]) }
      guard let name = quoted.first else { continue }
      targets[name] = Array(quoted.dropFirst())
    }
    return targets
  }

  private static func reached(from name: String) throws -> Set<String> {
    let targets = try targets()
    var reached: Set<String> = []
    var queue = [name]
    while let next = queue.popLast() {
      guard let names = targets[next], reached.insert(next).inserted else { continue }
      queue += names
    }
    return reached
  }

  @Test func renderingNeedsNeitherSQLiteNorZlib() throws {
    let reached = try Self.reached(from: "SchemaRendering")
    #expect(reached.contains("SchemaEvolution") && reached.contains("ManagedModels"))
    #expect(reached.isDisjoint(with: ["CStoreLibraries", "StoreFormat", "StoreEngine"]))
    // The same method finds them in a target that links them.
    #expect(try Self.reached(from: "StoreTools").contains("CStoreLibraries"))
  }

  @Test func inspectionCannotWriteStores() throws {
    for name in ["StoreTools", "SchemaMigrationKit"] {
      #expect(try !Self.reached(from: name).contains("StoreEngine"), "\(name)")
    }
  }
}
