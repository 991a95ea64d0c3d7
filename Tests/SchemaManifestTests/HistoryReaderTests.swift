import SchemaModel
import Testing

@testable import SchemaManifest

@Suite struct HistoryReaderTests {
  private static func manifest(
    _ name: String, _ version: String, models: String = "M: { properties: { a: Int } }",
    _ more: String = ""
  ) -> SourceFile {
    SourceFile(
      path: "Schemas/\(name)",
      text: "version: \(version)\nmodels: { \(models) }\n\(more)\n")
  }

  private static func rules(_ history: History) -> [String] {
    history.diagnostics.map(\.rule.id)
  }

  @Test func versionsAscendWhateverTheOrderOfFiles() {
    let files = [
      Self.manifest("V10.yaml", "10.0.0"), Self.manifest("V9.yaml", "9.0.0"),
      Self.manifest("V9_1.yml", "9.1.0"), Self.manifest("V9.1.1.yaml", "9.1.1"),
      SourceFile(path: "Schemas/schemagen.yaml", text: "access: internal\n"),
    ]
    let history = HistoryReader().read(files)
    #expect(history.diagnostics == [])
    #expect(history.versions.map(\.number.label) == ["9", "9_1", "9_1_1", "10"])
    #expect(history.configuration.access == .internal)
    let reversed = HistoryReader().read(files.reversed())
    #expect(reversed.versions == history.versions)
  }

  @Test func thereMustBeAManifest() {
    let history = HistoryReader().read([SourceFile(path: "schemagen.yaml", text: "")])
    #expect(Self.rules(history) == ["no-manifests"])
    #expect(history.configuration == Configuration())
  }

  @Test(arguments: [
    ("v1.yaml", "1.0.0", "V1.yaml"), ("1.yaml", "1.0.0", "V1.yaml"),
    ("Schema.yaml", "1.1.0", "V1.1.yaml"), ("V1.yaml.bak", "1.0.0", "V1.yaml"),
    ("SchemaV3.yaml", "x", "V3.yaml"), ("V.yaml", "x", "V1.yaml"),
  ])
  func fileNames(_ name: String, _ version: String, _ help: String) throws {
    let history = HistoryReader().read([Self.manifest(name, version)])
    let found = try #require(history.diagnostics.first { $0.rule == .fileName })
    #expect(found.location == SourceLocation(file: "Schemas/\(name)"))
    #expect(found.help.joined().contains(help), "\(found.help)")
  }

  @Test func nameAndVersionDisagree() throws {
    let history = HistoryReader().read([Self.manifest("V1.yaml", "2.0.0")])
    #expect(Self.rules(history) == ["version-mismatch"])
    #expect(history.diagnostics[0].help == ["rename it to V2.yaml, or write 'version: 1.0.0'"])
  }

  @Test(arguments: [false, true]) func oneVersionTwice(_ isReversed: Bool) {
    let files = [Self.manifest("V1.yaml", "1.0.0"), Self.manifest("V1_0.yaml", "1.0.0")]
    let history = HistoryReader().read(isReversed ? files.reversed() : files)
    #expect(Self.rules(history) == ["duplicate-version"])
    #expect(history.diagnostics[0].location?.file == "Schemas/V1_0.yaml")
    #expect(history.diagnostics[0].related.map(\.location.file) == ["Schemas/V1.yaml"])
    #expect(history.versions.count == 1)
  }

  @Test func versionsDoNotDecrease() {
    let history = HistoryReader().read([
      Self.manifest("V1.yaml", "2.0.0"), Self.manifest("V2.yaml", "1.0.0"),
    ])
    #expect(Self.rules(history) == ["version-mismatch", "version-mismatch", "version-order"])
    #expect(history.diagnostics[2].location?.file == "Schemas/V2.yaml")
  }

