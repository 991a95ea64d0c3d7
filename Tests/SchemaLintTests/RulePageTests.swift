import Foundation
import SchemaLint
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import TestSupport
import Testing

/// docs/rules, which is made from the rules.
@Suite struct RulePageTests {
  @Test("a page gives the codes that Core Data throws", arguments: RuleCatalog.pages.map(\.id))
  func codesAreThrown(_ id: String) throws {
    let page = try #require(RuleCatalog.rulesByID[id])
    #expect(!page.purpose.contains("134111"))
    // Only inside it (docs/facts/migration.md#inference-error-is-134140).
    #expect(!page.purpose.contains("134190") || page.purpose.contains("134140"))
  }

  @Test("docs/rules is what 'schemagen explain --write docs' writes")
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
}
