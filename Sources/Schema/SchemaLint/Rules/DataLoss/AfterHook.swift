internal import SchemaEvolution
internal import SchemaModel

struct AfterHook: LintRule {
  let rule = Rule.afterHook

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.compactMap { step in
      let version = step.new
      guard version.hooks.after else { return nil }
      let isNewest = version.number == context.history.last?.number
      let name = version.number.name
      return Diagnostic(
        rule, "the hook after \(name) does not run again if the app is killed while it runs",
        element: name,
        at: isNewest ? context.place(ofKey: "hooks", or: version.location) : version.location,
        help: [
          "make values with 'convert:' or 'fill:' instead",
          "to accept it: " + ManifestEdit.acceptance(id, name),
        ])
    }
  }
}
