internal import SchemaManifest
internal import SchemaModel

struct VersionMismatch: RulePage {
  let rule = Rule.versionMismatch
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaManifest/Resolving/HistoryCheck.swift"]

  let purpose = """
    A file whose name says one version and whose `version:` says another is usually a copy in which
    one of the two was forgotten. Which one counts decides what is migrated to what, so neither is
    taken for right. Correct the one that is wrong; `schemagen new-version` writes both.
    """

  let bad = [
    Example(
      """
      ‹v›ersion: 2.0.0
      models:
        Trip:
          properties:
            name: String
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
      """)
  ]
}
