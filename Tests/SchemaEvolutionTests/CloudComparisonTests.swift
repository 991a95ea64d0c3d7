import Foundation
import SchemaModel
import TestSupport
import Testing

@testable import SchemaEvolution

/// The CloudKit fields that versions write, and which of them a container lacks.
@Suite struct CloudComparisonTests {
  private static let everything = """
    models:
      Place:
        properties:
          name: String?
      Town:
        inherits: Place
        properties:
          people: Int = 0
      Trip:
        properties:
          title: String = ""
          id: UUID = UUID()
          length: Double = 0
          price: Decimal = 0
          count: Int16 = 0
          isDone: Bool = false
          day: Date?
          page: URL?
          photo: { type: Data?, externalStorage: true }
          secret: { type: String?, allowsCloudEncryption: true }
          mood: Mood?
          spot: Spot?
          pace: Pace?
          tags: "[String] = []"
          tint: { type: Tint?, transformable: TintTransformer }
          passing: { type: Int?, ephemeral: true }
          cached: { type: Int?, transient: true }
          at: { relationship: Place? }
          parts: { relationship: "[Part]?", inverse: trip }
          friends: { relationship: "[Guest]?", inverse: trips }
      Part:
        properties:
          trip: { relationship: Trip? }
      Guest:
        properties:
          trips: { relationship: "[Trip]?" }
      Draft:
        properties:
          text: String?
    types:
      Mood: { enum: String, cases: [glad, sad] }
      Pace: { enum: none, cases: [slow, fast] }
      Spot: { struct: { x: Double, y: Double } }
      Tint: { opaque: true }
    """

  private static func version(_ text: String) throws -> SchemaVersion {
    try Manifests.versions([text])[0]
  }

  private static func records(_ type: String, _ version: SchemaVersion) -> [String] {
    CloudRecords(version, local: ["Draft"]).recordTypes.first { $0.name == type }?.fields
      .filter { $0.role != .moveReceipt }
      .map { "\($0.name) \($0.type)" } ?? []
  }

