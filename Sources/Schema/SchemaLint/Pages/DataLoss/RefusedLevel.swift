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
  let foundIn = ["Schema/SchemaWorkspace/Folder/SchemaFolder.swift"]

  let purpose = """
    The configuration tries to lower the severity of a rule that protects data. Its findings
    mean lost values, or a migration that fails on a device, and schemagen generates no code
    from them. They stay errors, whatever the configuration says. Fix the finding. If one
    finding is wrong for you, `schemagen explain` says whether you can accept it.
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
            budget: Int
      === schemagen.yaml
      rules:
        ‹missing-default›: off
      """, with: ["missing-default"])
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            budget: Int = 0
      """)
  ]
}
