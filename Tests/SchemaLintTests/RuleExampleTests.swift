import Foundation
import SchemaEvolution
import SchemaLint
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import TestSupport
import Testing

/// The examples on each rule's page, checked by all of lint.
@Suite struct RuleExampleTests {
  static let pages = PageFile.all.filter { RuleCatalog.rulesByID[$0.id]?.scope != .sources }
  static let badExamples = pages.flatMap { RuleCase.cases(of: $0, $0.bad) }
  static let goodExamples = pages.flatMap { RuleCase.cases(of: $0, $0.good) }

  @Test(
    "A rule's page shows the findings of its bad examples and what '--fix' writes", arguments: pages
  )
  func shown(_ page: PageFile) throws {
    let text = page.text { example in
      let run = ExampleRun(example.example)
      let fixed = run.fixed(page.id)?.files ?? []
      return PageOutcome(
        findings: run.findings(of: page.id), sources: run.lint.sources,
        fixed: fixed.filter { !example.example.files.contains($0) })
    }
    let difference = try difference(
      of: text, fromSnapshot: page.path, recordedBy: "RuleExampleTests; Scripts/rules.py")
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test("A bad example has findings of its own rule only", arguments: badExamples)
  func bad(_ example: RuleCase) {
    let run = ExampleRun(example.example)
    #expect(!run.findings(of: example.rule).isEmpty, "\(example.report(run))")
    let others = run.lint.findings.filter {
      $0.severity > .note && $0.rule.id != example.rule
        && !example.companions.contains($0.rule.id)
    }
    #expect(others.isEmpty, "an example shows one thing: \(example.report(run))")
  }

  @Test("A good example has no findings", arguments: goodExamples)
  func good(_ example: RuleCase) {
    let run = ExampleRun(example.example)
    #expect(run.findings(of: example.rule).isEmpty, "\(example.report(run))")
    #expect(run.lint.findings.allSatisfy { $0.severity == .note }, "\(example.report(run))")
  }

  @Test(
    "If lowered severities leave no error, the analysis and the lock are complete",
    arguments: badExamples,
    ["note", "off"])
  func lowered(_ example: RuleCase, _ level: String) {
    let levels = RuleCatalog.all.filter(\.isAcceptable).map { "  \($0.id): \(level)\n" }
    let own = example.example.files.filter { $0.path == "schemagen.yaml" }
    guard !own.contains(where: { $0.text.contains("rules:") }) else { return }
    let configuration = (own.first?.text ?? "") + "\nrules:\n" + levels.sorted().joined()
    let files = ExampleRun(example.example).files.filter { $0.path != "schemagen.yaml" }
    let disk = MemoryFiles(files + [SourceFile(path: "schemagen.yaml", text: configuration)])
    let run = GenerationPipeline(fileSystem: disk).run(".")
    guard !run.diagnostics.hasErrors, let evolution = run.folder?.evolution else { return }
    #expect(evolution.isSound)
    let lock = run.changes.first { $0.path == SchemaLock.fileName }
    let text = lock.map { String(decoding: $0.contents, as: UTF8.self) }
    #expect(text?.components(separatedBy: "identity:").count == evolution.history.count + 1)
  }

  @Test("A fix removes its finding, and a second run changes nothing", arguments: badExamples)
  func fixed(_ example: RuleCase) throws {
    let run = ExampleRun(example.example)
    guard let fixed = run.fixed(example.rule) else { return }
    let left = fixed.run.findings(of: example.rule)
    #expect(left.count < run.findings(of: example.rule).count, "\(fixed.files.map(\.text))")
    #expect(!fixed.run.lint.isMalformed || run.lint.isMalformed, "\(fixed.files.map(\.text))")
    #expect(fixed.run.fixed(example.rule) == nil)
    for comment in example.example.files.flatMap(\.comments) {
      let isKept = fixed.files.contains { $0.text.contains(comment) }
      #expect(isKept || comment.contains("schemagen:accept"), "a comment is gone: \(comment)")
    }
  }

  @Test("The page of a fixable rule shows a fix", arguments: pages)
  func fixable(_ page: PageFile) {
    let shown = page.bad.contains { ExampleRun($0.example).fixed(page.id) != nil }
    #expect(shown == RuleCatalog.rulesByID[page.id]?.isFixable)
  }
}

/// A rule's example, as a test's argument.
struct RuleCase: Sendable, CustomTestStringConvertible {
  var rule: String
  var name: String
  var example: Example
  var companions: Set<String> = []

  var testDescription: String { "\(rule), \(name)" }

  static func cases(of page: PageFile, _ examples: [PageExample]) -> [RuleCase] {
    examples.enumerated().map { index, example in
      RuleCase(
        rule: page.id, name: "\(example.isBad ? "bad" : "good") \(index + 1)",
        example: example.example, companions: example.companions)
    }
  }

  func report(_ run: ExampleRun) -> String {
    "\(testDescription)\n" + TextReport(sources: run.lint.sources).render(run.lint.findings)
  }
}

extension SourceFile {
  /// The file's comments, found line by line.
  fileprivate var comments: [String] {
    text.split(separator: "\n").compactMap { line in
      line.range(of: " # ").map { String(line[$0.lowerBound...].dropFirst()) }
    }
  }
}
