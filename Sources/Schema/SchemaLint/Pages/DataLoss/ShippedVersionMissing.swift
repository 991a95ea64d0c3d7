package import SchemaModel

extension Rule {
  package static let shippedVersionMissing = Rule(
    "shipped-version-missing", "A shipped version has no manifest",
    basis: .guide(.ritualist, "schema migrations are permanent"))
}

struct ShippedVersionMissing: RulePage {
  let rule = Rule.shippedVersionMissing
  let category = RuleCategory.dataLoss
  let scope = RuleScope.history
  let foundIn = [
    "Schema/SchemaWorkspace/Base/BaseComparison.swift",
    "Schema/SchemaWorkspace/Lock/SchemaLock+Reading.swift",
  ]

  let purpose = """
    A shipped version stays in use until its last user has upgraded. Without its manifest, the
    migration plan does not know the version, and its stores do not open (134504). Restore the
    manifest from git. You can never be sure that no user has it.
    """

  let bad = [
    Example(
      """
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            budget: Int?
      === found schema.lock 1:1
      === shipped V1.yaml
      version: 1.0.0
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
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            budget: Int?
      === shipped V1.yaml
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      """)
  ]
}
