internal import SchemaEvolution
internal import SchemaModel

struct MissingRawValue: RulePage {
  let rule = Rule.missingRawValue
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step
  let foundIn = ["Schema/SchemaEvolution/Review/StepReview+Cases.swift"]

  let purpose = """
    With `own: true` the app's own code declares the enum and its raw values; a manifest only
    repeats them. A case without a raw value has its name for one. If you rename a case and
    leave the raw value out, the step would write the new name into every row, while the code
    may still say the old one: then no row decodes. Say which raw value the case has in the
    code. If it is the old one, no row changes. `schemagen detect` compares the two.
    """

  let beginning = """
    version: 1.0.0
    types:
      Progress: { enum: String, cases: { open: open, finished: done }, own: true }
    models:
      Book:
        properties:
          title: String
          progress: Progress
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      types:
        Progress: { enum: String, cases: [open, ‹read›: { renamedFrom: finished }], own: true }
      models:
        Book:
          properties:
            title: String
            progress: Progress
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      types:
        Progress:
          enum: String
          cases: { open: open, read: { rawValue: done, renamedFrom: finished } }
          own: true
      models:
        Book:
          properties:
            title: String
            progress: Progress
            pages: Int?
      """)
  ]
}
