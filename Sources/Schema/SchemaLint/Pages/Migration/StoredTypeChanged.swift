internal import SchemaEvolution
internal import SchemaModel

struct StoredTypeChanged: RulePage {
  let rule = Rule.storedTypeChanged
  let category = RuleCategory.migration
  let scope = RuleScope.step
  let foundIn = ["Schema/SchemaEvolution/Review/StepReview+StoredTypes.swift"]

  let purpose = """
    If a model stores an enum without raw values, each case becomes a column. Enums are declared
    once, as the newest version has them, so a changed enum also changes the models of all older
    versions. Its cases enter the checksum. The engine then no longer knows the stores of those
    versions (134504): the app crashes at launch for every user who upgrades. A rehearsal cannot
    show this.

    Give the enum raw values, in a type of a new name, and convert. Or leave it as it was,
    declare the changed one under a new name, and convert the values. Or store it as JSON with
    `encodes:`, which no checksum includes. A struct may change: models of older versions store
    a copy with the fields that it had.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          pace: Pace?
    types:
      Pace: { enum: none, cases: [slow, fast] }
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            pace: Pace?
      types:
        ‹Pace›: { enum: none, cases: [slow, fast, sprint] }
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            speed:
              type: Speed?
              from: pace
              convert: '$0.map { pace in pace == .slow ? Speed.slow : Speed.fast }'
              revert: '$0.map { speed in speed == .slow ? Pace.slow : Pace.fast }'
      types:
        Speed: { enum: String, cases: [slow, fast, sprint] }
      """)
  ]
}
