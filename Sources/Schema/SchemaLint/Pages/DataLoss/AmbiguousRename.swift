internal import SchemaEvolution
internal import SchemaModel

struct AmbiguousRename: RulePage {
  let rule = Rule.ambiguousRename
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step
  let foundIn = ["Schema/SchemaEvolution/Review/StepReview+Drops.swift"]

  let purpose = """
    One property is gone and a similar one is new. If you renamed it and do not say so, the
    engine sees a removal and an addition: it drops the old column with every value and adds an
    empty one. Only you know which it is. Write `renamedFrom:` to keep the values, or list the
    old property under `drops:` to let them go. schemagen generates nothing until you do.

    A reason is quickly written. So beside something new of the same kind, which could take the
    values, `drops:` names with `notCarriedTo:` what does not take them. The first guide's
    pitfall 1, a default in place of each user's setting, looks like this.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          title: String
          startDate: Date?
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            title: String
            ‹startsAt›: Date?
      """),
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            title: String
            remindedAt: Date?
      drops:
        ‹Trip.startDate›: the list sorts by name now
      """),
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            title: String
            startsAt: { type: Date?, renamedFrom: startDate }
      """),
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            title: String
            remindedAt: Date?
      drops:
        Trip.startDate: { reason: the list sorts by name now, notCarriedTo: remindedAt }
      """),
  ]
}
