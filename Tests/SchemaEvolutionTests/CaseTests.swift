import SchemaModel
import Testing

@testable import SchemaEvolution
@testable import SchemaRendering

/// Renamed and replaced enum cases: their effects on rows, older versions and expressions.
@Suite struct CaseTests {
  private func version(
    _ cases: String, _ property: String = "k: K", drops: String? = nil, raw: String = "String",
    more: String = ""
  ) -> String {
    Manifests.one(
      property, "entity: Alpha",
      "types: { K: { enum: \(raw), cases: \(cases) }\(more) }"
        + (drops.map { "\ndrops: { \($0) }" } ?? ""))
  }

  private func rows(_ evolution: Evolution, _ step: Int) -> [String] {
    RowFunctions(evolution.steps[step], evolution).functions.flatMap(\.body)
  }

  @Test func rowsFollow() throws {
    let evolution = try Manifests.evolution(
      version("[a, b, c]"),
      version(
        "[x: { renamedFrom: a }, c]", drops: "K.b: { reason: it is c, replacedBy: c }"))
    #expect(evolution.errors == [])
    #expect(
      rows(evolution, 0) == [
        "try MigrationBatch.forEach(SchemaV1.A.self, in: context) { row in",
        "  if row.k == FormerK.a {", "    row.k = FormerK.x", "  }",
        "  if row.k == FormerK.b {", "    row.k = FormerK.c", "  }", "}",
      ])
    #expect(evolution.stages.map(\.isCustom) == [true])
    let former = try #require(evolution.formers.first)
    #expect(
      former.cases.map { "\($0.name) \($0.rawValue) \($0.successor)" }
        == [#"x "x" x"#, #"c "c" c"#, #"a "a" x"#, #"b "b" c"#])
    #expect(former.predecessors.map { "\($0.newest) \($0.former)" } == ["x a", "c c"])
    #expect(evolution.model("A", in: "SchemaV1")?.property(named: "k")?.attribute?.former != nil)
    #expect(evolution.model("A", in: "SchemaV2")?.property(named: "k")?.attribute?.former == nil)
  }

  /// The engine does not see cases, so both versions would be one without a hash modifier.
  @Test func versionsDiffer() throws {
    let evolution = try Manifests.evolution(
      version("[a, b]"), version("[b, c: { renamedFrom: a }]"))
    #expect(Set(evolution.identities.map(\.certain)).count == 2)
    // To the engine, a version does not change when a later one renames its cases.
    let alone = try Manifests.evolution(version("[a, b]"))
    #expect(alone.identities[0].hashes == evolution.identities[0].hashes)
  }

