import SchemaEvolution
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// The code that a rehearsal takes from the app's files.
@Suite struct RehearsalSourcesTests {
  private static let manifest = """
    version: 1
    models:
      Trip: { properties: { kind: Kind, mood: Mood } }
    types:
      Kind: { enum: String, cases: [near, far], own: true }
      Mood: { enum: String, cases: [good, bad], own: true }
    """

  /// Whether the rehearsed code has the access level of the app's generated code, for which all code that it uses must
  /// have it too.
  private func isPublic(_ source: String) throws -> Bool {
    let disk = MemoryDisk([
      "S/V1.yaml": Self.manifest, "S/schemagen.yaml": "access: public\n",
      "App/Kind.swift": source,
    ])
    let folder = try #require(GenerationPipeline(fileSystem: disk).run("S").folder)
    let app = try RehearsalSources.whole(folder, and: ["App/Kind.swift"], disk)
    let sources = try RehearsalSources(folder, app: app, fileSystem: disk)
    return try #require(sources.evolution).configuration.access == .public
  }

  @Test func whatTheAppHidesHidesAll() throws {
    #expect(try isPublic("public enum Kind: String { case near, far }\n"))
    #expect(try isPublic("@objc @frozen\n  public  enum Kind: Int { case near }\n"))
    #expect(try !isPublic("let public = 1\nenum Kind: String { case near, far }\n"))
    #expect(try !isPublic("public enum Other {}; enum Kind: String { case near }\n"))
    // A type without a declaration is generated from the manifest.
    #expect(try isPublic("let kind = 1\n"))
  }

  /// Types of Apple and of other packages have a stand-in, whose only value replaces each default.
  @Test func whatNobodyDeclaresHasAStandIn() throws {
    let disk = MemoryDisk([
      "S/V1.yaml": """
      version: 1
      models:
        Run:
          properties:
            kind: HKKind = HKKind.running
            kinds: "[HKKind] = [HKKind.running, HKKind.walking]"
            other: HKKind? = nil
            place: Place
            zone: TimeZone = TimeZone.gmt
            notes: AttributedString?
            color: { type: UIColor?, transformable: ColorTransformer }
      types:
        HKKind: { opaque: true }
        TimeZone: { opaque: true }
        Shade: { opaque: true }
        Place: { struct: { shade: Shade = Shade.dark, tint: Tint } }
        Tint: { opaque: true }
        UIColor: { opaque: true }
      """,
      "App/Tint.swift": "struct Tint: Codable {}\n",
    ])
    let folder = try #require(GenerationPipeline(fileSystem: disk).run("S").folder)
    let app = try RehearsalSources.whole(folder, and: ["App/Tint.swift"], disk)
    let files = try RehearsalSources(folder, app: app, fileSystem: disk).files
    let texts = Dictionary(
      uniqueKeysWithValues: files.map { ($0.path, String(decoding: $0.contents, as: UTF8.self)) })
    let standIn = try #require(texts["Main/OpaqueStandIn.swift"])
    #expect(
      standIn.matches(of: /struct (\w+): Codable, Hashable, Sendable/).map(\.1)
        == ["AttributedString", "HKKind", "Shade", "UIColor"])
    let models = texts.values.joined()
    for line in [
      "kind: HKKind = HKKind()", "kinds: [HKKind] = []", "zone: TimeZone = TimeZone.gmt",
      "shade: Shade = Shade()",
    ] {
      #expect(models.contains(line), "\(line)")
    }
    #expect(!models.contains("HKKind.running"))
  }

  /// No time is measured: a search that reads the rest of the line for each of its characters would run for hours.
  @Test(.enabled(if: Checkout.runsEverything)) func aLineOfAMillionCharacters() throws {
    let text = String(repeating: "a ", count: 500_000)
    let types = String(repeating: "enum ", count: 50_000)
    #expect(
      try isPublic("public enum Kind: String { case near }\nlet text = \"\(text)\"\n// \(types)\n"))
  }
}
