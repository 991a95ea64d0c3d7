import Testing

@testable import SchemaManifest
@testable import SchemaModel

/// `extends:` in `schemagen.yaml`: a configuration that several apps share.
@Suite struct ConfigurationExtendsTests {
  /// Reads `App/schemagen.yaml` among files with the paths that `extends:` names.
  private func read(
    _ text: String, _ others: [String: String] = [:]
  ) -> (configuration: Configuration, diagnostics: [Diagnostic]) {
    let file = SourceFile(path: "schemagen.yaml", text: text)
    var bases = ConfigurationBases()
    var open = [file]
    while let file = open.popLast() {
      for text in ConfigurationReader.links(in: file) {
        bases.paths[ConfigurationBases.Link(file: file.path, text: text)] = text
        guard bases.contents[text] == nil else { continue }
        if let other = others[text] {
          let base = SourceFile(path: text, text: other)
          bases.contents[text] = .file(base)
          open.append(base)
        } else {
          bases.contents[text] = .unreadable("there is no such file")
        }
      }
    }
    return ConfigurationReader().read(file, bases: bases)
  }

  private func lines(_ diagnostics: [Diagnostic]) -> [String] {
    diagnostics.map { finding in
      let place = finding.location
      return "\(place?.file ?? "-"):\(place?.line ?? 0): \(finding.message)"
    }
  }

  @Test("A configuration file overrides its bases, and a later base overrides an earlier one")
  func merging() {
    let (configuration, diagnostics) = read(
      """
      extends: [one.yaml, two.yaml]
      policy: standard
      platforms: { macOS: 15 }
      imports: [Own]
      rules: { shared-default: note }
      """,
      [
        "one.yaml": """
        policy: strict
        access: public
        batchSize: 100
        platforms: { iOS: 26, macOS: 14 }
        imports: [Kit, Core]
        extras: [debugReport]
        names: { plan: OnePlan, schema: "One{version}" }
        rules: { shared-default: error, version-gap: error }
        """,
        "two.yaml": """
        extends: three.yaml
        batchSize: 200
        names: { plan: TwoPlan }
        """,
        "three.yaml": "access: package\nbatchSize: 300\ncloudKit: private\n",
      ])
    #expect(diagnostics == [])
    var names = NamePatterns(schema: "One{version}")
    names.plan = "TwoPlan"
    #expect(
      configuration
        == Configuration(
          access: .package, policy: .standard, cloudKit: .private,
          platforms: [.iOS: 26, .macOS: 15], names: names, imports: ["Own"], batchSize: 200,
          extras: [.debugReport],
          rules: ["shared-default": Located(.note), "version-gap": Located(.error)]))
    #expect(configuration.rules["version-gap"]?.location?.file == "one.yaml")
    #expect(configuration.rules["shared-default"]?.location?.file == "schemagen.yaml")
  }

  @Test("A configuration whose bases are not followed is read on its own")
  func unfollowed() {
    let file = SourceFile(path: "schemagen.yaml", text: "extends: none.yaml\nowned: Mine\n")
    let (configuration, diagnostics) = ConfigurationReader().read(file)
    #expect(diagnostics == [] && configuration.owned == "Mine")
  }

  @Test("A mistake in a shared base of configurations is reported once, at its place")
  func places() {
    let (_, diagnostics) = read(
      "extends: [left.yaml, right.yaml]\n",
      [
        "left.yaml": "extends: base.yaml\n", "right.yaml": "extends: base.yaml\n",
        "base.yaml": "policy: strict\naccess: everyone\nacess: public\n",
      ])
    #expect(diagnostics.count == 2, "\(lines(diagnostics))")
    #expect(diagnostics.allSatisfy { $0.location?.file == "base.yaml" && $0.severity == .error })
    #expect(diagnostics.map(\.location?.line) == [2, 3])
  }

  @Test("Keys for a single app are refused in a base of configurations")
  func appKeys() {
    let keys = ["output", "owned", "tests", "module", "documentation", "stores", "templates"]
    let (configuration, diagnostics) = read(
      "extends: base.yaml\n",
      ["base.yaml": keys.map { "\($0): Other\n" }.joined()])
    #expect(
      lines(diagnostics)
        == keys.enumerated().map { line, key in
          "base.yaml:\(line + 1): '\(key)' is for one app: a configuration that others extend cannot have it"
        })
    #expect(diagnostics.allSatisfy { $0.help.first?.contains("of each app") == true })
    #expect(configuration == Configuration())
  }

  @Test(
    "A file that no configuration can extend is refused",
    arguments: [
      ("extends: gone.yaml", "'gone.yaml' cannot be extended: there is no such file"),
      (
        "extends: https://example.org/policy.yaml",
        "'extends' takes a path, but 'https://example.org/policy.yaml' is a URL"
      ),
      (
        "extends: git@example.org:policy.git",
        "'extends' takes a path, but 'git@example.org:policy.git' is a URL"
      ),
      ("extends: /etc/policy.yaml", "'/etc/policy.yaml' is not a relative path"),
      ("extends: ~/policy.yaml", "'~/policy.yaml' is not a relative path"),
      ("extends:", "'extends' has no value"),
      ("extends: { file: base.yaml }", "expected text for 'extends', found a mapping"),
      ("extends: [[base.yaml]]", "expected text for 'extends', found a list"),
      (
        "extends: schemagen.yaml",
        "'extends' leads in a circle: schemagen.yaml → schemagen.yaml"
      ),
      ("extends: list.yaml", "expected a mapping for the configuration, found a list"),
      ("extends: text.yaml", "expected a mapping for the configuration, found text"),
    ])
  func refused(_ text: String, _ message: String) {
    let (_, diagnostics) = read(
      text + "\n",
      [
        "list.yaml": "- policy\n", "text.yaml": "strict\n", "schemagen.yaml": text,
        "base.yaml": "policy: strict\n",
      ])
    #expect(diagnostics.map(\.message) == [message])
    #expect(diagnostics.allSatisfy { $0.severity == .error })
  }

  @Test("A cycle of configurations is reported where it closes")
  func circle() {
    let (configuration, diagnostics) = read(
      "extends: a.yaml\naccess: public\n",
      ["a.yaml": "extends: b.yaml\npolicy: strict\n", "b.yaml": "extends: a.yaml\n"])
    #expect(
      lines(diagnostics) == ["b.yaml:1: 'extends' leads in a circle: a.yaml → b.yaml → a.yaml"])
    #expect(configuration.access == .public && configuration.policy == .strict)
  }

  @Test("A base that configurations reach on many paths is read once")
  func diamonds() {
    var others: [String: String] = ["60.yaml": "policy: strict\n"]
    for level in 0..<60 {
      others["\(level).yaml"] = "extends: [\(level + 1).yaml, \(level + 1).yaml]\n"
    }
    let (configuration, diagnostics) = read("extends: 0.yaml\n", others)
    #expect(diagnostics == [] && configuration.policy == .strict)
  }
}