  @Test func convertersSpeakOfToday() throws {
    let evolution = try Manifests.evolution(
      version("[a, b]", "k: K, o: K?"),
      version("[b, c: { renamedFrom: a }]", "k: K, o: K?"))
    let converter = try #require(evolution.converters[0]["A"])
    #expect(
      converter.toEntity.map(\.text) == ["id", "K(former: k)", "o.map(K.init(former:))"])
    #expect(
      converter.fromEntity.map(\.text)
        == ["entity.id", "FormerK(of: entity.k)", "(entity.o as K?).map(FormerK.init(of:))"])
    #expect(evolution.converters[1]["A"]?.toEntity.map(\.text) == ["id", "k", "o"])
  }

  /// A mapper reads old records into the enum that has the old cases, as the converter it shares expects.
  @Test func cloudRecordsOfOlderForms() throws {
    let evolution = try Manifests.evolution(
      version("[a, b]", "k: { type: K, default: K.a }"),
      version("[b, c: { renamedFrom: a }]", "k: { type: K, default: K.c }"))
    let record = try #require(CloudRecords(evolution).records.first)
    let types = record.forms.map { form in
      form.fields.first { $0.property.name == "k" }?.property.attribute?.storedType.description
    }
    #expect(types == ["K", "FormerK"])
  }

  /// With an explicit raw value that stays, only Swift sees the new name.
  @Test func renamedInSwiftOnly() throws {
    let evolution = try Manifests.evolution(
      version("{ a: 1, b: 2 }", "k: { type: K, default: K.a }", raw: "Int"),
      version("{ c: { rawValue: 1, renamedFrom: a }, b: 2 }", raw: "Int"))
    #expect(evolution.errors == [])
    #expect(evolution.formers.isEmpty && rows(evolution, 0).isEmpty)
    let property = evolution.model("A", in: "SchemaV1")?.property(named: "k")
    #expect(property?.attribute?.defaultValue?.text == "K.c")
  }

  @Test func oldExpressionsFollow() throws {
    let evolution = try Manifests.evolution(
      version("[a, b]", "s: String"),
      version(
        "[a, b]", "k: { type: K, from: s, convert: '$0 == \"K.a\" ? K.a : K.ab', revert: '\"\"' }"),
      version("[b, c: { renamedFrom: a }]"))
    #expect(
      rows(evolution, 0).contains(
        #"  row.k = FormerK(of: (row.s == "K.a" ? K.c : K.ab) as K)"#))
  }

  @Test func severalSteps() throws {
    let evolution = try Manifests.evolution(
      version("[a, b]"), version("[b, c: { renamedFrom: a }]"),
      version("[d: { renamedFrom: c }]", drops: "K.b: { reason: it is d, replacedBy: d }"))
    #expect(evolution.errors == [])
    #expect(rows(evolution, 0).contains("    row.k = FormerK.c"))
    #expect(
      evolution.formers[0].cases.map { "\($0.name) \($0.successor)" }.sorted()
        == ["a d", "b d", "c d", "d d"])
  }

  /// Rows of a renamed model get the new case in the bridge.
  @Test func carriedModels() throws {
    let types = "types: { K: { enum: String, cases: [a, b] } }"
    let evolution = try Manifests.evolution(
      "models: { A: { properties: { k: K } } }\n\(types)",
      "models: { B: { renamedFrom: A, properties: { k: K } } }\n"
        + "types: { K: { enum: String, cases: [b, c: { renamedFrom: a }] } }",
      "models: { C: { renamedFrom: B, properties: { k: K } } }\n"
        + "types: { K: { enum: String, cases: [c, d: { renamedFrom: b }] } }")
    #expect(evolution.errors == [])
    // The new row has the same enum: the value is copied, and gets the case like a row that stays.
    #expect(rows(evolution, 0).contains("  let new = SchemaV1ToV2.B(k: row.k)"))
    #expect(
      rows(evolution, 0).contains(
        "try MigrationBatch.forEach(SchemaV1ToV2.B.self, in: context) { row in"))
    #expect(rows(evolution, 0).contains("    row.k = FormerK.c"))
    #expect(rows(evolution, 1).contains("  let new = SchemaV2ToV3.C(k: K(former: row.k))"))
  }

  /// The suggested answers for a removed case are accepted.
  @Test func printedWaysAreTaken() throws {
    let old = version("[a, b]")
    let help = try #require(
      try Manifests.evolution(old, version("[b, c]")).finding("enum-case-removed")?.help)
    #expect(
      help.dropFirst().prefix(2) == [
        "if the case is called 'c' now: cases: [b, c: { renamedFrom: a }]",
        #"if another case replaces the removed one: drops: { K.a: { reason: "why", replacedBy: … } }"#,
      ])
    #expect(try Manifests.evolution(old, version("[b, c: { renamedFrom: a }]")).errors == [])
    let replaced = version("[b, c]", drops: #"K.a: { reason: "why", replacedBy: b }"#)
    #expect(try Manifests.evolution(old, replaced).errors == [])
  }

  /// The app's Swift has the raw values. A manifest without them would silently change them in every row.
  @Test func casesOfTheAppsOwnEnums() throws {
    let own = "String, own: true"
    let old = version("{ a: done, b: b }", raw: own)
    let lost = try Manifests.evolution(old, version("[x: { renamedFrom: a }, b]", raw: own))
    let finding = try #require(lost.finding("missing-raw-value"))
    #expect(!lost.errors.isEmpty && finding.element == "K.x")
    #expect(
      finding.help == [
        #"if 'x' still has the raw value of 'a' in the app's code: cases: { x: { rawValue: done, renamedFrom: a }, … }"#,
        #"if the rows should get another raw value: cases: { x: { rawValue: x, renamedFrom: a }, … }"#,
      ])
    let kept = version("{ x: { rawValue: done, renamedFrom: a }, b: b }", raw: own)
    let changed = version("{ x: { rawValue: x, renamedFrom: a }, b: b }", raw: own)
    for (new, count) in [(kept, 0), (changed, 1)] {
      let evolution = try Manifests.evolution(old, new)
      #expect(evolution.errors == [] && evolution.formers.count == count)
    }
    // Nothing is missing if the raw value equals the new name.
    let same = version("{ a: x, b: b }", raw: own)
    #expect(
      try Manifests.evolution(same, version("[x: { renamedFrom: a }, b]", raw: own)).errors == [])
  }

  /// A raw value in the manifest or in the app's code is kept in the suggested answer.
  @Test(arguments: [
    ("{ a: done, b: b }", "String", "rawValue: done"),
    ("[a, b]", "String, own: true", "rawValue: a"),
    ("{ a: 1, b: 2 }", "Int", "rawValue: 1"),
  ])
  func printedWaysKeepRawValues(_ cases: String, _ raw: String, _ kept: String) throws {
    let old = version(cases, "k: K?", raw: raw)
    let new = raw == "Int" ? "{ c: 3, b: 2 }" : "[c, b]"
    let help = try #require(
      try Manifests.evolution(old, version(new, "k: K?", raw: raw))
        .finding("enum-case-removed")?.help)
    #expect(
      help.dropFirst().first
        == "if the case is called 'c' now: cases: { c: { \(kept), renamedFrom: a }, … }")
    let answer = raw == "Int" ? "b: 2" : "b: b"
    let answered = version("{ c: { \(kept), renamedFrom: a }, \(answer) }", "k: K?", raw: raw)
    #expect(try Manifests.evolution(old, answered).errors == [])
  }

  static let refused: [(cases: String, property: String, drops: String?, finding: String)] = [
    ("[x: { renamedFrom: z }]", "k: K", "K.a: { reason: r, replacedBy: x }", "unknown-source K.x"),
    ("[a: { renamedFrom: a }, b]", "k: K", nil, "unused-hint K.a"),
    ("[a, b, x: { renamedFrom: a }]", "k: K", nil, "unused-hint K.x"),
    (
      "[x: { renamedFrom: a }, y: { renamedFrom: a }, b]", "k: K", nil, "reused-name K.y"
    ),
    ("[b]", "k: K", "K.a: { reason: r, replacedBy: z }", "unknown-source K.a"),
    ("[a, b]", "k: K", "A.id: { reason: r, replacedBy: a }", "unused-hint A.id"),
    // If two names are swapped, a killed migration cannot tell which rows have changed.
    (
      "[a: { renamedFrom: b }, b: { renamedFrom: a }]", "k: K", nil, "case-not-carried K.a"
    ),
    ("[b, x: { renamedFrom: a }]", "s: S", nil, "case-not-carried K.x"),
    ("[b, x: { renamedFrom: a }]", "l: '[K]'", nil, "case-not-carried K.x"),
    (
      "[b, x: { renamedFrom: a }]", "j: { type: Data, encodes: K, fallback: K.b }", nil,
      "case-not-carried K.x"
    ),
    (
      "[b]", "k: { type: K, unique: true }", "K.a: { reason: r, replacedBy: b }",
      "case-not-carried K.a"
    ),
  ]

  @Test(arguments: refused)
  func isRefused(
    _ cases: String, _ property: String, _ drops: String?, _ finding: String
  ) throws {
    let more = ", S: { struct: { k: K } }"
    let evolution = try Manifests.evolution(
      version("[a, b]", property, more: more),
      version(cases, property, drops: drops, more: more))
    #expect(evolution.findings.contains(finding), "\(evolution.findings)")
    #expect(!evolution.errors.isEmpty)
  }

  /// A property stays unique if a case is only renamed.
  @Test func renamedKey() throws {
    let evolution = try Manifests.evolution(
      version("[a, b]", "k: { type: K, unique: true }"),
      version("[b, x: { renamedFrom: a }]", "k: { type: K, unique: true }"))
    #expect(evolution.errors == [])
  }

  /// Their cases are columns, which are dropped before any code of the step runs. A conversion reads them first.
  @Test func plainEnumsAreConverted() throws {
    let evolution = try Manifests.evolution(
      version("[a, b]", raw: "none"), version("[b, x: { renamedFrom: a }]", raw: "none"))
    let finding = try #require(evolution.finding(.caseNotCarried))
    #expect(
      finding.help == [
        "list the case under 'drops:', and convert the values: newK: { type: K, from: k, convert: … }"
      ])
    let convert = "'$0 == .a ? .x : K($0) ?? .b'"
    let followed = try Manifests.evolution(
      version("[a, b]", raw: "none"),
      version(
        "[b, x]", "newK: { type: K, from: k, convert: \(convert), revert: 'K($0) ?? .a' }",
        drops: "K.a: it is x now", raw: "none"))
    #expect(followed.errors == [])
  }

  @Test func revivedRawValue() throws {
    let evolution = try Manifests.evolution(
      version("[a, b]"), version("[b, x: { renamedFrom: a }]"), version("[a, b, x]"))
    #expect(evolution.findings.contains("case-not-carried K.a"))
  }
}
