internal import SchemaManifest
internal import SchemaModel

struct VersionMismatch: RulePage {
  let rule = Rule.versionMismatch
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/Resolving/HistoryCheck.swift"]

  let purpose = """
    The file name states one version and `version:` another. Usually somebody copied a file and
    changed only one of the two. The number decides which rows migrate to what, so schemagen
    does not guess. Correct the wrong one; `schemagen new-version` writes both.
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
