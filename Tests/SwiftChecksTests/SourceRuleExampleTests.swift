import SchemaLint
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import SwiftChecks
import TestSupport
import Testing

/// The examples on each page about Swift code, checked by all rules.
@Suite struct SourceRuleExampleTests {
  static let pages = PageFile.all.filter { RuleCatalog.rulesByID[$0.id]?.scope == .sources }

  @Test(
    "The page of a rule about Swift shows its bad examples' findings and what '--fix' writes",
    arguments: pages
  )
  func shown(_ page: PageFile) throws {
    let text = page.text { example in
      let lint = lint(example.example.files)
      return PageOutcome(
        findings: lint.findings.filter { $0.rule.id == page.id }, sources: lint.sources,
        fixed: lint.fixed().map(\.file))
    }
    let difference = try difference(
      of: text, fromSnapshot: page.path, recordedBy: "SourceRuleExampleTests; Scripts/rules.py")
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test("A bad example in Swift has findings of its own rule only", arguments: pages)
  func bad(_ page: PageFile) {
    for example in page.bad {
      let lint = lint(example.example.files)
      #expect(Set(lint.findings.map(\.rule.id)) == [page.id], "\(report(lint))")
    }
  }

  @Test("A good example in Swift has no findings", arguments: pages)
  func good(_ page: PageFile) {
    for example in page.good {
      let lint = lint(example.example.files)
      #expect(lint.findings.isEmpty, "\(report(lint))")
    }
  }

  @Test("A fixable rule's page shows a fix, after which nothing is left to fix", arguments: pages)
  func fixed(_ page: PageFile) {
    let fixed = page.bad.map { lint($0.example.files).fixed().map(\.file) }
    #expect(fixed.contains { !$0.isEmpty } == RuleCatalog.rulesByID[page.id]?.isFixable)
    for files in fixed {
      #expect(lint(files).fixed().isEmpty)
    }
  }

  @Test("Every rule about Swift code has a page, and every page a rule")
  func checks() {
    #expect(SourceLint.rules.map(\.id).sorted() == Self.pages.map(\.id))
  }

  private func lint(_ files: [SourceFile]) -> SourceLint {
    // An example may add to the app of all examples: its configuration.
    SourceLint(
      files: files.filter { $0.path.hasSuffix(".swift") },
      manifests: Example.appManifests + files.filter { $0.path.hasSuffix(".yaml") },
      folder: Example.appFolder, today: CalendarDay("2026-01-01")!)
  }

  private func report(_ lint: SourceLint) -> String {
    TextReport(sources: lint.sources).render(lint.findings)
  }
}
