import Foundation
import SchemaModel
import Testing

@testable import SchemaReporting

/// Properties of each format beyond its recorded file.
@Suite struct ReporterTests {
  private static let rule = Examples.missingDefault

  private func report(
    _ findings: [Diagnostic], rules: [RuleDescription] = [], sources: [String: String] = [:],
    accepted: [SilencedFinding] = [], failsAt: Diagnostic.Severity = .error
  ) -> Report {
    Report(
      findings: findings, rules: rules, sources: sources, toolVersion: "1.2.3",
      workingDirectory: "/home/me/app", accepted: accepted, failsAt: failsAt)
  }

  private func finding(
    _ message: String = "m", _ severity: Diagnostic.Severity = .error, element: String? = nil,
    file: String = "V1.yaml", line: Int = 1, column: Int = 1, length: Int = 1
  ) -> Diagnostic {
    Diagnostic(
      Self.rule, message, element: element,
      at: SourceLocation(file: file, line: line, column: column, length: length),
      severity: severity)
  }

  private func sarifResults(_ report: Report) throws -> [[String: Any]] {
    let root = try #require(ReadBack.json(report.render(.sarif)) as? [String: Any])
    let run = try #require((root["runs"] as? [[String: Any]])?.first)
    return try #require(run["results"] as? [[String: Any]])
  }

  // MARK: Keys and fingerprints

  @Test(arguments: [
    (Optional("A.b"), Optional("Schemas/V1.yaml"), "missing-default A.b"),
    (nil, "Schemas/V1.yaml", "missing-default V1.yaml"),
    ("A.b", nil, "missing-default A.b"),
    (nil, nil, "missing-default"),
  ])
  func key(_ element: String?, _ file: String?, _ key: String) {
    let place = file.map { SourceLocation(file: $0, line: 7) }
    #expect(Diagnostic(Self.rule, "m", element: element, at: place).key == key)
  }

  @Test("A fingerprint stays the same if a finding moves or is reworded")
  func fingerprintsStay() throws {
    func prints(_ findings: [Diagnostic]) throws -> [String] {
      let issues = ReadBack.json(report(findings).render(.gitlab)) as? [[String: Any]]
      return try #require(issues).compactMap { $0["fingerprint"] as? String }
    }
    let old = try prints([
      finding("one", element: "A.b", line: 1), finding("two", element: "A.b", line: 2),
      finding("three", element: "A.c", line: 3),
    ])
    let new = try prints([
      finding("other", element: "A.b", line: 11), finding("words", element: "A.b", line: 12),
      finding("three", element: "A.c", line: 13),
    ])
    #expect(old == new)
    #expect(Set(old).count == 3)
    #expect(try prints([finding(element: "A.b", file: "V2.yaml")]) != [old[0]])
    #expect(try prints([finding(element: "A.b", file: "./V1.yaml")]) == [old[0]])
  }

  // MARK: Paths

  @Test(arguments: [
    ("V1.yaml", "/home/me/app/V1.yaml", "V1.yaml"),
    ("./a/../V1.yaml", "/home/me/app/V1.yaml", "V1.yaml"),
    ("/home/me/app/S/V1.yaml", "/home/me/app/S/V1.yaml", "S/V1.yaml"),
    (
      "/home/me/application/V1.yaml", "/home/me/application/V1.yaml", "/home/me/application/V1.yaml"
    ),
    ("../V1.yaml", "/home/me/V1.yaml", "../V1.yaml"),
  ])
  func paths(_ path: String, _ absolute: String, _ relative: String) {
    let report = report([finding(file: path)])
    #expect(report.render(.xcode).hasPrefix(absolute + ":1:1: error: m [missing-default]"))
    #expect(report.render(.github).contains("file=\(relative),"))
  }

  @Test(
    "A finding without a file is reported at the configuration if the format needs a file",
    arguments: [
      (["S/V1.yaml", "S/schemagen.yaml"], "S/schemagen.yaml"), (["V2.yaml", "V1.yaml"], "V1.yaml"),
      ([], "schemagen.yaml"),
    ])
  func fileForAll(_ files: [String], _ file: String) throws {
    let sources = Dictionary(uniqueKeysWithValues: files.map { ($0, "a\n") })
    let report = report([Diagnostic(Self.rule, "m", at: nil)], sources: sources)
    #expect(report.render(.gitlab).contains("\"path\" : \"\(file)\""))
    #expect(report.render(.sarif).contains("\"uri\" : \"\(file)\""))
  }

