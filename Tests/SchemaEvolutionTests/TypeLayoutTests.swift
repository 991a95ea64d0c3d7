import SchemaModel
import Testing

@testable import SchemaEvolution
@testable import SchemaRendering

/// Structs whose fields change: models of older versions store copies with the fields that they had.
@Suite struct StructLayoutTests {
  private func version(
    _ fields: String, _ property: String = "place: Place?", _ top: String = "", own: Bool = false,
    more: String = ""
  ) -> String {
    Manifests.one(
      property, "entity: Alpha",
      "types: { Place: { struct: { \(fields) }\(own ? ", own: true" : "") }\(more) }\n" + top)
  }

  private func type(_ property: String, in schema: String, _ evolution: Evolution) -> String? {
    evolution.model("A", in: schema)?.property(named: property)?.type.description
  }

  @Test(
    "Each layout has one copy, from the first version that has it; the newest is the struct itself")
  func copies() throws {
    let evolution = try Manifests.evolution(
      version("a: Int"), version("a: Int", "place: Place?, n: Int?"),
      version("a: Int, b: Int?", "place: Place?, n: Int?"),
      version(
        "b: Int?", "place: Place?, n: Int?", "drops: { Place.a: { reason: gone, revert: 3 } }"))
    #expect(evolution.diagnostics.map(\.message) == [])
    let types = ["SchemaV1", "SchemaV2", "SchemaV3", "SchemaV4"].map {
      type("place", in: $0, evolution)
    }
    #expect(types == ["FormerPlaceV1?", "FormerPlaceV1?", "FormerPlaceV3?", "Place?"])
    #expect(evolution.types["FormerPlaceV1"]?.fields.map(\.name) == ["a"])
    #expect(evolution.types["FormerPlaceV3"]?.fields.map(\.name) == ["a", "b"])
    // What is read, diffed and released is what the manifests say.
    #expect(
      evolution.history[0].model(named: "A")?.property(named: "place")?.type.description == "Place?"
    )
  }

  /// A store of a version is known for good, whatever becomes of the struct.
  @Test func hashesStay() throws {
    let alone = try Manifests.evolution(version("a: Int, b: String?"))
    let evolution = try Manifests.evolution(
      version("a: Int, b: String?"), version("a: Int, b: String?, c: Double?"))
    #expect(evolution.identities[0].hashes == alone.identities[0].hashes)
    #expect(evolution.identities[0].hashes != evolution.identities[1].hashes)
    #expect(evolution.stages.map(\.isCustom) == [false])
  }

  @Test("Values become those of the next version and back, field by field")
  func conversions() throws {
    let evolution = try Manifests.evolution(
      version("a: Int, b: Int, c: 'String?'", "place: Place"),
      version(
        "a: 'Int?', b: Double, d: 'Int?'", "place: Place",
        """
        drops: { Place.c: gone }
        accept: [{ rule: struct-field-number-changed, element: Place.b, reason: all are small }]
        """))
    #expect(evolution.findings == ["no-way-back A.place"])
    func fields(_ from: String, _ to: String) -> [String]? {
      evolution.layouts.conversions.first { $0.from == from && $0.to == to }?.fields.map {
        "\($0.name) = \(ConversionText(row: "value").text($0.value))"
      }
    }
    #expect(
      fields("FormerPlaceV1", "Place") == ["a = value.a", "b = Double(value.b)", "d = nil"])
    // Nothing says what a required field is made of that may be nil since.
    #expect(fields("Place", "FormerPlaceV1") == nil)
    #expect(evolution.converters[0]["A"]?.toEntity.map(\.text) == ["id", "Place(place)"])
  }

  @Test("What a step says of values means the struct as its versions have it")
  func expressions() throws {
    let evolution = try Manifests.evolution(
      version("a: Int, b: Int", "place: { type: Place, default: 'Place(a: 1, b: 2)' }"),
      version(
        "a: Int",
        "place: { type: Place, default: Place.zero }, b: { type: Int, from: place, convert: $0.b }",
        "drops: { Place.b: { reason: it stands alone, revert: 0 } }", own: true),
      version(
        "a: Int, c: Int?", "place: { type: Place, default: Place.zero }, b: Int", own: true))
    #expect(evolution.errors == [])
    func value(_ schema: String) -> String? {
      evolution.model("A", in: schema)?.property(named: "place")?.attribute?.defaultValue?.text
    }
    #expect(value("SchemaV1") == "FormerPlaceV1(a: 1, b: 2)")
    // A copy has no members of the app's.
    #expect(value("SchemaV2") == "FormerPlaceV2(Place.zero)")
    #expect(value("SchemaV3") == "Place.zero")
    #expect(
      evolution.converters[0]["A"]?.toEntity.map(\.text)
        == ["id", "Place(FormerPlaceV2(place))", "place.b"])
    // The way back from a step is to what was before it.
    let back = try Manifests.evolution(
      version("a: Int", "place: Place"),
      version(
        "a: Int, c: Int?",
        "a: { type: Int, from: place, convert: $0.a, revert: 'Place(a: $0)' }, other: Place?"))
    #expect(back.errors == [])
    #expect(
      back.converters[0]["A"]?.fromEntity.map(\.text) == [
        "entity.id", "FormerPlaceV1(a: entity.a)",
      ])
  }

  @Test(
    "A copy holds copies of the structs in it; JSON, lists and transformed values hold the struct of today"
  )
  func whatIsCopied() throws {
    let inner = ", Spot: { struct: { x: Int } }"
    let now = ", Spot: { struct: { x: Int, y: Int? } }"
    let evolution = try Manifests.evolution(
      version("spot: Spot, all: '[Spot]'", more: inner),
      version("spot: Spot, all: '[Spot]'", more: now))
    #expect(evolution.errors == [])
    #expect(
      evolution.types["FormerPlaceV1"]?.fields.map { "\($0.name): \($0.type)" }
        == ["spot: FormerSpotV1", "all: [Spot]"])
    for property in [
      "place: { type: Data?, encodes: Place }", "place: '[Place]?'",
      "place: { type: Place?, transformable: PlaceTransformer }",
    ] {
      let evolution = try Manifests.evolution(
        version("a: Int", property), version("a: Int, b: Int?", property))
      #expect(evolution.layouts.isEmpty, "\(property)")
    }
  }

  @Test("Rows that become another model's take the struct along, or a finding asks")
  func transfers() throws {
    func moved(_ fields: String, _ type: String = "Place?") throws -> Evolution {
      try Manifests.evolution(
        "models: { A: { properties: { id: Int, place: '\(type)' } } }\ntypes: { Place: { struct: { a: Int } } }",
        """
        models: { B: { from: [A], properties: { id: Int, place: '\(type)' } } }
        types: { Place: { struct: { \(fields) } } }
        """)
    }
    let evolution = try moved("a: Int, b: Int?")
    #expect(evolution.errors == [])
    let rows = RowFunctions(evolution.steps[0], evolution).functions.flatMap(\.body).joined(
      separator: " ")
    #expect(rows.contains("place: row.place.map { Place($0) }"), "\(rows)")
    #expect(try moved("a: Int, b: Int").findings == ["missing-source B.place"])
  }

  /// A mapper reads old records into the copy, as the converter it shares expects; their number stays.
  @Test func cloudRecordsOfOlderForms() throws {
    let evolution = try Manifests.evolution(version("a: Int"), version("a: Int, b: Int?"))
    let record = try #require(CloudRecords(evolution).records.first)
    let types = record.forms.map { form in
      form.fields.first { $0.property.name == "place" }?.property.attribute?.storedType.description
    }
    #expect(types == ["Place?", "FormerPlaceV1?"])
    #expect(record.forms.map(\.version) == [2, 1])
  }
}
