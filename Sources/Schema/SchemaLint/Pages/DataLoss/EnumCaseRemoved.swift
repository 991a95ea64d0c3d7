internal import SchemaEvolution

struct EnumCaseRemoved: ChangePage {
  let kind = ChangeKind.enumCaseRemoved
  let category = RuleCategory.dataLoss

  let purpose = """
    For an enum with raw values, the store holds the raw value and knows no cases, so the engine
    sees no change. The problem shows when the app reads a row with the removed case: it may not
    decode, and reading it may trap.

    Name the case that such rows get instead (`drops: { Status.cancelled: { reason: …,
    replacedBy: done } }`). If the case only has a new name, write `renamedFrom:`. Otherwise
    keep the case and stop using it, or list it under `drops:` and say why no row holds it. In
    an enum without raw values each case is a column: see `unacknowledged-drop`.
    """

  let beginning = """
    version: 1.0.0
    types:
      Status: { enum: String, cases: [planned, done, cancelled] }
    models:
      Trip:
        properties:
          name: String
          status: Status?
    === V2.yaml
    """

  let bad = [
    Example(
      """
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
