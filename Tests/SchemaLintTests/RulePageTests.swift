import Foundation
import SchemaLint
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import TestSupport
import Testing

/// docs/rules, which is made from the rules.
@Suite struct RulePageTests {
  @Test("docs/rules is what 'schemagen rules --write docs/rules' writes")
  func pagesAreCurrent() throws {
    let folder = Checkout.root + "/docs/rules"
    let files = RuleIndex.files
    #expect(filesBelow(folder) == files.map(\.name).sorted(), "a page too many, or one too few")
    for file in files {
      let written = try? String(contentsOfFile: folder + "/" + file.name, encoding: .utf8)
      #expect(
        written == file.text,
        "\(file.name): \(difference(from: written ?? "", to: file.text)); run 'make references'")
    }
  }

  /// What can be found can be looked up, and what `accept:` can silence has a page that says so.
  @Test("every id that can be found is explained")
  func everythingIsExplained() {
    let paged = Set(RuleCatalog.descriptions.map(\.id))
    let undocumented = RuleCatalog.all.filter { !paged.contains($0.id) }
    #expect(undocumented.allSatisfy { RuleIndex.shortPage($0.id) != nil })
    // Rows of the table that are never reported under their own id have no page.
    let reported = undocumented.filter { $0.severity > .note }
    let ofSources = (DetectionRules.all + AdoptionRules.all).map(\.id)
    #expect(
      reported.map(\.id).filter { !ofSources.contains($0) }.sorted() == [
        "broken-base", "broken-baseline", "cloud-field", "conflicting-name", "foreign-file",
        "no-manifests",
        "not-copied", "not-rebased", "not-releasable", "rebase-conflict", "release-mark-removed",
        "shipped-version-renumbered", "stale-baseline", "template", "unreadable",
        "unwritten-function", "version-order",
      ])
    // What detection finds is accepted in Swift: docs/detection.md.
    #expect(reported.allSatisfy { !$0.isAcceptable || DetectionRules.all.contains($0) })
  }
}
