import Foundation
import SchemaEvolution
import SchemaManifest
import SchemaRendering
import TestSupport
import Testing

@testable import SchemaModel

/// Generated code for every kind of bridge and for random histories compiles. Functions that only an app's author can
/// write end the process here instead of failing the compilation.
@Suite struct CompilationTests {
  /// Declarations that the histories' expressions name.
  private static let prelude = """
    public import Foundation
    nonisolated public let noUUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    nonisolated public func head(_ text: String) -> String { text }
    nonisolated public func tail(_ text: String) -> String { text }

    """

  /// Compiles in the strictest mode where nothing is said: what it takes, the others take.
  ///
  /// - Parameters:
  ///   - modules: Source code of modules that the configuration names.
  ///   - app: Source code of the app's.
  private func check(
    _ evolution: Evolution, _ mode: CompilerMode = .strictest, modules: [String: String] = [:],
    app: String = ""
  ) throws -> Finished? {
    guard !evolution.diagnostics.hasErrors else { return nil }
    return try withTemporaryFolder { folder in
      var paths = [folder + "/Prelude.swift"]
      try (Self.prelude + app).write(toFile: paths[0], atomically: true, encoding: .utf8)
      let files = Renderer(templates: TemplateStore()).files(for: evolution)
      for file in files where file.path.hasSuffix(".swift") {
        let path = "\(folder)/\(URL(filePath: file.path).lastPathComponent)"
        let text = file.contents.replacing(
          try Regex(#"#error\(".*"\)"#), with: "fatalError()")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        paths.append(path)
      }
      for (name, source) in modules {
        let path = "\(folder)/\(name).module.swift"
        try source.write(toFile: path, atomically: true, encoding: .utf8)
        let made = try run(
          "swiftc",
          ["-emit-module", "-module-name", name, path, "-o", "\(folder)/\(name).swiftmodule"])
        try #require(made.status == 0, "\(made.errors)")
      }
      return try compile(paths, mode, flags: ["-package-name", "compiled", "-I", folder])
    }
  }

  @Test(
    "The code of every kind of bridge compiles", .enabled(if: Checkout.runsEverything),
    arguments: BridgeTests.cases)
  func bridges(_ example: BridgeTests.Case) throws {
    let evolution = try Manifests.evolution(example.versions)
    let result = try #require(try check(evolution))
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// The app's own struct has its own initialiser and members. Generated code names both but must not need them.
  @Test("Code for structs whose fields change compiles", .enabled(if: Checkout.runsEverything))
  func structLayouts() throws {
    func version(_ fields: String, _ properties: String, _ more: String = "") -> String {
      """
      models:
        A: { entity: Alpha, properties: { id: Int, \(properties) } }
      types:
        Place: { struct: { \(fields) }, own: true }
      \(more)
      """
    }
    let evolution = try Manifests.evolution(
      version(
        "a: Int, b: Int", "place: { type: Place, default: 'Place(a: 1, b: 2)' }, old: Place?"),
      version(
        "a: Int, spot: Spot?",
        "place: { type: Place, default: Place.zero }, b: { type: Int, from: place, convert: $0.b }, old: Place?",
        """
          Spot: { struct: { x: Int } }
        drops: { Place.b: { reason: it stands alone, revert: 0 } }
        """),
      """
      models:
        B:
          from: [A]
          entity: Alpha
          properties:
            id: Int
            place: { type: Place, default: Place.zero }
            b: Int
            new: { type: Place?, from: old, convert: '$0.map { Place(of: $0.a) }', revert: '$0.map { Place(a: Int($0.a)) }' }
      types:
        Place: { struct: { a: Double, spot: Spot?, c: String? }, own: true }
        Spot: { struct: { x: Int, y: Int? } }
      """)
    #expect(evolution.errors == [])
    let app = """
      nonisolated struct Place: Codable, Hashable, Sendable {
        var a: Double
        var spot: Spot?
        var c: String?
        init(of a: some BinaryInteger) { self.a = Double(a) }
        static let zero = Place(of: 0)
      }

      """
    let result = try #require(try check(evolution, app: app))
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// A shipped version keeps the old columns of each type, so that its stores still match it.
  @Test(
    "Copies of types whose columns changed compile", .enabled(if: Checkout.runsEverything),
    arguments: CompilerMode.matrix)
  func formerTypes(_ mode: CompilerMode) throws {
    func version(_ types: String) -> String {
      """
      models:
        Trip:
          properties:
            level: Level = Level.low
            mood: Mood = Mood.calm
            pair: "Pair<Int> = Pair(first: 1, second: 2)"
            kind: Box.Kind = Box.Kind.red
            spot: Box.Spot?
      types:
        Box.Spot: { struct: { kind: Box.Kind, x: Double }, own: true }
        Pair: { opaque: true, coding: "5856013e.6528d86d" }
        \(types)
      identity: shipped
      """
    }
    let evolution = try Manifests.evolution(
      [
        version(
          """
          Box.Kind: { enum: Int, cases: { red: 1, blue: 2 }, own: true }
            Level: { enum: Int, cases: { low: 1, high: 2 }, own: true }
            Mood: { enum: String, cases: [calm, wild], own: true }
          """),
        version(
          """
          Box.Kind: { enum: String, cases: [red, blue], own: true }
            Level: { enum: String, cases: [low, high], own: true }
            Mood: { opaque: true, coding: "47f8b950.586c4c88+12fc+5ddd+7b10" }
          """),
      ],
      shipped: ShippedVersions(released: [VersionNumber(2)]))
    let app = """
      nonisolated enum Level: String, Codable { case low, high }
      nonisolated enum Mood: Codable { case calm, wild, walk(Int) }
      nonisolated struct Pair<Value: Codable>: Codable { var first: Value; var second: Value }
      nonisolated enum Box {
        enum Kind: String, Codable { case red, blue }
        struct Spot: Codable { var kind: Kind; var x: Double }
      }

      """
    let copies = try #require(
      Renderer(templates: TemplateStore()).files(for: evolution)
        .first { $0.path == "ValueTypes.swift" }?.contents)
    for type in ["BoxKind", "BoxSpot", "Level", "Mood"] {
      #expect(copies.contains("Former\(type)V1:"))
    }
    let result = try #require(try check(evolution, mode, app: app), "\(evolution.errors)")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// Today's rules would refuse these steps.
  @Test(
    "Code for a shipped step compiles even if an unshipped step like it is refused",
    .enabled(if: Checkout.runsEverything),
    arguments: ShippedStepTests.refused.filter {
      [.typeChanged, .uniqueAdded, .toManyToOne, .destinationChanged].contains($0.kind)
    })
  func shippedSteps(_ example: ClassificationExample) throws {
    let evolution = try Manifests.evolution(
      [example.old, example.new + "\nidentity: shipped"],
      cloudKit: example.cloudKit,
      shipped: ShippedVersions(released: [VersionNumber(2)]))
    let result = try #require(try check(evolution), "\(evolution.errors)")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// Conversions that can fail, with the property and the generated code; nil if only nil takes the fallback.
  private static let fallbacks: [(from: String, property: String, counted: String?)] = [
    (
      "String", "type: Kind, default: Kind.other, convert: 'Kind(rawValue: $0) ?? .other'",
      "(Kind(rawValue: row.x) ?? fallbacks.count(\"y\", .other)) as Kind"
    ),
    (
      "String?", "type: Int, default: '-1', convert: '$0.flatMap { Int($0) } ?? -1'",
      "?? fallbacks.count(\"y\", where: row.x != nil, -1)"
    ),
    (
      "{ type: Data?, encodes: '[Int]', fallback: '[7]' }",
      "type: Int, default: '0', convert: $0.count",
      "(fallbacks.decode([Int].self, from: row.x, of: \"y\") ?? [7]).count"
    ),
    (
      "{ type: String?, encodes: '[Int]' }", "type: Int, default: '0', convert: '$0?.count ?? 0'",
      "fallbacks.decode([Int].self, from: row.x, of: \"y\")?.count ?? 0"
    ),
    // Counted once, not for the JSON and again for the converted value.
    (
      "{ type: Data?, encodes: '[Int]' }",
      "type: Int, default: '0', convert: '$0.flatMap { $0.first } ?? 0'",
      "StoredJSON.decode([Int].self, from: row.x).flatMap { $0.first }"
    ),
    // A fallback that is more than one operand is left as it is.
    ("String", "type: Int, default: '0', convert: 'Int($0) ?? 0 + 1'", nil),
    ("String?", "type: String, default: '\"\"', convert: '$0 ?? \"\"'", nil),
    ("String?", "type: Int, default: '0', convert: '$0.map { $0.count } ?? 0'", nil),
  ]

  @Test(
    "Fallbacks that replace an existing value are counted",
    arguments: fallbacks.indices)
  func fallbacksAreCounted(_ index: Int) throws {
    let (from, property, counted) = Self.fallbacks[index]
    let evolution = try Manifests.evolution(
      "models: { A: { properties: { id: Int, x: \(from) } } }\n",
      """
      models: { A: { properties: { id: Int, y: { \(property), from: x, revert: Never.value($0) } } } }
      types: { Kind: { enum: String, cases: [one, other] } }

      """)
    let rows = try #require(
      Renderer(templates: TemplateStore()).files(for: evolution)
        .first { $0.path == "V1ToV2Rows.swift" }?.contents)
    let line = rows.split(separator: /\s+/).joined(separator: " ")
    if let counted {
      #expect(line.contains(counted), "\(rows)")
      #expect(rows.contains("let fallbacks = MigrationFallbacks(\"A\")"))
      #expect(rows.contains("fallbacks.log()"))
    } else {
      #expect(!rows.contains("fallbacks"), "\(rows)")
    }
  }

  @Test(
    "Code that chooses among duplicate rows compiles", .enabled(if: Checkout.runsEverything),
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

  /// Declarations show nothing of Foundation and of the configuration's module, or both. A model may have the name of a
  /// Foundation type.
  @Test(
    "Imports have the access level that declarations need", .enabled(if: Checkout.runsEverything),
    arguments: Configuration.AccessLevel.allCases, [CompilerMode.swift6, .internalImports])
  func imports(_ access: Configuration.AccessLevel, _ mode: CompilerMode) throws {
    let manifests = [
      """
      models:
        Calendar: { properties: { id: Int, days: { relationship: [Day] } } }
        Day: { properties: { name: String = "Date", in: { relationship: Calendar?, inverse: days } } }
      """,
      """
      types: { Paint: { opaque: true } }
      models:
        Calendar: { entity: Year, properties: { id: String = UUID().uuidString, paint: Paint? } }
      """,
    ]
    for manifest in manifests {
      let evolution = AnalysisPipeline(
        history: try Manifests.versions([manifest]),
        configuration: Configuration(access: access, imports: ["Paints"])
      ).run()
      let paints = "public struct Paint: Codable, Hashable, Sendable { public var red = 0.0 }"
      let result = try #require(
        try check(evolution, mode, modules: ["Paints": paints]), "\(evolution.errors)")
      #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
  }

  /// On the superclass it creates rows; inherited by the subclass, it would create rows of the superclass.
  @Test("A subclass does not inherit fromEntity(_:)", .enabled(if: Checkout.runsEverything))
  func subclasses() throws {
    let evolution = AnalysisPipeline(
      history: try Manifests.versions([
        """
        models:
          A: { entity: Alpha, properties: { id: Int } }
          B: { inherits: A, entity: Beta, properties: { name: String } }
        """
      ]),
      configuration: Configuration(access: .public, platforms: [.iOS: 26])
    ).run()
    for (call, isRight) in [
      ("SchemaV1.A.fromEntity(Alpha(id: 1))", true),
      ("SchemaV1.B.fromEntity(Beta(id: 1, name: \"\"))", true),
      ("SchemaV1.B.fromEntity(Alpha(id: 1))", false),
    ] {
      let result = try #require(
        try check(evolution, app: "func app() { _ = \(call) }\n"), "\(evolution.errors)")
      #expect((result.status == 0) == isRight, "\(call)\n\(result.output)\(result.errors)")
    }
  }

  /// Each history compiles in one mode, in turn. `SCHEMAGEN_SEEDS=500 swift test --filter CompilationTests` takes more
  /// histories.
  @Test(
    "Code for random histories compiles", .enabled(if: Checkout.runsEverything),
    arguments: 0..<seeds)
  func randomHistories(_ seed: Int) throws {
    let history = HistoryGenerator.history(seed: seed)
    let mode = CompilerMode.allCases[seed % CompilerMode.allCases.count]
    guard let result = try check(AnalysisPipeline(history: history).run(), mode) else { return }
    #expect(result.status == 0, "seed \(seed), \(mode)\n\(result.output)\(result.errors)")
  }

  @Test("The same history gives byte-identical files", arguments: Checkout.seeds(60))
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