  /// docs/facts/cloudkit.md#attributes, line by line.
  @Test func mapping() throws {
    let version = try Self.version(Self.everything)
    let names = CloudRecords(version, local: ["Draft"]).recordTypes.map(\.name)
    #expect(names == ["CDMR", "CD_Guest", "CD_Part", "CD_Place", "CD_Trip"])
    #expect(
      Self.records("CD_Trip", version) == [
        "CD_at STRING", "CD_count INT64", "CD_day TIMESTAMP", "CD_entityName STRING",
        "CD_id STRING", "CD_isDone INT64", "CD_length DOUBLE", "CD_mood BYTES",
        "CD_mood_ckAsset ASSET", "CD_pace BYTES", "CD_pace_ckAsset ASSET", "CD_page STRING",
        "CD_page_ckAsset ASSET", "CD_photo BYTES", "CD_photo_ckAsset ASSET", "CD_price DOUBLE",
        "CD_secret ENCRYPTED STRING", "CD_secret_ckAsset ASSET", "CD_spot BYTES",
        "CD_spot_ckAsset ASSET", "CD_tags BYTES", "CD_tags_ckAsset ASSET", "CD_tint BYTES",
        "CD_tint_ckAsset ASSET", "CD_title STRING", "CD_title_ckAsset ASSET",
      ])
    // A subclass has no record type: its properties are its root's.
    #expect(
      Self.records("CD_Place", version) == [
        "CD_entityName STRING", "CD_name STRING", "CD_name_ckAsset ASSET", "CD_people INT64",
      ])
    #expect(Self.records("CD_Guest", version) == ["CD_entityName STRING"])
    #expect(Self.records("CD_Part", version) == ["CD_entityName STRING", "CD_trip STRING"])
    #expect(
      Self.records("CDMR", version) == [
        "CD_entityNames STRING", "CD_recordNames STRING", "CD_relationships STRING",
      ])
  }

  private static func findings(
    _ version: SchemaVersion, _ schema: CloudSchema, isShared: Bool = false
  ) -> [Diagnostic] {
    let one = CloudComparison.Version(version, local: ["Draft"])
    return CloudComparison(
      of: [one], among: [one], with: schema, in: "p.ckdb", isShared: isShared
    ).findings().filter { $0.rule != .cloudIndex }
  }

  /// A schema generated for a version lacks none of its fields, in either profile.
  @Test(arguments: Configuration.CloudProfile.allCases)
  func aSchemaHasAllOfItsVersion(_ profile: Configuration.CloudProfile) throws {
    let version = try Self.version(Self.everything)
    let schema = CloudSchema.empty.merging([CloudRecords(version, local: ["Draft"])], profile)
    #expect(Self.findings(version, schema).map(\.message) == [])
    #expect(schema.merging([CloudRecords(version, local: ["Draft"])], profile) == schema)
    #expect(Self.findings(version, schema, isShared: true).isEmpty == false)
  }

  /// Each field in turn is removed, which is reported as missing, and gets another type, which is reported as final.
  @Test func eachFieldIsMissed() throws {
    let version = try Self.version(Self.everything)
    let schema = CloudSchema.empty.merging([CloudRecords(version, local: ["Draft"])], .private)
    for (place, type) in schema.recordTypes.enumerated() where type.name.hasPrefix("CD") {
      var without = schema
      without.recordTypes.remove(at: place)
      #expect(Self.findings(version, without).map(\.rule) == [.cloudTypeMissing], "\(type.name)")
      for (index, field) in type.fields.enumerated() where field.name.hasPrefix("CD_") {
        var without = schema
        without.recordTypes[place].fields.remove(at: index)
        let missed = Self.findings(version, without)
        #expect(missed.count == 1, "\(type.name).\(field.name)")
        #expect(missed.first?.message.contains("'\(field.name)'") == true)
        let isOfAsset = type.field(named: field.name + "_ckAsset") != nil
        #expect(
          missed.first?.rule
            == (isOfAsset || field.name.hasSuffix("_ckAsset")
              ? .cloudAssetMissing : .cloudFieldMissing))
        var changed = schema
        changed.recordTypes[place].fields[index].type = .single(.location, isEncrypted: false)
        #expect(Self.findings(version, changed).map(\.rule) == [.cloudConflict])
        if field.type.isEncrypted {
          changed.recordTypes[place].fields[index].type = .string
          let found = Self.findings(version, changed)
          #expect(found.map(\.rule) == [.cloudConflict])
          #expect(found.first?.message.contains("is not encrypted in production") == true)
        }
      }
    }
  }

  @Test func severities() throws {
    let version = try Self.version("models: { A: { properties: { t: String?, d: Data? } } }\n")
    var schema = CloudSchema.empty.merging([CloudRecords(version)], .private)
    let place = try #require(schema.recordTypes.firstIndex { $0.name == "CD_A" })
    schema.recordTypes[place].fields.removeAll { $0.name.hasSuffix("_ckAsset") }
    let found = Self.findings(version, schema)
    #expect(found.map { "\($0.element ?? "") \($0.severity)" } == ["A.d error", "A warning"])
    schema.recordTypes[place].fields.removeAll { $0.name.hasPrefix("CD_t") }
    let both = Self.findings(version, schema).first { $0.element == "A.t" }
    #expect(both?.message.contains("no fields 'CD_t' and 'CD_t_ckAsset'") == true)
  }

  /// An asset is needed if a value can become too large for its record.
  @Test func assets() throws {
    let version = try Self.version(
      """
      models:
        A: { properties: { e: Mood?, n: Spot?, s: Name?, a: "[String] = []", d: Data? } }
      types:
        Mood: { enum: String, cases: [glad] }
        Spot: { struct: { x: Double, at: Date, mood: Mood } }
        Name: { struct: { first: String, spot: Spot } }
      """)
    var schema = CloudSchema.empty.merging([CloudRecords(version)], .private)
    let place = try #require(schema.recordTypes.firstIndex { $0.name == "CD_A" })
    schema.recordTypes[place].fields.removeAll { $0.name.hasSuffix("_ckAsset") }
    let found = Self.findings(version, schema)
    #expect(
      found.map { finding in
        "\(finding.severity) "
          + ["e", "n", "s", "a", "d"].filter { finding.message.contains("CD_\($0)_ckAsset") }
          .joined()
      }.sorted() == ["error a", "error d", "note e", "warning n", "warning s"])
  }

  /// A required property of which only large values can sync: the asset field exists because they did.
  @Test func onlyTheAssetIsThere() throws {
    let version = try Self.version("models: { A: { properties: { d: Data = Data() } } }\n")
    var schema = CloudSchema.empty.merging([CloudRecords(version)], .private)
    let place = try #require(schema.recordTypes.firstIndex { $0.name == "CD_A" })
    schema.recordTypes[place].fields.removeAll { $0.name == "CD_d" }
    let found = Self.findings(version, schema)
    #expect(found.count == 1 && found[0].rule == .cloudAssetMissing)
    #expect(found[0].message.hasSuffix("only values that are too large for their record sync"))
  }

  /// A wrong type in a schema that is not production's can still be repaired, as long as production lacks the field.
  @Test(arguments: [("production", nil), ("draft", nil), ("draft", true), ("draft", false)])
  func conflictsThatCanBeRepaired(_ standing: String, _ isInProduction: Bool?) throws {
    let version = try Self.version("models: { A: { properties: { t: String?, n: Int? } } }\n")
    let right = CloudSchema.empty.merging([CloudRecords(version)], .private)
    var wrong = right
    let place = try #require(wrong.recordTypes.firstIndex { $0.name == "CD_A" })
    let index = try #require(wrong.recordTypes[place].fields.firstIndex { $0.name == "CD_t" })
    wrong.recordTypes[place].fields[index].type = .single(.reference, isEncrypted: false)
    let one = CloudComparison.Version(version, local: [])
    let found = CloudComparison(
      of: [one], among: [one], with: wrong, in: "d.ckdb", isShared: false,
      standing: standing == "production"
        ? .production : .draft(production: isInProduction.map { $0 ? wrong : .empty })
    ).findings().filter { $0.rule == .cloudConflict }
    let finding = try #require(found.first)
    let isFinal = standing == "production" || isInProduction == true
    #expect(found.count == 1)
    #expect(finding.message.contains("in production, but") == isFinal)
    #expect(
      finding.message.hasSuffix("the field can never be changed")
        == (isFinal || isInProduction == nil))
    #expect(finding.help.contains { $0.contains("reset-schema") } == !isFinal)
    #expect(
      finding.help.contains { $0.contains("a name that no version had") }
        == (isFinal || isInProduction == nil))
  }

  /// A field that later versions lack stays in production, and its name is not reused.
  @Test func leftOvers() throws {
    let versions = try Manifests.versions([
      "models: { A: { properties: { old: String?, kept: Int? } } }\n",
      "models: { A: { properties: { kept: Int? } } }\n",
    ]).map { CloudComparison.Version($0, local: []) }
    var production = CloudSchema.empty.merging(versions.map(\.records), .initialized)
    let place = try #require(production.recordTypes.firstIndex { $0.name == "CD_A" })
    production.recordTypes[place].fields.append(.init("CD_typo", .string))
    production.recordTypes.append(.init("CD_Junk"))
    production.recordTypes.append(.init("Catalog"))
    let found = CloudComparison(
      of: [versions[1]], among: versions, with: production, in: "p.ckdb", isShared: false
    ).findings().filter { $0.rule == .cloudLeftOver }
    #expect(
      found.map(\.message) == [
        "the field 'CD_A.CD_typo' is in production: none of the compared versions writes it",
        "the fields 'CD_A.CD_old', 'CD_A.CD_old_ckAsset' are in production: last written by V1",
        "the record type 'CD_Junk' is in production: none of the compared versions writes it",
      ])
    #expect(found.allSatisfy { $0.severity == .note })
    // With several versions, a field that any of them writes is not left over, and a missing one names its version.
    let bare = CloudSchema.empty.merging([versions[1].records], .private)
    let missing = CloudComparison(
      of: versions, among: versions, with: bare, in: "p.ckdb", isShared: false
    ).findings().filter { $0.severity > .note }
    #expect(missing.count == 1 && missing[0].message.contains("which V1 writes for 'A.old'"))
  }

  /// Sharing needs the type of shares and the receipts of moves.
  @Test func sharing() throws {
    let version = try Self.version("models: { A: { properties: { n: Int? } } }\n")
    let schema = CloudSchema.empty.merging([CloudRecords(version)], .private)
    #expect(
      Set(Self.findings(version, schema, isShared: true).compactMap(\.element))
        == ["CD_A.CD_moveReceipt", "CD_A.CD_moveReceipt_ckAsset", "cloudkit.share"])
    var whole = schema.merging([CloudRecords(version)], .initialized)
    whole.recordTypes.append(.init("cloudkit.share"))
    #expect(Self.findings(version, whole, isShared: true).isEmpty)
  }

  /// Merging keeps what others added, and a second merge adds nothing.
  @Test(arguments: 0..<60) func mergesKeepWhatIsThere(_ seed: UInt64) throws {
    var random = RandomCloudSchema(seed: seed)
    let version = try Self.version(Self.everything)
    let export = random.schema()
    let merged = export.merging([CloudRecords(version)], .initialized)
    #expect(merged.roles == export.roles)
    for type in export.recordTypes {
      let now = merged.recordType(named: type.name)
      #expect(now?.grants == type.grants)
      for field in type.fields { #expect(now?.field(named: field.name) == field) }
    }
    #expect(merged.merging([CloudRecords(version)], .initialized) == merged)
    let again = CloudSchema.read(SourceFile(path: "m.ckdb", text: merged.text))
    #expect(again.diagnostics.isEmpty && again.schema.text == merged.text)
    #expect(Self.findings(version, merged).allSatisfy { $0.severity == .note })
  }

  /// Two subclasses share their root's record type: one name, one type.
  @Test func siblings() throws {
    let version = try Self.version(
      """
      models:
        Root: { properties: { n: Int? } }
        One: { inherits: Root, properties: { size: Int? } }
        Two: { inherits: Root, properties: { size: String? } }
        Three: { inherits: Root, properties: { size: Int? } }
      """)
    let clashes = CloudRecords(version).clashes.map { "\($0.0) \($0.1)" }
    #expect(clashes == ["One.size Two.size"])
  }
}