  // MARK: SARIF

  @Test(
    "Columns are counted in UTF-16 units",
    arguments: [
      ("abc def", 5, 3, 5, Optional(8)),
      ("🎉 abc", 3, 3, 4, 7),
      ("\t🇩🇪é abc", 6, 3, 8, 11),
      // A family is five scalars and eight UTF-16 units.
      ("👩‍👩‍👧 abc", 7, 3, 10, 13),
      ("abc 🎉🎉", 5, 2, 5, 9),
      // A range beyond the line's end stops at its end.
      ("abc", 2, 99, 2, 4),
      ("abc", 4, 1, 4, nil),
      ("abc", 99, 1, 4, nil),
    ])
  func columns(_ line: String, _ column: Int, _ length: Int, _ start: Int, _ end: Int?) throws {
    for (lineBreak, mark) in [("\n", ""), ("\r\n", ""), ("\n", "\u{FEFF}")] {
      let source = mark + line + lineBreak + line
      for number in [1, 2] {
        let results = try sarifResults(
          report(
            [finding(line: number, column: column, length: length)], sources: ["V1.yaml": source]))
        let region = try #require(self.region(results[0]))
        #expect(region["startLine"] as? Int == number)
        #expect(region["startColumn"] as? Int == start)
        #expect(region["endColumn"] as? Int == end)
      }
    }
  }

  private func region(_ result: [String: Any]) -> [String: Any]? {
    let location = (result["locations"] as? [[String: Any]])?.first
    return (location?["physicalLocation"] as? [String: Any])?["region"] as? [String: Any]
  }

