internal import SchemaManifest
internal import SchemaModel

struct StepKeyInFirstVersion: RulePage {
  let rule = Rule.stepKeyInFirstVersion
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/Resolving/HistoryCheck.swift"]

  let purpose = """
    `renamedFrom:`, `from:`, `convert:`, `revert:`, `fill:`, `dedupe:`, `drops:` and `hooks:`
    say how rows of the previous version become rows of this one. The first version has no
    previous one, so the key does nothing, though it looks as if it did. Delete it. If stores
    from before your first manifest use another name for a property, write `originalName:`.
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
