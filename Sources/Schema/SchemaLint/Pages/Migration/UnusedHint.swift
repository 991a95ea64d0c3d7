internal import SchemaEvolution
internal import SchemaModel

struct UnusedHint: RulePage {
  let rule = Rule.unusedHint
  let category = RuleCategory.migration
  let scope = RuleScope.step
  let foundIn = [
    "Schema/SchemaEvolution/Review/StepReview+Hints.swift",
    "Swift/SwiftSources/Snapshot/ClassMerge.swift",
    "Swift/SwiftSources/Snapshot/Snapshot.swift",
  ]

  let purpose = """
    Step keys tell schemagen what to do with old values. This one matches no change, so it does
    nothing, though it looks as if it did. Usually it was meant for another property, or stayed
    behind when the manifest was copied. Remove it, or move it to the property that changed.
    `schemagen new-version` copies a manifest without step keys.
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
      models:
        Trip:
          properties:
            name: { type: String, fill: '‹""›' }
            notes: String?
      """),
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            notes: String?
      drops:
        ‹Trip.subtitle›: nobody had written one
      """),
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            notes: String?
      """)
  ]

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    switch finding.correction {
    case .removal:
      return context.removal(finding, "remove elements that are not dropped from 'drops'")
    case .removalOfKeys(let keys):
      // Without 'from' there is nothing to convert.
      let others = keys.contains("from") ? ["convert"] : []
      return context.removal(of: keys + others, finding, "remove the unused keys")
    default: return nil
    }
  }
}
