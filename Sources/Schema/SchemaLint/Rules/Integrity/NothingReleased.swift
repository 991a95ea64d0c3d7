internal import SchemaModel

struct NothingReleased: LintRule {
  let rule = Rule.nothingReleased

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.history.count > 1, context.released.isEmpty else { return [] }
    let last = context.history[context.history.count - 2].number.name
    return [
      Diagnostic(
        rule, "none of the \(context.history.count) versions is marked as shipped",
        element: context.newest.number.name, at: context.newest.location,
        help: ["if users have \(last), run 'schemagen release \(last)'"])
    ]
  }
}
