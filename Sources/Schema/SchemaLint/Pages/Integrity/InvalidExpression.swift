internal import SchemaManifest
internal import SchemaModel

struct InvalidExpression: RulePage {
  let rule = Rule.invalidExpression
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/Reading/NodeInterpreter+Values.swift"]

  let purpose = """
    schemagen copies defaults, fills and conversions word for word into generated Swift. An
    expression with an open bracket or quote, or a statement instead of a value, would change
    the meaning of the code after it. Move longer code into a function of your own: `convert: {
    function: … }`.
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
