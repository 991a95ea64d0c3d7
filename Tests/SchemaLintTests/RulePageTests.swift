import SchemaLint
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// The pages of rules, and the code's copy of them.
@Suite struct RulePageTests {
  @Test("A rule's page gives the codes that Core Data throws", arguments: RulePages.all.map(\.id))
  func codesAreThrown(_ id: String) throws {
    let page = try #require(RuleCatalog.rulesByID[id])
    #expect(!page.purpose.contains("134111"))
    // 134190 is thrown only inside 134140 (docs/facts/migration.md#inference-error-is-134140).
    #expect(!page.purpose.contains("134190") || page.purpose.contains("134140"))
  }

  @Test("The compiled rule pages match their files and their rules")
  func pagesAreCurrent() {
    let others = Set(PageFile.all.map(\.id)).symmetricDifference(RulePages.all.map(\.id))
    #expect(others.isEmpty, "run Scripts/rules.py")
    for file in PageFile.all {
      let page = RuleCatalog.rulesByID[file.id]?.markdown ?? ""
      #expect(
        page == file.shown,
        "\(file.path): \(difference(from: file.shown, to: page)); run Scripts/rules.py")
    }
  }

  @Test("A rule's page in the terminal has web addresses instead of links")
  func text() throws {
    let page = try #require(RuleCatalog.rulesByID["null-trap"])
    let link = "[migration: add required enum](../facts/migration.md#add-required-enum)"
    #expect(page.markdown.contains(link))
    let address = Basis.documentation + "facts/migration.md#add-required-enum"
    #expect(page.text == page.markdown.replacing(link, with: address))
  }
}
