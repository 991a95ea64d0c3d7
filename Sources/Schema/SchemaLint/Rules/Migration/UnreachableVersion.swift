internal import SchemaModel

struct UnreachableVersion: LintRule {
  let rule = Rule.unreachableVersion

  func findings(in context: LintContext) -> [Diagnostic] {
    // If nothing is marked as shipped, nothing can be concluded.
    guard !context.released.isEmpty else { return [] }
    return context.history.dropLast().filter {
      context.isOpen($0) && !context.marked.contains($0.number)
    }.map { version in
      Diagnostic(
        rule, "\(version.number.name) is not marked as shipped, but later versions follow",
        element: version.number.name, at: version.location,
        help: [
          "if \(version.number.name) has shipped, run 'schemagen release \(version.number.name)'; if not, merge it into the next version"
        ])
    }
  }
}
