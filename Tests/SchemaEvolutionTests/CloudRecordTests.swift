import SchemaModel
import TestSupport
import Testing

@testable import SchemaEvolution
@testable import SchemaRendering

/// How entities are kept as CloudKit records, and which number a record's form has.
@Suite struct CloudRecordTests {
  private static func one(_ properties: String = "", _ top: String = "") -> String {
    Manifests.one(properties, "entity: Alpha", top)
  }

  struct Step: Sendable, CustomTestStringConvertible {
    var name: String
    var old: String
    var new: String
    /// Whether the form's number rises.
    var isRaised: Bool

    var testDescription: String { name }
  }

  private static let types = "types: { L: { enum: String, cases: [a] } }"

  static let steps: [Step] = [
    Step(name: "a field added", old: one(), new: one("x: Int = 0"), isRaised: true),
    Step(
      name: "a field dropped", old: one("x: Int = 0"),
      new: one("", "drops: { A.x: why }"), isRaised: true),
    Step(
      name: "a field renamed", old: one("x: Int"),
      new: one("y: { type: Int, renamedFrom: x }"), isRaised: true),
    Step(
      name: "a field made optional", old: one("x: Int = 0"), new: one("x: Int?"), isRaised: true),
    Step(
      name: "a field's type", old: one("x: Int"),
      new: one("x: { type: String, from: x, convert: 'String($0)', revert: '0' }"), isRaised: true),
    Step(
      name: "what a field means, under its name and type", old: one("x: Int"),
      new: one("x: { type: Int, from: x, convert: $0 * 100, revert: $0 / 100 }"), isRaised: true),
    Step(
      name: "an enum's cases", old: one("x: L = L.a", types),
      new: one("x: L = L.a", "types: { L: { enum: String, cases: [a, b] } }"), isRaised: true),
    Step(
      name: "what JSON is made of",
      old: one(
        "x: { type: Data, default: Data(), encodes: L, fallback: L() }",
        "types: { L: { struct: { a: Int = 0 } } }"),
      new: one(
        """
        x: { type: Data, default: Data(), encodes: L, fallback: L() }, \
        y: { type: Int, default: '0', inEntity: omit }
        """, "types: { L: { struct: { a: Int = 0, b: Int? } } }"), isRaised: true),
    Step(
      name: "an encrypted field", old: one("x: String?"),
      new: one("x: String?, y: { type: String?, allowsCloudEncryption: true }"), isRaised: true),
    Step(
      name: "documentation and a default", old: one("x: Int = 0"),
      new: one("x: { type: Int, default: '1', doc: Better. }"), isRaised: false),
    Step(
      name: "a constraint and an index", old: one("x: Int = 0"),
      new: Manifests.one("x: Int = 0", "entity: Alpha, index: [[x]]"), isRaised: false),
    Step(
      name: "a property that the entity leaves out", old: one(),
      new: one("x: { type: Int, default: '0', inEntity: omit }"), isRaised: false),
    Step(
      name: "a transient property", old: one(),
      new: one("x: { type: Int, default: '0', transient: true }"), isRaised: false),
    Step(
      name: "the model's name", old: one("x: Int"),
      new: "models: { B: { renamedFrom: A, entity: Alpha, properties: { id: Int, x: Int } } }",
      isRaised: true),
  ]

  @Test("A record's form number rises only if the record's contents change", arguments: steps)
  func versions(_ step: Step) throws {
    let evolution = try Manifests.evolution(step.old, step.new)
    #expect(!evolution.diagnostics.hasErrors, "\(evolution.diagnostics)")
    let record = try #require(CloudRecords(evolution).records.first)
    #expect(record.current.version == (step.isRaised ? 2 : 1))
    #expect(record.forms.map(\.index) == (step.isRaised ? [1, 0] : [1]))
  }

  @Test(
    "A changed type gets a new field name, and names that CloudKit reserves are avoided")
  func keys() throws {
    let evolution = try Manifests.evolution(
      Self.one("x: Int, parent: Int = 0, _y: Int = 0, schemaVersion: Int = 0"),
      Self.one(
        """
        x: { type: String, from: x, convert: 'String($0)', revert: '0' }, parent: Int = 0, \
        _y: Int = 0, schemaVersion: Int = 0
        """),
      Self.one(
        """
        x: { type: Int, from: x, convert: '0', revert: 'String($0)' }, parent: Int = 0, \
        _y: Int = 0, schemaVersion: Int = 0
        """))
    let record = try #require(CloudRecords(evolution).records.first)
    #expect(
      record.forms.map { $0.fields.map(\.key) } == [
        ["id", "x", "parentField", "y", "schemaVersionField"],
        ["id", "xV2", "parentField", "y", "schemaVersionField"],
        ["id", "x", "parentField", "y", "schemaVersionField"],
      ])
  }

  @Test("If a record form lacks a field that its converter reads, the form cannot be read")
  func unreadable() throws {
    let evolution = try Manifests.evolution(
      Self.one("x: { type: Int, inEntity: omit }"), Self.one("x: Int"))
    let record = try #require(CloudRecords(evolution).records.first)
    #expect(record.forms.map(\.version) == [2])
  }

  @Test("A record form whose converter reads linked rows cannot be read")
  func linkedRows() throws {
    func version(_ a: String) -> String {
      """
      models:
        A: { entity: Alpha, properties: { id: Int, \(a) } }
        B: { properties: { id: Int, name: String } }
      """
    }
    let evolution = try Manifests.evolution(
      version("b: { relationship: B? }"),
      version("name: { type: String?, from: b, convert: $0?.name }"))
    let records = CloudRecords(evolution)
    #expect(records.diagnostics.isEmpty && evolution.errors == [])
    #expect(records.records.first?.forms.map(\.version) == [2])
  }

  @Test("A transformable value in a CloudKit record is refused with advice")
  func transformers() throws {
    let evolution = try Manifests.evolution(
      Self.one("x: { type: Color?, transformable: T }", "types: { Color: { opaque: true } }"))
    let found = CloudRecords(evolution).diagnostics
    #expect(found.map(\.rule.id) == ["cloud-field"] && found.first?.element == "A.x")
    #expect(found.first?.help.first?.contains("inEntity: omit") == true)
  }

  /// Records in the cloud cannot be renumbered, so later versions must keep the numbers of older ones.
  @Test(
    "A new version changes neither the numbers of older record forms nor the kinds of their keys",
    arguments: Checkout.seeds(150))
  func numbersStay(_ seed: Int) throws {
    let history = HistoryGenerator.history(seed: seed)
    let whole = AnalysisPipeline(history: history).run()
    guard !whole.diagnostics.hasErrors else { return }
    let forms = CloudRecords(whole).records.flatMap(\.forms)
    for count in 1...history.count {
      let part = CloudRecords(AnalysisPipeline(history: Array(history.prefix(count))).run()).records
      for record in part {
        let then = record.current
        for form in forms where form.recordType == then.recordType {
          if form.version == then.version {
            #expect(form.index >= then.index)
            #expect(form.fields.map(\.key) == then.fields.map(\.key))
          } else {
            #expect((form.version < then.version) == (form.index < then.index))
          }
        }
      }
    }
    var kinds: [String: String] = [:]
    for form in forms {
      for field in form.fields where !field.isAbsent {
        let place = "\(form.recordType).\(field.key)"
        let kind = kinds.updateValue(field.recordKind, forKey: place)
        #expect(kind == nil || kind == field.recordKind, "\(place)")
      }
    }
  }
}
