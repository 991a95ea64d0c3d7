internal import SchemaEvolution
internal import SchemaModel

struct AmbiguousRename: RulePage {
  let rule = Rule.ambiguousRename
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step
  let foundIn = ["SchemaEvolution/Review/StepReview+Changes.swift"]

  let purpose = """
    To the engine a renamed property without a word about it is one that goes and one that comes:
    every value of the old column is dropped, and the new one is empty. Something that is gone and
    something new that resembles it may be such a rename, and only the author knows. Say
    `renamedFrom:`, or say under `drops:` that the old one may go; nothing is generated before.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            title: String
            startDate: Date?
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            title: String
            ‹startsAt›: Date?
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            title: String
            startDate: Date?
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            title: String
            startsAt: { type: Date?, renamedFrom: startDate }
      """)
  ]
}