/// Invariants of any history whose store syncs.
@Suite struct CloudHistoryTests {
  @Test(arguments: PropertyBasedTests.seeds) func everyVersionFindsItsFields(_ seed: Int) {
    let history = HistoryGenerator.history(seed: seed).map {
      CloudComparison.Version($0, local: [])
    }
    var random = RandomCloudSchema(seed: UInt64(seed))
    var production = CloudSchema.empty.merging([], .private)
    production.recordTypes += random.schema().recordTypes.filter { type in
      !production.recordTypes.contains { $0.name == type.name }
    }
    for (index, version) in history.enumerated() {
      let before = production
      production = production.merging([version.records], .private)
      // Existing fields stay, and nothing is asked for twice.
      for type in before.recordTypes {
        let now = production.recordType(named: type.name)
        #expect(type.fields.allSatisfy { now?.field(named: $0.name) == $0 }, "seed \(seed)")
      }
      #expect(production.merging([version.records], .private) == production)
      let found = CloudComparison(
        of: [version], among: Array(history[...index]), with: production, in: "p.ckdb",
        isShared: false
      ).findings().filter { $0.severity > .note }
      // A name that comes back with another type is a permanent conflict, and nothing else is reported.
      #expect(
        found.allSatisfy { $0.rule == .cloudConflict }, "seed \(seed): \(found.map(\.message))")
      if index == 0 { #expect(found.isEmpty, "seed \(seed): \(found.map(\.message))") }
    }
  }

