internal import SchemaManifest
internal import SchemaModel

struct WrongPlaceholder: RulePage {
  let rule = Rule.wrongPlaceholder
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/Reading/NodeInterpreter+Values.swift"]

  let purpose = """
    `$0`, `$1`, … are the values of the properties in `from:`, in their order; a default or a
    `fill:` has no values. A placeholder without a value does not compile, or becomes the
    argument of a closure around it. List as many properties in `from:` as the expression uses.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          budget: Int
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            budget: Int
            cost: { type: Int, from: budget, convert: ‹$0 * $1› }
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            budget: Int
            cost: { type: Int, from: budget, convert: $0 * 100 }
      """)
  ]
}
