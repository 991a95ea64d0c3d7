import Testing

@testable import SchemaManifest
@testable import SchemaModel

@Suite struct ConfigurationReaderTests {
  private func read(_ text: String) -> (configuration: Configuration, diagnostics: [Diagnostic]) {
    ConfigurationReader().read(SourceFile(path: "schemagen.yaml", text: text))
  }

  @Test(arguments: ["", "# nothing\n", "{}\n"])
  func nothingLeavesDefaults(_ text: String) {
    let (configuration, diagnostics) = read(text)
    #expect(diagnostics == [])
    #expect(configuration == Configuration())
  }

  @Test func everyKey() {
    let (configuration, diagnostics) = read(
      """
      output: ../Generated
      owned: /tmp/Owned
      tests: Tests
      module: App
      documentation: none
      stores: ../Tests/Stores
      templates: Templates
      access: package
      policy: strict
      entities: own
      converters: both
      cloudKit: private
      platforms: { iOS: 26, macOS: 15 }
      imports: [Core, Kit]
      batchSize: 100000
      extras: [jsonImport, cloudMappers, fixtures, debugReport, migrationKit]
      names:
        schema: HabittoSchemaV{version}
        bridge: Bridge{from}To{to}
        plan: Plan
        activeSchema: Active
        active: Current{model}
        alias: "{model}Of{version}"
      rules: { shared-default: off, version-gap: error }
      """)
    #expect(diagnostics == [])
    #expect(
      configuration
        == Configuration(
          output: "../Generated", owned: "/tmp/Owned", tests: "Tests", documentation: nil,
          stores: "../Tests/Stores", templates: "Templates", access: .package, policy: .strict,
          entities: .own,
          converters: .both, cloudKit: .private, platforms: [.iOS: 26, .macOS: 15],
          names: NamePatterns(
            schema: "HabittoSchemaV{version}", bridge: "Bridge{from}To{to}", plan: "Plan",
            activeSchema: "Active", active: "Current{model}", alias: "{model}Of{version}"),
          imports: ["Core", "Kit"], module: "App", batchSize: 100_000,
          extras: Set(Configuration.Extra.allCases),
          rules: ["shared-default": Located(.off), "version-gap": Located(.error)]))
    #expect(
      configuration.rules["version-gap"]?.location
        == SourceLocation(file: "schemagen.yaml", line: 24, column: 31, length: 11))
  }

  /// One export, several, or one for each container; each is written as it was read.
  @Test(arguments: [
    ("a.ckdb", [Configuration.Cloud.Production("a.ckdb")]),
    ("[a.ckdb, b.ckdb]", [.init("a.ckdb"), .init("b.ckdb")]),
    (
      "{ iCloud.com.example.A: a.ckdb, iCloud.com.example.B: b.ckdb }",
      [.init("a.ckdb", of: "iCloud.com.example.A"), .init("b.ckdb", of: "iCloud.com.example.B")]
    ),
  ])
  func production(_ text: String, _ expected: [Configuration.Cloud.Production]) {
    let (configuration, diagnostics) = read("cloudKit: private\ncloud: { production: \(text) }\n")
    #expect(diagnostics == [])
    #expect(configuration.cloud.production == expected)
    #expect(read(ConfigurationText(configuration).text).configuration == configuration)
  }

  @Test(arguments: [
    BadManifest(
      "cloudKit: private\ncloud: { production: [a, a] }", "duplicate-name", 2, 22, "twice"),
    BadManifest(
      "cloudKit: private\ncloud: { production: { com.example: a } }", "wrong-value", 2, 24,
      "is not a CloudKit container"),
    BadManifest("[]", "wrong-value", 1, 1, "found a list"),
    BadManifest("outptu: a", "unknown-key", 1, 1, "'output'"),
    BadManifest("output: ''", "wrong-value", 1, 9, "no value"),
    BadManifest("output: ' '", "wrong-value", 1, 10, "no value"),
    BadManifest("output: \"a\\0b\"", "hidden-character", 1, 9, "U+0000"),
    BadManifest("output: a\u{200E}b", "hidden-character", 1, 10, "U+200E"),
    BadManifest("output: ./a/../Migrations/", "conflicting-keys", 1, 9, "same folder"),
    BadManifest("output: a\nowned: a/./", "conflicting-keys", 2, 8, "same folder"),
    BadManifest("access: pubic", "wrong-value", 1, 9, "'public'"),
    BadManifest("policy: loose", "wrong-value", 1, 9, "standard, inferred, strict"),
    BadManifest("entities: Own", "wrong-value", 1, 11, "'own'"),
    BadManifest("converters: bot", "wrong-value", 1, 13, "'both'"),
    BadManifest("platforms: { iOS: 16 }", "wrong-value", 1, 19, "17 to 99"),
    BadManifest("platforms: { ios: 17 }", "unknown-key", 1, 14, "'iOS'"),
    BadManifest("cloudKit: true", "wrong-value", 1, 11, "private"),
    BadManifest("imports: Core", "wrong-value", 1, 10, "expected a list"),
    BadManifest("imports: [A, 'B; x']", "invalid-name", 1, 15, "'B; x'"),
    BadManifest("imports: [A, A]", "duplicate-name", 1, 14, "twice"),
    BadManifest("module: a-b", "invalid-name", 1, 9, "'a-b'"),
    BadManifest("batchSize: 0", "wrong-value", 1, 12, "1 to 100000"),
    BadManifest("batchSize: 100001", "wrong-value", 1, 12, "1 to 100000"),
    BadManifest("batchSize: 99999999999999999999", "wrong-value", 1, 12, "whole number"),
    BadManifest("extras: cloudMappers", "wrong-value", 1, 9, "expected a list"),
    BadManifest("extras: [cloudMapers]", "wrong-value", 1, 10, "'cloudMappers'"),
    BadManifest("extras: [debugReport, debugReport]", "duplicate-name", 1, 23, "twice"),
    BadManifest("extras: [fixtures]", "conflicting-keys", 1, 10, "names none"),
    BadManifest(
      "converters: toEntity\nextras: [jsonImport]", "conflicting-keys", 2, 10, "'toEntity'"),
    BadManifest("converters: none\nextras: [cloudMappers]", "conflicting-keys", 2, 10, "'none'"),
    BadManifest("rules: { a: loud }", "wrong-value", 1, 13, "off, note"),
    BadManifest("names: { schem: A }", "unknown-key", 1, 10, "'schema'"),
    BadManifest("names: { schema: Schema }", "wrong-value", 1, 18, "'{version}' is missing"),
    BadManifest("names: { schema: 'S{versoin}' }", "wrong-value", 1, 19, "'version'"),
    BadManifest("names: { bridge: 'S{from}' }", "wrong-value", 1, 19, "'{to}' is missing"),
    BadManifest("names: { plan: 'P{version}' }", "wrong-value", 1, 17, "no placeholders"),
    BadManifest("names: { active: 'A {model}' }", "invalid-name", 1, 19, "letter"),
    BadManifest("names: { active: 'A{{model}' }", "wrong-value", 1, 19, "'{{model}'"),
    BadManifest("names: { plan: Model }", "reserved-name", 1, 16, "'Model'"),
    BadManifest("names: { plan: A, activeSchema: A }", "conflicting-keys", 1, 16, "same name"),
    BadManifest("names: { active: {model} }", "wrong-value", 1, 18, "quotes"),
  ])
  func reportsWithPlaceAndReason(_ bad: BadManifest) throws {
    try bad.check(read(bad.text).diagnostics)
  }
}
