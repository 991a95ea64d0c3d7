internal import SchemaEvolution
internal import SchemaModel

struct AfterHook: LintRule {
  let rule = Rule(
    "after-hook", .warning, "An after hook does nothing that must not be lost",
    basis: .fact(.migration, "did-migrate-runs-once", .likely), isAcceptable: true)
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step

  let purpose = """
    An `after` hook runs in `didMigrate`. If the app is killed before the hook ends, the store
    already has the new version, the stage most likely does not run again, and the hook's work
    is never done. Make values with `convert:` and `fill:`, which a bridge repeats until all are
    there. Accept the finding for work that you can lose: a log line, a cache.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
    === V2.yaml
    """

  let bad = [
    Example(
      """
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
        rule, "the hook after \(name) does not run again if the app is killed meanwhile",
        element: name,
        at: isNewest ? context.place(ofKey: "hooks", or: version.location) : version.location,
        help: [
          "make values with 'convert:' or 'fill:' instead",
          "to accept it: " + ManifestEdit.acceptance(id, name),
        ])
    }
  }
}
