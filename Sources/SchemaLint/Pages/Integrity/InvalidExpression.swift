internal import SchemaManifest
internal import SchemaModel

struct InvalidExpression: RulePage {
  let rule = Rule.invalidExpression
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaManifest/Reading/NodeInterpreter+Values.swift"]

  let purpose = """
    Defaults, fills and conversions are Swift source that is taken word for word into generated
    files. One that does not end where it should, with a bracket or a quote left open, or with a
    statement where a value belongs, would change the meaning of the code behind it. What is longer
    than an expression belongs in your own function: `convert: { function: … }`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            days: "[Int] = [1, 2‹"›
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
            days: "[Int] = [1, 2]"
      """)
  ]
}
