internal import SchemaEvolution
internal import SchemaModel

struct UnconfirmedDrop: RulePage {
  let rule = Rule.unconfirmedDrop
  let category = RuleCategory.dataLoss
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaEvolution/Review/StepReview+Unconfirmed.swift"]

  let purpose = """
    `schemagen adopt` lists what your migration plan removes under `drops:`, with `unconfirmed`
    instead of a reason. Your plan removes it, but that does not prove that you meant to: if
    models get a new suffix in each version, every row is lost, and nobody notices. The finding
    stays an error until you write why each element may go, or write `renamedFrom:` if its
    values continue under another name.

    You cannot take back what has shipped. Once the lock marks the version as shipped
    (`schemagen release V2`), the finding becomes a warning: in `lint` and `generate`, in
    `diff`, in the verdict of `rehearse` and in MIGRATIONS.md, until you write a reason.
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

  let good = [
    Example(
      old + "=== V2.yaml\n" + new
        + "  Trip.packingList: { reason: never shown since 1.4, notCarriedTo: packingNotes }")
  ]
}
