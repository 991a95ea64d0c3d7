internal import SchemaEvolution
internal import SchemaModel

struct UnacknowledgedDrop: RulePage {
  let rule = Rule.unacknowledgedDrop
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step
  let foundIn = ["SchemaEvolution/Review/StepReview+Changes.swift"]

  let purpose = """
    What a version does not have any more, the engine drops with all its values, in a lightweight
    stage and without a question. A property that was deleted by mistake, or in a merge, looks the
    same as one that may go. Acknowledge it under `drops:` with the reason, carry its values with
    `from:`, or say `renamedFrom:` where it goes on under another name.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            packingList: String?
      === V2.yaml
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
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            packingList: String?
      === V2.yaml
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
