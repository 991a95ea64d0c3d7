internal import SchemaManifest
internal import SchemaModel

struct UnusedAcceptance: RulePage {
  let rule = Rule.unusedAcceptance
  let category = RuleCategory.convention
  let scope = RuleScope.history
  let foundIn = [
    "Schema/SchemaModel/Diagnostics/AcceptanceMatcher.swift",
    "Schema/SchemaWorkspace/Lock/StepCorrections.swift",
  ]

  let purpose = """
    This acceptance matches no finding: you have fixed the problem, or the element or line has
    another name now. If it stayed, it would silence the rule's next finding there, which nobody
    has looked at. Remove it, or correct the name. An acceptance of `shipped-step-edited` in a
    version that the lock does not mark as shipped waits for the mark: that is a warning.
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
            name: String
            budget: Int = 0
      accept:
        - rule: ‹shared-default›
          element: Trip.budget
          reason: one budget is right for all
      """),
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            ‹# schemagen:accept shared-default: one budget is right for all›
            budget: Int = 0
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
            created: Date = Date()
      accept:
        - rule: shared-default
          element: Trip.created
          reason: the day of the update is right for old trips
      """)
  ]

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    // What waits is no mistake.
    guard let location = finding.location, finding.correction != nil else { return nil }
    if finding.element == nil {
      return Fix("remove the comment", in: location.file, [.removeComment(location)])
    }
    // It is shown at the rule's name, inside the entry.
    guard let entry = context.path(of: finding)?.parent else { return nil }
    return Fix("remove the entry", in: location.file, .remove(entry))
  }
}
