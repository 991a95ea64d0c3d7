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

  /// The error is reported where its author wrote the code: in a file of the app or in a manifest. Other lines stay as
  /// the compiler wrote them.
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
    #expect(
      places.own([line[...], line[...], "error: link failed"]).map(\.told)
        == (place.hasPrefix("Owned") ? [told] : []))
  }

  /// A step's expectations are found in the file of its version, not only in the newest one's.
  @Test(arguments: [("V2", "V2.yaml:3:16"), ("V3", "V3.yaml:3:16"), ("V1", nil)])
  func expectations(_ version: String, _ expected: String?) throws {
    let history = try Histories.evolution(
      ["", ", b: Int?", ", b: Int?, c: Int?"].map { more in
        """
        models: { A: { properties: { id: Int\(more) } } }
        \(more.isEmpty ? "" : "expect: [{ A: 'new.id == unheard(old.id)' }]")
        """
      }
    ).history
    let file = ScratchPackage.File(
      path: "Main/Expectations\(version).swift",
      contents: Array("  return new.id == unheard(old.id)\n".utf8))
    let places = CompilerPlaces([file], in: "/scratch", manifests: history)
    let line = "/scratch/Main/Expectations\(version).swift:1:20: error: no"
    #expect(places.told([line[...]]) == [expected.map { "\($0): error: no" } ?? line])
  }

  /// An expression without characteristic words is recognised by the property it is assigned to, and one that two
  /// versions have by the file's name.
  @Test(arguments: [
    ("V1ToV2Rows.swift:1:14", "V2.yaml:7:47"), ("V1ToV2Rows.swift:2:14", "V2.yaml:8:32"),
    ("V1ToV2Rows.swift:3:14", "/scratch/V1ToV2Rows.swift:3:14"),
    ("SchemaV1.swift:1:17", "V1.yaml:5:7"), ("SchemaV2.swift:1:17", "V2.yaml:6:7"),
    ("SchemaV10.swift:1:17", "/scratch/SchemaV10.swift:1:17"),
    ("ValueTypes.swift:1:20", "V2.yaml:9:25"),
  ])
  func shortExpressions(_ place: String, _ expected: String) throws {
    let type = #"types: { P: { struct: { zip: "Int = a.b" } } }"#
    let manifests = [
      """
      models:
        A:
          properties:
            days: Int = week.days
            text: String
      \(type)
      """,
      """
      models:
        A:
          properties:
            id: Int?
            days: Int = week.days
            size: { type: Int, from: text, convert: $0 }
            next: { type: Int, fill: x }
      \(type)
      """,
    ]
    let history = try Histories.evolution(manifests).history
    let days = "    var days: Int = week.days\n"
    let files = [
      ("V1ToV2Rows.swift", "  row.size = row.text\n  row.next = x\n  row.other = x\n"),
      ("SchemaV1.swift", days), ("SchemaV2.swift", days), ("SchemaV10.swift", days),
      ("ValueTypes.swift", "  public var zip: Int = a.b\n"),
    ].map { ScratchPackage.File(path: $0.0, contents: Array($0.1.utf8)) }
    let places = CompilerPlaces(files, in: "/scratch", manifests: history)
    let told = places.told(["/scratch/\(place): error: no"[...]])
    #expect(told == ["\(expected): error: no"])
  }
}