  @Test("A finding has no column if the source is missing or too short")
  func noColumns() throws {
    let results = try sarifResults(
      report(
        [finding(file: "A.yaml", line: 3, column: 5), finding(line: 9, column: 5)],
        sources: ["V1.yaml": "a\n"]))
    #expect(results.compactMap { region($0)?.keys.sorted() } == [["startLine"], ["startLine"]])
    #expect(
      results.compactMap { ($0["partialFingerprints"] as? [String: String])?.keys.sorted() }
        == [["schemagenElement/v1"], ["schemagenElement/v1"]])
  }

  @Test("All SARIF results have a suppression state if one of them does")
  func suppressions() throws {
    let accepted = SilencedFinding(finding("accepted", line: 5), reason: "why not")
    #expect(try sarifResults(report([finding()])).allSatisfy { $0["suppressions"] == nil })
    let results = try sarifResults(report([finding()], accepted: [accepted]))
    let suppressions = results.map { $0["suppressions"] as? [[String: String]] }
    #expect(suppressions == [[], [["kind": "inSource", "justification": "why not"]]])
  }

  @Test("A SARIF result's rule index leads to its rule, even without a description")
  func ruleIndexes() throws {
    let root = try #require(ReadBack.json(Examples.full.render(.sarif)) as? [String: Any])
    let run = try #require((root["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    let rules = try #require(driver["rules"] as? [[String: Any]])
    let results = try #require(run["results"] as? [[String: Any]])
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
    }
    #expect(rules.count == 4)
    #expect(
      rules.compactMap { $0["helpUri"] as? String } == ["https://example.org/rules/missing-default"]
    )
  }

  // MARK: The others

  @Test("The gravest findings come first, since GitHub shows only ten")
  func gravestFirst() throws {
    let commands = try #require(
      ReadBack.commands(
        report([
          finding("m", .note, line: 1), finding("m", .warning, line: 2), finding(line: 3),
          finding("m", .note, line: 4), finding(line: 5),
        ]).render(.github)))
    #expect(commands.map(\.name) == ["error", "error", "warning", "notice", "notice"])
    #expect(commands.map { $0.properties["line"] } == ["3", "5", "2", "1", "4"])
  }

  @Test(
    "A finding at or above the threshold is a JUnit failure",
    arguments: [(Diagnostic.Severity.error, 1), (.warning, 2), (.note, 3)])
  func failures(_ threshold: Diagnostic.Severity, _ count: Int) throws {
    let findings = Diagnostic.Severity.allCases.map { finding("m", $0) }
    let elements = try #require(
      ReadBack.xml(report(findings, failsAt: threshold).render(.junit)))
    #expect(elements.count { $0.name == "failure" } == count)
    #expect(elements.count { $0.name == "system-out" } == 3 - count)
    for name in ["testsuites", "testsuite"] {
      let element = try #require(elements.first { $0.name == name })
      #expect(element.attributes["tests"] == "3")
      #expect(element.attributes["failures"] == "\(count)")
    }
    let names = elements.compactMap { $0.name == "testcase" ? $0.attributes["name"] : nil }
    #expect(names == ["missing-default_1_1", "missing-default_1_1_2", "missing-default_1_1_3"])
  }

  @Test("A clean run has one passing JUnit test")
  func cleanRun() throws {
    let elements = try #require(ReadBack.xml(Examples.clean.render(.junit)))
    #expect(elements.map(\.name) == ["testsuites", "testsuite", "testcase"])
    #expect(elements[0].attributes["failures"] == "0")
  }

  @Test("A GitHub summary stays below the limit and says what was left out")
  func markdownLimit() {
    let findings = (1...500).map { line in
      Diagnostic(
        Self.rule, "message \(line)", at: SourceLocation(file: "V1.yaml", line: line),
        help: ["do this"])
    }
    let whole = report(findings).markdown()
    #expect(!whole.contains("Left out"))
    for limit in [2_000, 20_000, whole.utf8.count - 1] {
      let text = report(findings).markdown(limit: limit)
      #expect(text.utf8.count <= limit)
      #expect(text.contains("explanations.** A text report shows all of them.\n"))
      #expect(text.contains("<details>") == text.contains("</details>"))
    }
    let small = report(findings).markdown(limit: 2_000)
    let rows = small.split(separator: "\n").count { $0.hasPrefix("| ❌") }
    #expect(small.contains("**Left out: \(500 - rows) of 500 findings, 500 of 500 explanations.**"))
  }

  @Test("A GitHub summary has at most a mebibyte")
  func markdownIsSmall() {
    let text = String(repeating: "x", count: 5_000)
    let findings = (1...400).map { finding(text, line: $0) }
    #expect(report(findings).render(.markdown).utf8.count <= 1_048_576)
  }

  @Test("Accepted findings are counted in the summary line only")
  func acceptedCount() {
    let accepted = [
      SilencedFinding(finding("old"), reason: "why"),
      SilencedFinding(finding("older"), reason: "why"),
    ]
    #expect(report([], accepted: accepted).render(.text) == "2 accepted\n")
    #expect(
      report([finding()], accepted: accepted).render(.text).hasSuffix("\n1 error, 2 accepted\n"))
    for format in [ReportFormat.xcode, .github, .gitlab, .junit] {
      #expect(report([], accepted: accepted).render(format) == report([]).render(format))
    }
  }

  @Test("A report does not depend on the order of its input", arguments: ReportFormat.allCases)
  func isDeterministic(_ format: ReportFormat) {
    let other = Report(
      findings: Examples.findings.reversed(), rules: Examples.rules.reversed(),
      sources: Examples.sources, toolVersion: "0.1.0", workingDirectory: "/home/me/app/",
      accepted: Examples.full.accepted)
    #expect(other.render(format) == Examples.full.render(format))
  }

  @Test("Only Xcode's report contains absolute paths", arguments: ReportFormat.allCases)
  func hasNoPath(_ format: ReportFormat) {
    #expect(Examples.full.render(format).contains("/home/me") == (format == .xcode))
  }

  @Test("Only text reports are coloured", arguments: ReportFormat.allCases)
  func color(_ format: ReportFormat) {
    let report = Report(
      findings: [finding()], rules: [], sources: [:], toolVersion: "1.2.3",
      workingDirectory: "/", terminal: TerminalText(usesColor: true))
    #expect(report.render(format).contains("\u{1B}[") == (format == .text))
  }
}
