import Foundation
import SchemaEvolution
import SchemaManifest
import SchemaModel
import SchemaRendering
import TestSupport
import Testing

/// What the core works out is Swift that compiles: every kind of bridge, and histories that chance made.
///
/// Functions that only an app can write end the process instead of the compilation here.
@Suite struct CompilationTests {
  /// What the histories' expressions name.
  private static let prelude = """
    import Foundation
    public let noUUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    public func head(_ text: String) -> String { text }
    public func tail(_ text: String) -> String { text }

    """

  private func check(_ evolution: Evolution) throws -> Finished? {
    guard !evolution.diagnostics.hasErrors else { return nil }
    return try withTemporaryFolder { folder in
      var paths = [folder + "/Prelude.swift"]
      try Self.prelude.write(toFile: paths[0], atomically: true, encoding: .utf8)
      let files = Renderer(templates: TemplateStore()).files(for: evolution)
      for file in files where file.path.hasSuffix(".swift") && file.kind != .test {
        let path = "\(folder)/\(file.path)"
        let text = file.contents.replacing(
          try Regex(#"#error\(".*"\)"#), with: "fatalError()")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        paths.append(path)
      }
      return try run(Checkout.root + "/Tests/SwiftDataInterface/check.sh", paths)
    }
  }

  @Test(
    "Every kind of bridge compiles", .enabled(if: Checkout.runsEverything),
    arguments: BridgeTests.cases)
  func bridges(_ example: BridgeTests.Case) throws {
    let evolution = try Manifests.evolution(example.versions)
    let result = try #require(try check(evolution))
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test(
    "Choosing among equal rows compiles", .enabled(if: Checkout.runsEverything),
    arguments: ["Date?", "Double", "String?", "Int"])
  func dedupes(_ type: String) throws {
    func version(_ id: String) -> String {
      """
      models:
        A:
          properties: { id: \(id), d: \(type), b: { relationship: B?, inverse: all } }
        B: { properties: { id: Int, all: { relationship: [A] } } }

      """
    }
    let evolution = try Manifests.evolution(
      version("Int?"), version("{ type: Int?, unique: true, dedupe: { earliest: d } }"))
    let result = try #require(try check(evolution))
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// SCHEMAGEN_SEEDS takes more of them: `SCHEMAGEN_SEEDS=500 swift test --filter CompilationTests`.
  @Test("Random histories compile", .enabled(if: Checkout.runsEverything), arguments: 0..<seeds)
  func randomHistories(_ seed: Int) throws {
    let history = HistoryGenerator.history(seed: seed)
    guard let result = try check(AnalysisPipeline(history: history).run()) else { return }
    #expect(result.status == 0, "seed \(seed)\n\(result.output)\(result.errors)")
  }

  @Test("The same history gives the same files, to the byte", arguments: 0..<60)
  func isDeterministic(_ seed: Int) {
    let history = HistoryGenerator.history(seed: seed)
    let renderer = Renderer(templates: TemplateStore())
    let files = renderer.files(for: AnalysisPipeline(history: history).run())
    #expect(renderer.files(for: AnalysisPipeline(history: history).run()) == files)
    #expect(Set(files.map { "\($0.kind) \($0.path)" }).count == files.count)
  }

  static let seeds =
    ProcessInfo.processInfo.environment["SCHEMAGEN_SEEDS"].flatMap { Int($0) } ?? 15
}