  @Test func versionsLeaveNoGap() {
    let history = HistoryReader().read([
      Self.manifest("V1.yaml", "1.0.0"), Self.manifest("V3.yaml", "3.0.0"),
    ])
    #expect(Self.rules(history) == ["version-gap"])
    #expect(history.diagnostics[0].rule.isAcceptable)
    #expect(history.diagnostics[0].element == "V3")
    #expect(history.diagnostics[0].help[0].contains("1.0.1, 1.1.0, 2.0.0"))
  }

  /// A manifest that cannot be read is one finding, and not also a gap or another first version.
  @Test func brokenManifestLeavesNoGap() {
    let history = HistoryReader().read([
      SourceFile(path: "V1.yaml", text: "\tx"),
      Self.manifest(
        "V2.yaml", "2.0.0", models: "M: { properties: { a: { type: Int, renamedFrom: b } } }"),
      SourceFile(path: "V3.yaml", text: ""), Self.manifest("V4.yaml", "4.0.0"),
    ])
    #expect(Self.rules(history) == ["yaml-syntax", "empty-file"])
  }

  @Test(arguments: [
    ("M: { properties: { a: { type: Int, renamedFrom: b } } }", "", 1),
    ("M: { properties: { a: { type: Int, from: b, convert: $0 } } }", "", 2),
    ("M: { properties: { a: { type: Int, from: b, convert: $0, revert: $0 } } }", "", 3),
    ("M: { properties: { a: { type: Int, fill: '1' } } }", "", 1),
    ("M: { properties: { a: { type: Int, unique: true, dedupe: { latest: a } } } }", "", 1),
    ("M: { properties: { a: Int }, unique: [{ keys: [a], dedupe: { latest: a } }] }", "", 1),
    ("M: { properties: { a: Int }, from: N }", "", 1),
    ("M: { properties: { a: Int }, renamedFrom: N }", "", 1),
    ("M: { properties: { a: Int } }", "drops: { M.x: gone }", 1),
    ("M: { properties: { a: Int } }", "hooks: [after]", 1),
    ("M: { properties: { a: Int } }", "expect: [no M without a]", 1),
    (
      "M: { properties: { a: T } }",
      "types: { T: { enum: String, cases: [a: { renamedFrom: b }] } }", 1
    ),
  ])
  func stepKeysNeedAStep(_ models: String, _ more: String, _ count: Int) {
    let first = Self.manifest("V1.yaml", "1.0.0", models: models, more)
    #expect(
      Self.rules(HistoryReader().read([first]))
        == Array(repeating: "step-key-in-first-version", count: count))
    let second = Self.manifest("V2.yaml", "2.0.0", models: models, more)
    let before = Self.manifest("V1.yaml", "1.0.0")
    #expect(HistoryReader().read([before, second]).diagnostics == [])
  }

  /// In stores older than the first manifest, only a property can have another name.
  @Test(arguments: [
    ("M: { properties: { a: { type: Int, renamedFrom: b } } }", "", "originalName"),
    ("M: { renamedFrom: N, properties: { a: Int } }", "", "delete this key"),
    (
      "M: { properties: { a: K? } }",
      "types: { K: { enum: String, cases: [x: { renamedFrom: y }] } }", "raw value"
    ),
  ]) func oldNamesInTheFirstVersion(_ models: String, _ more: String, _ help: String) {
    let first = Self.manifest("V1.yaml", "1.0.0", models: models, more)
    let found = HistoryReader().read([first]).diagnostics
    #expect(found.count == 1 && found[0].help.count == 1)
    #expect(found[0].help[0].contains(help))
    #expect(found[0].help[0].contains("originalName") == (help == "originalName"))
  }

  @Test func manyFilesGiveOneResult() {
    let files = (1...60).map {
      Self.manifest(
        "V\($0).yaml", "\($0).0.0", models: "M: { properties: { a: Strin\($0) } }")
    }
    let first = HistoryReader().read(files)
    #expect(first.diagnostics.count == 60)
    for _ in 0..<5 {
      let again = HistoryReader().read(files.shuffled())
      #expect(again.diagnostics == first.diagnostics)
      #expect(again.versions == first.versions)
    }
  }
}
