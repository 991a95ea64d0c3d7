import Foundation
import SchemaEvolution
import SchemaLint
import SchemaManifest
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// The catalogue of rules, held against the sources.
@Suite struct RuleCatalogTests {
  @Test("the catalogue has every rule that the sources declare, and each is declared once")
  func everyRuleIsListed() {
    let rows = Set(ClassificationTable.rows.map(\.rule.id))
    let declared = DeclaredRule.all.map(\.id)
    let listed = Set(RuleCatalog.all.map(\.id)).subtracting(rows)
    #expect(declared.sorted() == listed.sorted(), "declared twice, or not in RuleCatalog")
    #expect(rows.isDisjoint(with: declared), "a row of the classification table is its rule")
    #expect(
      DeclaredRule.unreadable == [
        "Schema/SchemaEvolution/Classification/ClassificationTable.swift"
      ],
      "a rule's id is written where it is declared")
  }

  @Test("a rule has a page, or is listed without one")
  func everyRuleHasAPage() {
    let paged = Set(RuleCatalog.pages.map(\.id))
    let others = Set(RuleCatalog.withoutPage.map(\.id))
    #expect(paged.isDisjoint(with: others))
    for rule in RuleCatalog.all where !paged.contains(rule.id) {
      // Rows of the table that are notes are never reported under their own ids.
      #expect(others.contains(rule.id) || rule.severity == .note, "\(rule.id) has no page")
      #expect(RuleIndex.shortPage(rule.id) != nil)
    }
    // What detection finds is accepted in Swift (docs/detection.md); what a release says has its severity in the
    // configuration (docs/cloud.md), and what moves a store is accepted at the call that opens it (docs/approvals.md).
    for rule in RuleCatalog.withoutPage where rule.isAcceptable {
      #expect(
        RuleCatalog.detection.contains(rule) || [.cloudNotDeployed, .storeMoved].contains(rule),
        "\(rule.id): where does its reader accept it?")
    }
  }

  @Test(
    "a page names every file that makes its findings",
    arguments: RuleCatalog.pages.map(RuleName.init))
  func pagesLeadToTheirFindings(_ page: RuleName) throws {
    let page = page.rule
    #expect(page.foundIn.isEmpty == (page is any LintRule))
    guard !page.foundIn.isEmpty else { return }
    let kind = (page as? any ChangePage).map { "\($0.kind)" }
    let name = try #require(kind ?? DeclaredRule.all.first { $0.id == page.id }?.name)
    var unseen = Set(page.foundIn)
    for source in SourceText.all {
      let pointers = page.foundIn.filter { source.file == $0 || source.file.hasPrefix($0 + "/") }
      if pointers.isEmpty {
        #expect(!source.findings.contains(name), "\(source.file) makes findings of \(page.id)")
      } else if source.mentions.contains(name) {
        unseen.subtract(pointers)
      }
    }
    #expect(unseen.isEmpty, "\(page.id) is not found there")
  }

  @Test("unused acceptances are told where the findings are made")
  func acceptancesAreJudgedOnce() {
    let elsewhere = EvolutionRules.acceptableIDs.union(ManifestRules.acceptableIDs)
      .union(StepCorrections.acceptableIDs)
    let checks = Set(RulePages.checks.map(\.id))
    for page in RulePages.manifests where page.rule.isAcceptable {
      #expect(elsewhere.contains(page.id) != checks.contains(page.id), "\(page.id)")
    }
  }
}

/// What one of our sources says of rules.
private struct SourceText {
  /// The path below `Sources`.
  var file: String
  /// What stands after a dot: `versionGap`.
  var mentions: Set<String> = []
  /// Of these, what a finding is made of: `Diagnostic(.versionGap, …)`.
  var findings: Set<String> = []
  var rules: [DeclaredRule] = []

  static let all: [SourceText] = filesBelow(Checkout.root + "/Sources")
    .filter { $0.hasSuffix(".swift") }.map(SourceText.init)

  private static let mention = pattern(#"(\b(?:Diagnostic|report|fail)\(\s*)?\.(\w+)"#)
  private static let declaration = pattern(
    #"(?:static let (\w+) = |[^\w.])Rule(?:\.init)?\(\s*(?:"([^"]*)")?"#)

  init(_ file: String) {
    self.file = file
    let path = Checkout.root + "/Sources/" + file
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    for groups in Self.matches(of: Self.mention, in: text) {
      mentions.insert(groups[1] ?? "")
      if groups[0] != nil { findings.insert(groups[1] ?? "") }
    }
    rules = Self.matches(of: Self.declaration, in: text).map {
      DeclaredRule(name: $0[0], id: $0[1] ?? "")
    }
  }

  private static func pattern(_ text: String) -> NSRegularExpression {
    try! NSRegularExpression(pattern: text)
  }

  /// The groups of each match. Not by `Regex`, which takes most of a minute for all sources.
  private static func matches(of pattern: NSRegularExpression, in text: String) -> [[String?]] {
    let units = text as NSString
    return pattern.matches(in: text, range: NSRange(location: 0, length: units.length)).map {
      match in
      (1..<match.numberOfRanges).map { index in
        let range = match.range(at: index)
        return range.location == NSNotFound ? nil : units.substring(with: range)
      }
    }
  }
}

/// A rule as the sources declare it.
private struct DeclaredRule {
  /// `lockEdited`; nil for a rule that only its own file names.
  var name: String?
  /// Empty where the id is not written at the declaration.
  var id: String

  static let all: [DeclaredRule] = SourceText.all.flatMap(\.rules).filter { !$0.id.isEmpty }

  /// Files with a rule whose id is not written there.
  static let unreadable = SourceText.all.filter { $0.rules.contains { $0.id.isEmpty } }.map(\.file)
}
