import Foundation
import SchemaEvolution
import SchemaLint
import SchemaManifest
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// The catalogue of rules, compared with the sources.
@Suite struct RuleCatalogTests {
  @Test("The catalogue lists every rule declared in the sources once")
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

  @Test("Every rule has a page or is listed without one")
  func everyRuleHasAPage() {
    let paged = Set(RulePages.all.map(\.id))
    let others = Set(RuleCatalog.withoutPage.map(\.id))
    #expect(paged.isDisjoint(with: others))
    for rule in RuleCatalog.all where !paged.contains(rule.id) {
      // Rows of the table that are notes are never reported under their own ids.
      #expect(others.contains(rule.id) || rule.severity == .note, "\(rule.id) has no page")
      #expect(RuleIndex.shortPage(rule.id) != nil)
    }
    // Findings of detection are accepted in Swift (docs/detection.md), those of a release have their severity in the
    // configuration (docs/cloud.md), and a moved store is accepted at the call that opens it (docs/approvals.md).
    for rule in RuleCatalog.withoutPage where rule.isAcceptable {
      #expect(
        RuleCatalog.detection.contains(rule) || [.cloudNotDeployed, .storeMoved].contains(rule),
        "\(rule.id): where does its reader accept it?")
    }
  }

  @Test("Unused acceptances are reported by the check that makes the findings")
  func acceptancesAreJudgedOnce() {
    let elsewhere = EvolutionRules.acceptableIDs.union(ManifestRules.acceptableIDs)
      .union(StepCorrections.acceptableIDs)
    let checks = Set(LintRules.checks.map(\.id))
    for page in RulePages.all where page.rule.isAcceptable && page.scope != .sources {
      #expect(elsewhere.contains(page.id) != checks.contains(page.id), "\(page.id)")
    }
  }
}

/// A rule as the sources declare it.
private struct DeclaredRule {
  /// The path below `Sources`.
  var file: String
  /// Empty if the id is not written at the declaration.
  var id: String

  /// Files with a rule whose id is not written at its declaration.
  static let unreadable = found.filter(\.id.isEmpty).map(\.file)

  static let all = found.filter { !$0.id.isEmpty }

  private static let found = filesBelow(Checkout.root + "/Sources")
    .filter { $0.hasSuffix(".swift") }.flatMap(rules)

  // Not a `Regex`, which takes almost a minute for all sources.
  private static let declaration = try! NSRegularExpression(
    pattern: #"(?<![\w.])Rule(?:\.init)?\(\s*(?:"([^"]*)")?"#)

  private static func rules(in file: String) -> [DeclaredRule] {
    let path = Checkout.root + "/Sources/" + file
    let text = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "") as NSString
    let whole = NSRange(location: 0, length: text.length)
    return declaration.matches(in: text as String, range: whole).map { match in
      let id = match.range(at: 1)
      return DeclaredRule(
        file: file, id: id.location == NSNotFound ? "" : text.substring(with: id))
    }
  }
}
