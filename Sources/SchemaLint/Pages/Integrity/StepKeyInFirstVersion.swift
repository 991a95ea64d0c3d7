internal import SchemaManifest
internal import SchemaModel

struct StepKeyInFirstVersion: RulePage {
  let rule = Rule.stepKeyInFirstVersion
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaManifest/Resolving/HistoryCheck.swift"]

  let purpose = """
    `renamedFrom:`, `from:`, `convert:`, `revert:`, `fill:`, `dedupe:`, `drops:` and `hooks:` say
    how the rows of the version before become this one's, and before the first version there is
    none. Such a key does nothing, and its author believes that it does. Delete it; a name under
    which stores from before the first manifest know a property is its `originalName:`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: { type: String, renamedFrom: ‹title› }
      """),
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      drops:
        ‹Trip.title›: called name now
      """),
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: { type: String, originalName: title }
      """),
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      """),
  ]

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard case .removalOfKeys(let keys)? = finding.correction else { return nil }
    return context.removal(of: keys, finding, "remove '\(keys[0])'")
  }
}
