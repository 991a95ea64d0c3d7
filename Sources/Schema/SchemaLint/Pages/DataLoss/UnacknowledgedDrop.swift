internal import SchemaEvolution
internal import SchemaModel

struct UnacknowledgedDrop: RulePage {
  let rule = Rule.unacknowledgedDrop
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step
  let foundIn = ["Schema/SchemaEvolution/Review/StepReview+Drops.swift"]

  let purpose = """
    The engine drops everything that a version no longer has, with all values, in a lightweight
    stage and without asking. A property deleted by mistake, or lost in a merge, looks the same
    as one that you meant to remove. List it under `drops:` with the reason, copy its values
    with `from:`, or write `renamedFrom:` if it continues under another name.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
          packingList: String?
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        ‹Trip›:
          properties:
            name: String
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
      drops:
        Trip.packingList: never shown since 1.4
      """)
  ]
}
