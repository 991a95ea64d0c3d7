internal import SchemaEvolution
internal import SchemaModel

struct AfterHook: LintRule {
  let rule = Rule(
    "after-hook", .warning, "Nothing precious is done after a migration",
    basis: .fact(.migration, "did-migrate-runs-once", .likely), isAcceptable: true)
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step

  let purpose = """
    An `after` hook runs in `didMigrate`. If the app is killed before it ends, the store has the new version already,
    the stage is most likely not run again, and what the hook had to do is never done. Values belong in `convert:` and `fill:`,
    which a bridge repeats until they are all there. Accept it for what may be left out: a log line, a cache.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === V2.yaml
      version: 2.0.0
      ‹hooks›: [after]
      models:
        Trip:
          properties:
            name: String
            slug: String?
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
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            slug: { type: String, from: name, convert: $0.lowercased() }
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.compactMap { step in
      let version = context.history[step.to]
      guard version.hooks.after else { return nil }
      let isNewest = step.to == context.history.count - 1
      let name = version.number.name
      return Diagnostic(
        rule, "what the hook after \(name) does is not repeated when the app is killed meanwhile",
        element: name,
        at: isNewest ? context.place(ofKey: "hooks", or: version.location) : version.location,
        help: [
          "make values with 'convert:' or 'fill:' instead",
          "to accept it: " + ManifestEdit.acceptance(id, name),
        ])
    }
  }
}