  @Test("Effects of mixed app versions on shared CloudKit records are listed")
  func mixedDevices() throws {
    let versions = try Manifests.versions([
      """
      models:
        A: { properties: { n: Int?, gone: Int = 7, mood: Mood?, kept: Int? } }
        Old: { properties: { n: Int? } }
      types: { Mood: { enum: String, cases: [glad] } }
      """,
      """
      models:
        A: { properties: { n: Double?, mood: Mood?, kept: Int16?, late: Int = 3, note: String? } }
        New: { properties: { n: Int? } }
      types: { Mood: { enum: String, cases: [glad, sad] } }
      """,
    ])
    let found = MixedDevices.of(versions[0], versions[1])
    #expect(
      found.map { "\($0.verdict.rawValue) \($0.element): \($0.older); \($0.newer)" } == [
        "refused A.n: gets nothing: the field is INT64 for good; cannot save rows that have a value in the field",
        "undecodable A.kept: reads all that the newer one writes; cannot store numbers that are too large for Int16",
        "undecodable A.mood: may not decode \"sad\"; reads all that the older one writes",
        "apart Old: gets no more rows; does not see rows that the older one makes or edits",
        "apart A.gone: gets 7 in rows that it has not created; does not see the values that the older one writes",
        "unseen New: does not see the rows; shares the rows with no older device",
        "unseen A.late: does not see the value; gets 3 in rows that the older one creates",
        "unseen A.note: does not see the value; gets nil in rows that the older one creates",
      ])
    #expect(MixedDevices.of(versions[0], versions[0]) == [])
    let local = MixedDevices.of(versions[0], versions[1], local: ["A", "Old", "New"])
    #expect(local == [])
  }

  /// What each of two devices reads of the other's values, in the direction that loses something.
  @Test(arguments: [
    ("m: Mood?", "m: Mood?", "[a, b]", "[a]", "reads all", "may not decode \"b\""),
    ("m: Mood?", "m: Look?", "[a]", "[a]", "", ""),
    ("m: Int16?", "m: Int?", "[a]", "[a]", "too large for Int16", "reads all"),
    ("m: Bool = false", "m: Int = 0", "[a]", "[a]", "other than 0 and 1", "reads all"),
    ("m: String?", "m: UUID?", "[a]", "[a]", "reads all", "not a UUID"),
    ("m: String?", "m: URL?", "[a]", "[a]", "reads all", "not a URL"),
    ("m: Double = 0", "m: Float = 0", "[a]", "[a]", "reads all", "rounds"),
    ("m: Int?", "m: Int = 0", "[a]", "[a]", "reads all", "cannot store nil"),
    ("m: Int = 0", "m: Int?", "[a]", "[a]", "", ""),
  ])
  func directions(
    _ old: String, _ new: String, _ before: String, _ after: String, _ older: String,
    _ newer: String
  ) throws {
    func version(_ property: String, _ cases: String) throws -> SchemaVersion {
      try Manifests.versions([
        "models: { A: { properties: { \(property) } } }\ntypes: { Mood: { enum: String, cases: \(cases) }, Look: { enum: String, cases: \(cases) } }\n"
      ])[0]
    }
    let found = MixedDevices.of(try version(old, before), try version(new, after))
    #expect(found.count == (older.isEmpty ? 0 : 1))
    guard let one = found.first else { return }
    #expect(one.verdict == .undecodable)
    #expect(one.older.contains(older) && one.newer.contains(newer), "\(one)")
  }

  @Test(
    "App versions that name a many-to-many relationship differently do not share its CloudKit links"
  )
  func links() throws {
    func version(_ name: String) throws -> SchemaVersion {
      try Manifests.versions([
        """
        models:
          A: { properties: { \(name): { relationship: "[B]?", inverse: all } } }
          B: { properties: { all: { relationship: "[A]?" } } }
        """
      ])[0]
    }
    let found = MixedDevices.of(try version("some"), try version("others"))
    #expect(found.map { "\($0.verdict) \($0.element)" } == ["apart A.some", "unseen A.others"])
  }
}

