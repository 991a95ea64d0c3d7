import Foundation
import SchemaEvolution
import SchemaLint
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import TestSupport
import Testing

/// Each rule's examples, looked at by the whole gate.
@Suite struct RuleExampleTests {
  static let badExamples = RulePages.manifests.flatMap { rule in
    rule.badExamples.enumerated().map { RuleCase(rule: rule, example: $1, name: "bad \($0 + 1)") }
  }
  static let goodExamples = RulePages.manifests.flatMap { rule in
    rule.goodExamples.enumerated().map { RuleCase(rule: rule, example: $1, name: "good \($0 + 1)") }
  }

  @Test("a bad example is found exactly where it is marked", arguments: badExamples)
  func bad(_ example: RuleCase) {
    let run = ExampleRun(example.example)
    let places = run.findings(of: example.rule.id).map(\.location)
    #expect(places == example.example.places.map(Optional.some), "\(example.report(run))")
    #expect(!places.isEmpty)
    let others = run.lint.findings.filter {
      $0.severity > .note && $0.rule.id != example.rule.id
        && !example.example.companions.contains($0.rule.id)
    }
    #expect(others.isEmpty, "an example shows one thing: \(example.report(run))")
  }

  @Test("in a good example nothing is found", arguments: goodExamples)
  func good(_ example: RuleCase) {
    let run = ExampleRun(example.example)
    #expect(run.findings(of: example.rule.id).isEmpty, "\(example.report(run))")
    #expect(run.lint.findings.allSatisfy { $0.severity == .note }, "\(example.report(run))")
  }

  @Test(
    "whatever severity a finding has, what follows from it is complete", arguments: badExamples,
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

  @Test(
    "a certain repair mends its finding, and a second run has nothing to do", arguments: badExamples
  )
  func fixed(_ example: RuleCase) throws {
    let run = ExampleRun(example.example)
    guard let fixed = run.fixed(example.rule.id) else { return }
    #expect(example.rule.isFixable)
    let left = fixed.run.findings(of: example.rule.id)
    #expect(left.count < run.findings(of: example.rule.id).count, "\(fixed.files.map(\.text))")
    #expect(!fixed.run.lint.isMalformed || run.lint.isMalformed, "\(fixed.files.map(\.text))")
    #expect(fixed.run.fixed(example.rule.id) == nil)
    for comment in example.example.files.flatMap(\.comments) {
      let isKept = fixed.files.contains { $0.text.contains(comment) }
      #expect(isKept || comment.contains("schemagen:accept"), "a comment is gone: \(comment)")
    }
  }

  @Test(
    "a rule that says it has repairs shows one", arguments: RulePages.manifests.map(RuleName.init))
  func fixable(_ rule: RuleName) {
    let shown = rule.rule.badExamples.contains { ExampleRun($0).fixed(rule.rule.id) != nil }
    #expect(shown == rule.rule.isFixable)
  }

  @Test("a rule with a check is a file in Rules, a page alone one in Pages; each of its category")
  func files() {
    let checks = Set(RulePages.checks.map(\.id))
    for (folder, hasCheck) in [("Rules", true), ("Pages", false)] {
      let files = filesBelow(Checkout.root + "/Sources/Schema/SchemaLint/" + folder)
      let pages = RulePages.manifests.filter { checks.contains($0.id) == hasCheck }
      #expect(
        files == pages.map(\.path).sorted(), "a file that is in no list, or in another folder")
    }
  }

  @Test("every rule's file is called after its id, and has a purpose and examples")
  func pages() {
    for rule in RulePages.manifests {
      #expect(String(describing: type(of: rule)).kebabCase == rule.id)
      #expect(rule.purpose.count > 60 && !rule.bad.isEmpty && !rule.good.isEmpty, "\(rule.id)")
    }
    #expect(Set(RulePages.manifests.map(\.id)).count == RulePages.manifests.count)
  }
}

extension RulePage {
  /// `DataLoss/AfterHook.swift`
  fileprivate var path: String {
    let category = String(describing: category)
    return category.prefix(1).uppercased() + category.dropFirst() + "/\(type(of: self)).swift"
  }
}

/// A rule's example, as a test's argument.
struct RuleCase: Sendable, CustomTestStringConvertible {
  var rule: any RulePage
  var example: Example
  var name: String

  var testDescription: String { "\(rule.id), \(name)" }

  func report(_ run: ExampleRun) -> String {
    "\(testDescription)\n" + TextReport(sources: run.lint.sources).render(run.lint.findings)
  }
}

struct RuleName: Sendable, CustomTestStringConvertible {
  var rule: any RulePage
  var testDescription: String { rule.id }
}

extension SourceFile {
  /// The file's comments, as far as a line at a time tells.
  fileprivate var comments: [String] {
    text.split(separator: "\n").compactMap { line in
      line.range(of: " # ").map { String(line[$0.lowerBound...]) }
    }
  }
}

extension String {
  /// `MissingDefault` → `missing-default`; `CloudKitUnique` → `cloudkit-unique`.
  fileprivate var kebabCase: String {
    var result = ""
    for character in replacing("CloudKit", with: "Cloudkit") {
      if character.isUppercase, !result.isEmpty { result += "-" }
      result += character.lowercased()
    }
    return result
  }
}
