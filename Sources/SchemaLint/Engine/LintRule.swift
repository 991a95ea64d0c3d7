package import SchemaModel

/// What a rule guards.
package enum RuleCategory: String, Hashable, Sendable, CaseIterable {
  /// Values or rows that would be gone.
  case dataLoss = "data-loss"
  /// Stages that would fail, or do other than is meant.
  case migration
  /// What a store that syncs with CloudKit demands.
  case cloudKit = "cloudkit"
  /// What readers expect.
  case convention
  /// Manifests, numbers, the lock and names: that they are whole and agree.
  case integrity
  /// What Swift code does with versions, containers and migrations.
  case sources = "swift-code"

  /// As a heading.
  package var title: String {
    switch self {
    case .dataLoss: "Data loss"
    case .migration: "Migration"
    case .cloudKit: "CloudKit"
    case .convention: "Convention"
    case .integrity: "Integrity"
    case .sources: "Swift code"
    }
  }
}

/// What a rule looks at.
package enum RuleScope: String, Hashable, Sendable, CaseIterable {
  /// The newest version: what older ones say cannot be fixed any more.
  case version
  /// Steps to versions that have not shipped.
  case step
  /// All of the folder: every manifest, the configuration, the lock.
  case history
}

/// A rule of lint. Each has a file of its own, which is also its page in docs/rules and its tests.
package protocol LintRule: Sendable {
  /// Id, severity, what it finds in one sentence, and what it rests on.
  var rule: Rule { get }
  var category: RuleCategory { get }
  var scope: RuleScope { get }
  /// Why it matters and what to do, as paragraphs of Markdown.
  var purpose: String { get }
  /// Manifests in which it finds exactly what is marked.
  var bad: [Example] { get }
  /// The same, fixed: nothing is found.
  var good: [Example] { get }
  /// What it finds. Rules whose findings come from reading or from the evolution find nothing here.
  func findings(in context: LintContext) -> [Diagnostic]
  /// Whether some of its findings have a safe fix.
  var isFixable: Bool { get }
  /// The fix, if it is safe.
  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix?
}

extension LintRule {
  package var id: String { rule.id }

  package func findings(in context: LintContext) -> [Diagnostic] { [] }
  package var isFixable: Bool { false }
  package func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? { nil }
}
