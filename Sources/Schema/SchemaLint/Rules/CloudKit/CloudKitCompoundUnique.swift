internal import SchemaModel

struct CloudKitCompoundUnique: LintRule {
  let rule = Rule(
    "cloudkit-compound-unique", "A store that syncs has no unique constraint",
    basis: .fact(.migration, "cloudkit-no-unique", .certain))
  let category = RuleCategory.cloudKit
  let scope = RuleScope.version

  let purpose = """
    `#Unique` works in the store of one device. CloudKit cannot enforce it among several, and
    does not allow it. Remove the constraint and look for equal rows in code. Lint checks this
    with `cloudKit: private`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Entry:
          properties:
            name: String = ""
            day: Date = Date.distantPast
          ‹unique›: [[name, day]]
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Entry:
          properties:
            name: String = ""
            day: Date = Date.distantPast
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.newest.models.filter { !$0.uniques.isEmpty }.map { model in
      Diagnostic(
        rule, "'\(model.name)' has unique constraints, which CloudKit cannot enforce",
        element: ElementPath(model.name),
        at: context.place(ofKey: "models", model.name, "unique", or: model.location),
        help: ["remove 'unique'"])
    }
  }

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    context.removal(finding, "remove 'unique'")
  }
}
