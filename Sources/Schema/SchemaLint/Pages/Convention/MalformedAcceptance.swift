internal import SchemaManifest
internal import SchemaModel

struct MalformedAcceptance: RulePage {
  let rule = Rule.malformedAcceptance
  let category = RuleCategory.convention
  let scope = RuleScope.history
  let foundIn = [
    "Schema/SchemaManifest/Reading/AcceptanceComments.swift",
    "Swift/SwiftSources/Lint/SourceAcceptances.swift",
    "Swift/SwiftSources/Snapshot/ClassComments.swift",
    "Swift/SwiftSources/Snapshot/ClassMerge.swift",
  ]

  let purpose = """
    A comment that accepts a finding names the rule, may name a last day, and gives the reason.
    Without a reason, or with a typo, it accepts nothing, though it looks as if it did. Write `#
    schemagen:accept RULE: REASON` above the line or at its end.
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
            ‹# schemagen:accept shared-default›
            created: Date = Date()
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
            # schemagen:accept shared-default: the day of the update is right for old trips
            created: Date = Date()
      """)
  ]
}
