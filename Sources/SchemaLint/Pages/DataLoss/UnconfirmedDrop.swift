internal import SchemaEvolution
internal import SchemaModel

struct UnconfirmedDrop: RulePage {
  let rule = Rule.unconfirmedDrop
  let category = RuleCategory.dataLoss
  let scope = RuleScope.history
  let foundIn = ["SchemaEvolution/Review/StepReview+Unconfirmed.swift"]

  let purpose = """
    `schemagen adopt` writes what a hand-written plan takes away under `drops:`, with `unconfirmed` in place of a
    reason. That the plan does it does not say that it was meant: models that get a suffix in each version lose every
    row, and nobody notices. So it stays an error until a person writes why each may go, or `renamedFrom:` where the
    values go on under another name.

    What has shipped cannot be taken back. Once the lock says that the version has (`schemagen release V2`), the same
    is a warning: in `lint` and `generate`, in `diff`, in the verdict of `rehearse` and in MIGRATIONS.md, until a person
    writes a reason.
    """

  private static let old = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
          packingList: String?

    """
  private static let new = """
    version: 2.0.0
    models:
      Trip:
        properties:
          name: String
          packingNotes: String?
    drops:

    """

  let bad = [
    Example(old + "=== V2.yaml\n" + new + "  ‹Trip.packingList›: unconfirmed"),
    Example(
      """
      version: 1.0.0
      models:
        TripV1:
          properties:
            name: String
      === V2.yaml
      version: 2.0.0
      models:
        TripV2:
          properties:
            name: String
      drops:
        ‹TripV1›: unconfirmed
      === shipped V1.yaml
      version: 1.0.0
      models:
        TripV1:
          properties:
            name: String
      === shipped V2.yaml
      version: 2.0.0
      models:
        TripV2:
          properties:
            name: String
      drops:
        TripV1: unconfirmed
      """),
  ]

  let good = [Example(old + "=== V2.yaml\n" + new + "  Trip.packingList: never shown since 1.4")]
}
