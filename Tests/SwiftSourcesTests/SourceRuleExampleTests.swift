import Foundation
import SchemaLint
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import SwiftSources
import TestSupport
import Testing

/// Each example of the rules about Swift code, looked at by all checks.
@Suite struct SourceRuleExampleTests {
  static let badExamples = RulePages.sources.flatMap { rule in
    rule.bad.indices.map {
      SourceRuleCase(rule: rule, example: rule.bad[$0], name: "bad \($0 + 1)")
    }
  }
  static let goodExamples = RulePages.sources.flatMap { rule in
    rule.good.indices.map {
      SourceRuleCase(rule: rule, example: rule.good[$0], name: "good \($0 + 1)")
    }
  }

  @Test(
    "a bad example is found exactly where it is marked, with what it says", arguments: badExamples)
  func bad(_ example: SourceRuleCase) {
    let lint = example.lint(example.example.files)
    let expected = example.example.diagnostics(of: example.rule.rule)
    let found = lint.findings.map { finding in
      Diagnostic(
        finding.rule, finding.message, at: finding.location, help: finding.help,
        severity: finding.severity)
    }
    #expect(found == expected, "\(example.report(lint))")
    #expect(example.example.places.count == example.example.findings.count)
    #expect(!found.isEmpty)
  }

  @Test("in a good example nothing is found", arguments: goodExamples)
  func good(_ example: SourceRuleCase) {
    let lint = example.lint(example.example.files)
    #expect(lint.findings.isEmpty, "\(example.report(lint))")
  }

  @Test(
    "a repair writes what the example shows, and then there is nothing to repair",
    arguments: badExamples)
  func fixed(_ example: SourceRuleCase) {
    let fixed = example.lint(example.example.files).fixed().map(\.file)
    #expect(fixed.map(\.path) == example.example.fixed.map(\.path))
    #expect(fixed.map(\.text) == example.example.fixed.map(\.text))
    #expect(example.lint(fixed).fixed().isEmpty)
  }

  @Test("every rule has a file of its name in both modules, a purpose, examples and a check")
  func files() {
    func names(_ folder: String) -> Set<String> {
      Set(
        filesBelow(Checkout.root + "/" + folder).map {
          String($0.split(separator: "/").last!.dropLast(".swift".count))
        })
    }
    let types = Set(RulePages.sources.map { String(describing: type(of: $0)) })
    #expect(names("Sources/Schema/SchemaLint/SourcePages") == types)
    #expect(names("Sources/Swift/SwiftSources/Checks").isSuperset(of: types))
    for rule in RulePages.sources {
      let kebab = String(describing: type(of: rule)).reduce(into: "") { text, character in
        if character.isUppercase, !text.isEmpty { text += "-" }
        text += character.lowercased()
      }
      #expect(kebab == rule.id)
      #expect(rule.purpose.count > 60 && !rule.bad.isEmpty && !rule.good.isEmpty, "\(rule.id)")
    }
    #expect(Set(SourceLint.rules.map(\.id)) == Set(RulePages.sources.map(\.id)))
  }
}

/// A rule's example, as a test's argument.
struct SourceRuleCase: Sendable, CustomTestStringConvertible {
  var rule: any RulePage
  var example: Example
  var name: String

  var testDescription: String { "\(rule.id), \(name)" }

  func lint(_ files: [SourceFile]) -> SourceLint {
    // An example may say more of the app than all of them do: how it is configured.
    SourceLint(
      files: files.filter { $0.path.hasSuffix(".swift") },
      manifests: Example.appManifests + files.filter { $0.path.hasSuffix(".yaml") },
      folder: Example.appFolder,
      today: CalendarDay("2026-01-01")!)
  }

  func report(_ lint: SourceLint) -> String {
    "\(testDescription)\n" + TextReport(sources: lint.sources).render(lint.findings)
  }
}
