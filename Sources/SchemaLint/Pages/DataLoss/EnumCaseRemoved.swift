internal import SchemaEvolution

struct EnumCaseRemoved: ChangePage {
  let kind = ChangeKind.enumCaseRemoved
  let category = RuleCategory.dataLoss

  let purpose = """
    Of an enum with raw values the store keeps the raw value and knows nothing of cases, so the
    engine sees no change at all. A row that holds the removed case is met when it is read: it may not decode, and reading it may trap.
    Say which case its rows take (`drops: { Status.cancelled: { reason: …, replacedBy: done } }`), or
    that it has another name now (`renamedFrom:`); else keep the case and stop using it, or
    acknowledge it under `drops:` with the reason why no row holds it. Without raw values each case is a column: see `unacknowledged-drop`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      types:
        Status: { enum: String, cases: [planned, done, cancelled] }
      models:
        Trip:
          properties:
            name: String
            status: Status?
      === V2.yaml
      version: 2.0.0
      types:
        ‹Status›: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            status: Status?
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      types:
        Status: { enum: String, cases: [planned, done, cancelled] }
      models:
        Trip:
          properties:
            name: String
            status: Status?
      === V2.yaml
      version: 2.0.0
      types:
        Status: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            status: Status?
      drops:
        Status.cancelled: no release ever offered it
      """)
  ]
}
