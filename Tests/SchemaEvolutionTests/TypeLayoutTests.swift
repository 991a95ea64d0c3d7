import SchemaModel
import Testing

@testable import SchemaEvolution
@testable import SchemaRendering

/// Structs with changed fields and enums without raw values with changed cases: models of older versions store copies
/// of them.
@Suite struct TypeLayoutTests {
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
    "Each older layout of a struct has one copy; the newest layout is the struct itself")
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
    // The manifests' types are read, compared and released without the copies.
    #expect(
      evolution.history[0].model(named: "A")?.property(named: "place")?.type.description == "Place?"
    )
  }

  /// A store of a version is recognised whatever happens to the struct later.
  @Test func hashesStay() throws {
    let alone = try Manifests.evolution(version("a: Int, b: String?"))
    let evolution = try Manifests.evolution(
      version("a: Int, b: String?"), version("a: Int, b: String?, c: Double?"))
    #expect(evolution.identities[0].hashes == alone.identities[0].hashes)
    #expect(evolution.identities[0].hashes != evolution.identities[1].hashes)
    #expect(evolution.stages.map(\.isCustom) == [false])
  }

  @Test("Struct values are converted to the next layout and back, field by field")
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
      guard
        case .fields(let fields)? = evolution.layouts.conversion(.named(from), to: .named(to))?
          .parts
      else { return nil }
      return fields.map { "\($0.name) = \(ConversionText(row: "value").text($0.value))" }
    }
    #expect(
      fields("FormerPlaceV1", "Place") == ["a = value.a", "b = Double(value.b)", "d = nil"])
    // Nothing says how to fill a required field from one that may now be nil.
    #expect(fields("Place", "FormerPlaceV1") == nil)
    #expect(evolution.converters[0]["A"]?.toEntity.map(\.text) == ["id", "Place(place)"])
  }

  @Test("A step's expressions use the struct's layout of each version")
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
    // A copy has no members of the app.
    #expect(value("SchemaV2") == "FormerPlaceV2(Place.zero)")
    #expect(value("SchemaV3") == "Place.zero")
    #expect(
      evolution.converters[0]["A"]?.toEntity.map(\.text)
        == ["id", "Place(FormerPlaceV2(place))", "place.b"])
    // Reverting a step gives the value before it.
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
    "Structs in a copied struct are copied too; structs in JSON, lists and transformables are not copied"
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

  @Test("Structs in rows moved to another model are converted, or a finding asks how")
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

  /// A mapper reads old records into the copy, as the shared converter expects; their number stays.
  @Test func cloudRecordsOfOlderForms() throws {
    let evolution = try Manifests.evolution(version("a: Int"), version("a: Int, b: Int?"))
    let record = try #require(CloudRecords(evolution).records.first)
    let types = record.forms.map { form in
      form.fields.first { $0.property.name == "place" }?.property.attribute?.storedType.description
    }
    #expect(types == ["Place?", "FormerPlaceV1?"])
    #expect(record.forms.map(\.version) == [2, 1])
  }

  // MARK: Enums without raw values

  private func moods(
    _ cases: String, _ property: String = "mood: Mood?", _ top: String = ""
  ) -> String {
    Manifests.one(
      property, "entity: Alpha", "types: { Mood: { enum: none, cases: [\(cases)] } }\n" + top)
  }

  private func cases(_ from: String, _ to: String, _ evolution: Evolution) -> [String]? {
    guard
      case .cases(let cases)? = evolution.layouts.conversion(.named(from), to: .named(to))?.parts
    else { return nil }
    return cases.map { "\($0.name) → \($0.successor ?? "nil")" }
  }

  /// An older version's hash does not depend on later cases.
  @Test func enumsAreCopied() throws {
    let alone = try Manifests.evolution(moods("calm, angry"))
    let evolution = try Manifests.evolution(
      moods("calm, angry"), moods("calm, angry, glad"),
      moods("glad, calm", "mood: Mood?", "drops: { Mood.angry: nobody was }"))
    #expect(evolution.errors == [])
    let types = ["SchemaV1", "SchemaV2", "SchemaV3"].map { type("mood", in: $0, evolution) }
    #expect(types == ["FormerMoodV1?", "FormerMoodV2?", "Mood?"])
    #expect(evolution.identities[0].hashes == alone.identities[0].hashes)
    #expect(Set(evolution.identities.map(\.hashes)).count == 3)
    #expect(evolution.stages.map(\.isCustom) == [false, false])
    #expect(
      cases("FormerMoodV1", "FormerMoodV2", evolution) == ["calm → calm", "angry → angry"])
    #expect(
      cases("FormerMoodV2", "FormerMoodV1", evolution)
        == ["calm → calm", "angry → angry", "glad → nil"])
    #expect(
      cases("FormerMoodV2", "Mood", evolution) == ["calm → calm", "angry → nil", "glad → glad"])
    #expect(
      evolution.converters[0]["A"]?.toEntity.map(\.text)
        == ["id", "(mood.map { FormerMoodV2($0) }).flatMap { Mood($0) }"])
  }

  @Test("An enum stored as a raw value, JSON or list, or with reordered cases, needs no copy")
  func enumsThatStay() throws {
    let turned = try Manifests.evolution(
      moods("calm, angry"), moods("angry, calm", "mood: Mood?, n: Int?"))
    #expect(turned.layouts.isEmpty)
    for property in ["mood: { type: Data?, encodes: Mood }", "mood: '[Mood]?'"] {
      let evolution = try Manifests.evolution(
        moods("calm", property), moods("calm, glad", property))
      #expect(evolution.layouts.isEmpty, "\(property)")
    }
  }

  @Test("A renamed case is converted, and its effect on stored rows must be confirmed")
  func renamedCases() throws {
    let evolution = try Manifests.evolution(
      moods("calm, angry"),
      moods(
        "calm, furious: { renamedFrom: angry }", "mood: Mood?",
        "drops: { Mood.angry: rows may lose it }"))
    #expect(cases("FormerMoodV1", "Mood", evolution) == ["calm → calm", "angry → furious"])
    #expect(cases("Mood", "FormerMoodV1", evolution) == ["calm → calm", "furious → angry"])
  }

  @Test(
    "A case that the older enum lacks becomes the default on the way back, or a finding asks for one"
  )
  func casesWithoutSuccessor() throws {
    let plain = try Manifests.evolution(
      moods("calm", "mood: Mood"), moods("calm, glad", "mood: Mood"))
    #expect(plain.findings == ["no-way-back A.mood"])
    let property = "mood: { type: Mood, default: Mood.calm }"
    let evolution = try Manifests.evolution(moods("calm", property), moods("calm, glad", property))
    #expect(evolution.errors == [])
    #expect(
      evolution.converters[0]["A"]?.fromEntity.map(\.text)
        == ["entity.id", "FormerMoodV1(entity.mood) ?? FormerMoodV1.calm"])
    // The same for a struct's field.
    func place(_ cases: String, _ field: String) -> String {
      version("mood: \(field)", more: ", Mood: { enum: none, cases: [\(cases)] }")
    }
    #expect(
      try Manifests.evolution(place("calm", "Mood"), place("calm, glad", "Mood")).errors == [])
    let nested = try Manifests.evolution(place("calm", "Mood?"), place("calm, glad", "Mood?"))
    #expect(nested.types["FormerPlaceV1"]?.fields.map(\.type.description) == ["FormerMoodV1?"])
  }
}
