import SchemaEvolution
import SchemaModel
import Testing

@testable import SchemaRehearsal

@Suite struct CompilerPlacesTests {
  private static let manifest = """
    models:
      A:
        properties:
          id: Int
          size: { type: Int, from: text, convert: "measured($0, of: 30)" }
          rest: { type: Int, from: text, convert: 'measured($0, of: 12)' }
          next: { type: Int, fill: "unheard(of: 12, and: [1, 2, 3])" }
    """

  private static let generated = """
    enum V1ToV2Rows {
      row.size = measured(row.text, of: 30)
      row.next = unheard(
        of: 12,
        and: [1, 2, 3])
      row.other = measured(
    }
    """

  /// Whoever wrote it finds it: in a file of the app's, in a manifest; else the line stays what the compiler says.
  @Test(arguments: [
    ("Owned/V1ToV2.swift:3:5", "Schemas/Migrations/V1ToV2.swift:3:5"),
    ("Generated/V1ToV2Rows.swift:2:14", "V2.yaml:6:48"),
    ("Generated/V1ToV2Rows.swift:4:5", "V2.yaml:8:33"),
    ("Generated/V1ToV2Rows.swift:1:1", "/scratch/Generated/V1ToV2Rows.swift:1:1"),
    ("Generated/V1ToV2Rows.swift:99:1", "/scratch/Generated/V1ToV2Rows.swift:99:1"),
    ("Generated/Other.swift:1:1", "/scratch/Generated/Other.swift:1:1"),
  ])
  func places(_ place: String, _ expected: String) throws {
    let history = try Histories.evolution([
      "models: { A: { properties: { id: Int, text: String } } }", Self.manifest,
    ]).history
    let places = CompilerPlaces(
      [
        ScratchPackage.File(
          path: "Owned/V1ToV2.swift", contents: [], original: "Schemas/Migrations/V1ToV2.swift"),
        ScratchPackage.File(
          path: "Generated/V1ToV2Rows.swift", contents: Array(Self.generated.utf8)),
      ], in: "/scratch", manifests: history)
    let line = "/scratch/\(place): error: cannot find 'measured' in scope"
    let told = "\(expected): error: cannot find 'measured' in scope"
    #expect(places.told([line[...], line[...]]) == [told])
    #expect(places.told(["error: link failed"]) == ["error: link failed"])
  }
}
