internal import SchemaManifest
internal import SchemaModel

struct VersionGap: RulePage {
  let rule = Rule.versionGap
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/Resolving/HistoryCheck.swift"]

  let purpose = """
    After 1.0.0 comes 1.0.1, 1.1.0 or 2.0.0. A gap usually means that a manifest was not
    committed, or got lost in a merge: devices with that version could not migrate (134504,
    unknown model version). Bring the manifest back, or give this version the next number.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === V3.yaml
      ‹v›ersion: 3.0.0
      models:
        Trip:
          properties:
            name: String
            notes: String?
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
            notes: String?
      """)
  ]
}