/// Servers' exports for the models of real apps (Tests/Support/Fixtures/Cloud).
@Suite struct CloudExportTests {
  @Test(
    "Every field of a real CloudKit container is predicted, with its type",
    arguments: ["Dispatch", "CoML"])
  func isPredicted(_ name: String) throws {
    let folder = Checkout.root + "/Tests/Support/Fixtures/Cloud/"
    let manifest = try String(contentsOfFile: folder + name + ".yaml", encoding: .utf8)
    let records = CloudRecords(try Manifests.versions([manifest])[0])
    let predicted = Dictionary(
      uniqueKeysWithValues: records.recordTypes.flatMap { type in
        type.fields.map { ("\(type.name).\($0.name)", $0.type.description) }
      })
    let lines = try String(contentsOfFile: folder + name + ".txt", encoding: .utf8)
      .split(separator: "\n")
    #expect(lines.count == (name == "Dispatch" ? 89 : 21))
    for line in lines {
      let parts = line.split(separator: " ", maxSplits: 1)
      #expect(predicted[String(parts[0])] == String(parts[1]), "\(line)")
    }
    // Fields that a row always has are not missing in the export.
    let there = Set(lines.map { $0.prefix { $0 != " " } }.map(String.init))
    let missing = records.recordTypes.flatMap { type in
      type.fields.filter { field in
        if case .values = field.role { true } else { field.name == "CD_entityName" }
      }.map { "\(type.name).\($0.name)" }
    }.filter { !there.contains($0) }
    #expect(missing == [])
  }
}
