package import SchemaModel

extension Rule {
  package static let shippedVersionMissing = Rule(
    "shipped-version-missing", "A version that has shipped is gone",
    basis: .guide(.ritualist, "schema migrations are permanent"))
}

struct ShippedVersionMissing: RulePage {
  let rule = Rule.shippedVersionMissing
  let category = RuleCategory.dataLoss
  let scope = RuleScope.history
  let foundIn = [
    "SchemaWorkspace/Base/BaseComparison.swift",
    "SchemaWorkspace/Lock/SchemaLock+Reading.swift",
  ]

  let purpose = """
    A version that has shipped is in stores on people's devices for as long as somebody has not upgraded. Without its
    manifest the plan does not know it, and those stores cannot be opened (134504). Restore it from git. There is no time
    after which nobody has it.
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
