import SchemaModel
import Testing

@testable import SchemaManifest

/// Each kind of mistake: its rule, place and help.
@Suite struct BadManifestTests {
  private func check(_ bad: BadManifest) throws {
    try bad.check(ManifestReader().read(SourceFile(path: "V1.yaml", text: bad.text)).diagnostics)
  }

  @Test(arguments: BadManifest.topLevel)
  func topLevel(_ bad: BadManifest) throws { try check(bad) }

  @Test(arguments: BadManifest.models)
  func models(_ bad: BadManifest) throws { try check(bad) }

  @Test(arguments: BadManifest.names)
  func names(_ bad: BadManifest) throws { try check(bad) }

  @Test(arguments: BadManifest.typesAndExpressions)
  func typesAndExpressions(_ bad: BadManifest) throws { try check(bad) }

  @Test(arguments: BadManifest.attributes)
  func attributes(_ bad: BadManifest) throws { try check(bad) }

  @Test(arguments: BadManifest.literals)
  func literals(_ bad: BadManifest) throws { try check(bad) }

  /// Values that may be right are left to the compiler.
  @Test(arguments: [
    "Int = -1", "Int = 0x1F", "Int64 = 1_000", "Double = 1", "Double = 1e-3", "Decimal = 2.5",
    "String = \"\"",
    "Int? = nil", "Bool = false", "Own = \"x\"", "Own = 3", "Own = nil",
    "URL? = URL(string: \"x\")",
    "String = \"a\" + \"b\"", "Int = \"x\".count", "Date = Date.now", "Data = Data()",
    "URL = \"https://example.com\"",
  ])
  func literalsThatMayBeRight(_ property: String) {
    let text = """
      version: 1.0.0
      models: { M: { properties: { a: '\(property)' } } }
      types: { Own: { opaque: true } }
      """
    let found = ManifestReader().read(SourceFile(path: "V1.yaml", text: text)).diagnostics
    #expect(!found.hasErrors, "\(found)")
  }

  @Test(arguments: BadManifest.relationships)
  func relationships(_ bad: BadManifest) throws { try check(bad) }

  @Test(arguments: BadManifest.steps)
  func steps(_ bad: BadManifest) throws { try check(bad) }

  @Test(arguments: BadManifest.valueTypes)
  func valueTypes(_ bad: BadManifest) throws { try check(bad) }

  @Test func everyProblemInOneRun() {
    let text = """
      version: 1.0.0
      models:
        A:
          properties:
            self: Int
            b: Strng
            c: { type: Int, unique: yes, colour: red }
            d: { relationship: Z }
          index: [[e]]
        A: { properties: {} }
      """
    let diagnostics = ManifestReader().read(SourceFile(path: "V1.yaml", text: text)).diagnostics
    #expect(
      diagnostics.map(\.rule.id) == [
        "reserved-name", "unknown-type", "wrong-value", "unknown-key", "unknown-model",
        "unknown-property", "duplicate-key",
      ])
    #expect(
      diagnostics.map(\.element) == ["A.self", "A.b", "A.c", "A.c", "A.d", "A", nil])
    #expect(diagnostics == diagnostics.reportOrder)
  }

  @Test func missingNumberHidesNothing() {
    let text = "models: { A: { properties: { b: Strng } } }\n"
    let (version, diagnostics) = ManifestReader().read(SourceFile(path: "V1.yaml", text: text))
    #expect(version == nil)
    #expect(diagnostics.map(\.rule.id) == ["missing-key", "unknown-type"])
  }

  @Test func whatCouldNotBeReadIsNotMissingToo() {
    let text = """
      version: 1.0.0
      models:
        A:
          properties:
            b: (Int)
            c: T
          index: [[b]]
      types:
        T: { enum: Date, cases: [a] }
      """
    let diagnostics = ManifestReader().read(SourceFile(path: "V1.yaml", text: text)).diagnostics
    #expect(diagnostics.map(\.rule.id) == ["invalid-type", "wrong-value"])
  }

  @Test func circleIsReportedOnce() {
    let text = """
      version: 1.0.0
      models:
        A: { inherits: B, properties: {} }
        B: { inherits: C, properties: {} }
        C: { inherits: A, properties: {} }
        D: { inherits: A, properties: {} }
      """
    let diagnostics = ManifestReader().read(SourceFile(path: "V1.yaml", text: text)).diagnostics
    #expect(diagnostics.map(\.rule.id) == ["circular-inheritance"])
    #expect(diagnostics.first?.message.contains("A → B → C → A") == true)
  }

  @Test func inheritedPropertiesClash() {
    let text = """
      version: 1.0.0
      models:
        A: { properties: { name: Int } }
        B: { inherits: A, properties: { name: Int, other: Int } }
        C: { inherits: B, properties: { OTHER: Int }, index: [[name, other]] }
      """
    let diagnostics = ManifestReader().read(SourceFile(path: "V1.yaml", text: text)).diagnostics
    #expect(diagnostics.map(\.rule.id) == ["duplicate-name", "duplicate-name"])
    #expect(diagnostics.map(\.location?.line) == [4, 5])
  }
}
