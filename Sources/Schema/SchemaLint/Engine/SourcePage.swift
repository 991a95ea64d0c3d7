/// The page of a rule about Swift code.
///
/// Its check takes swift-syntax, which nothing here may depend on; it is the page's namesake in `SwiftSources`. The
/// findings of its examples are written down in them, and hold the two together.
package protocol SourcePage: RulePage {}

extension SourcePage {
  package var category: RuleCategory { .sources }
  package var scope: RuleScope { .sources }
  package var foundIn: [String] { ["Swift/SwiftSources/Checks/\(Self.self).swift"] }
  package var isFixable: Bool { bad.contains { !$0.fixed.isEmpty } }
}
