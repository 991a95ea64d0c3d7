package import SchemaModel

extension Rule {
  package static let refusedLevel = Rule(
    "refused-level", .warning, "A rule's severity can be lowered",
    basis: .guide(.schemaMigration, "data loss is unacceptable"))
}

struct RefusedLevel: RulePage {
  let rule = Rule.refusedLevel
  let category = RuleCategory.dataLoss
  let scope = RuleScope.history
  let foundIn = ["SchemaWorkspace/Folder/SchemaFolder.swift"]

  let purpose = """
    What this rule finds would lose values or make a migration that fails on a device. Nothing can be generated from it,
    whatever the configuration says, so its findings stay errors. Fix the finding; where a single one is right,
    `schemagen explain` says whether `accept:` can say so.
    """

  let bad = [
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
            budget: Int
      === schemagen.yaml
      rules:
        ‹missing-default›: off
      """, with: ["missing-default"])
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
            budget: Int = 0
      """)
  ]
}
