package import SchemaModel

/// A lost lock, inferred from generated files.
package struct LostLock: Sendable {
  let path: String
  let output: String

  package init(path: String, output: String) {
    self.path = path
    self.output = output
  }

  /// The error. Its severity cannot be lowered, since a new lock would not know which versions have shipped.
  package var diagnostic: Diagnostic {
    var rule = Rule.missingLock
    rule.isAcceptable = false
    return Diagnostic(
      rule,
      "'\(path)' is missing, but '\(output)' has files that were generated with it: a new lock would not know which "
        + "versions have shipped",
      at: SourceLocation(file: path),
      help: [
        "restore the lock: git checkout HEAD -- \(path)",
        "if no version has shipped, remove the generated files in '\(output)' and run 'schemagen generate'",
      ], severity: .error)
  }
}

struct MissingLock: LintRule {
  let rule = Rule.missingLock

  func findings(in context: LintContext) -> [Diagnostic] {
    guard !context.hasLock else { return [] }
    if let lost = context.lostLock { return [lost.diagnostic] }
    return [
      Diagnostic(
        rule, "there is no schema.lock, so nothing protects shipped versions",
        element: context.newest.number.name, at: context.newest.location,
        help: ["run 'schemagen generate' and commit what it writes"])
    ]
  }
}
