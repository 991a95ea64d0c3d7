package import SchemaModel

extension Rule {
  package static let missingLock = Rule(
    "missing-lock", .note, "The schema folder has a schema.lock",
    basis: Basis.page("lock"), isAcceptable: true)
}

/// A lock that is gone, as the files show that were generated with it.
package struct LostLock: Sendable {
  /// The lock's path.
  let path: String
  /// The folder of generated files.
  let output: String

  package init(path: String, output: String) {
    self.path = path
    self.output = output
  }

  /// An error, which no configuration may lower where a new lock would be written.
  package var diagnostic: Diagnostic {
    var rule = Rule.missingLock
    rule.isAcceptable = false
    return Diagnostic(
      rule,
      "'\(path)' is gone, and '\(output)' has files that were generated with it: a new one would not know which "
        + "versions have shipped",
      at: SourceLocation(file: path),
      help: [
        "restore it: git checkout HEAD -- \(path)",
        "if no version has shipped, remove the generated files in '\(output)' and run 'schemagen generate'",
      ], severity: .error)
  }
}

struct MissingLock: LintRule {
  let rule = Rule.missingLock
  let category = RuleCategory.integrity
  let scope = RuleScope.history

  let purpose = """
    `schema.lock` records what each version was and which have shipped. Without it, nobody
    notices an edit to a shipped version, and two branches that each add a version merge without
    a conflict. `schemagen generate` writes it; commit it.

    `generate` writes the lock and the generated files together. Files without a lock mean that
    it was lost: a new one would call every version a draft, so this is an error, and `generate`
    writes nothing.
    """

  let bad = [
    Example(
      """
      ‹version›: 1.0.0
      models:
        Trip:
          properties:
            name: String
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === shipped V1.yaml
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard !context.hasLock else { return [] }
    if let lost = context.lostLock { return [lost.diagnostic] }
    return [
      Diagnostic(
        rule, "there is no schema.lock: nothing guards the versions that have shipped",
        element: context.newest.number.name, at: context.newest.location,
        help: ["run 'schemagen generate' and commit what it writes"])
    ]
  }
}
