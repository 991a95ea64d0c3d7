/// The rules about manifests and what follows from them.
package enum LintRules {
  /// In the order of their files.
  package static let all: [any LintRule] = convention + integrity + migration

  private static let convention: [any LintRule] = [
    RedundantDeleteRule()
  ]

  private static let integrity: [any LintRule] = [
    MissingInverse()
  ]

  private static let migration: [any LintRule] = [
    MissingDefault()
  ]
}
