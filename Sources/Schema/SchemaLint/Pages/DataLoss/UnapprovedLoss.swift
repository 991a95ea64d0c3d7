package import SchemaModel

extension Rule {
  package static let unapprovedLoss = Rule(
    "unapproved-loss", "A loss of shipped data has been approved", basis: .page("approvals"))
}

struct UnapprovedLoss: RulePage {
  let rule = Rule.unapprovedLoss
  let category = RuleCategory.dataLoss
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaWorkspace/Approvals/LossReview.swift"]

  let purpose = """
    `schemagen.yaml` says `approvals: owners` or `approvals: base`: nobody alone may lose data
    that users have. A reason under `drops:` or `accept:` is the author's word. Somebody else
    looks at the loss, and `schemagen approve` writes it down in `approvals.json`, for which the
    platform asks the file's owners. The loss counts, not the finding: a rule that is off, a
    baseline or a deleted lock changes nothing in it.

    With `check --against` it is an error. Without `--against` it is a warning. Where nothing asks
    for approvals, `check --against` shows what the change loses on its author's word as a note.
    """

  private static let versions = """
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
      ‹Trip.packingList›: never shown since 1.4
    === schemagen.yaml
    approvals: owners
    """
  private static let shipped = """

    === shipped V1.yaml
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
          packingList: String?
    """

  let bad = [Example(versions + shipped)]

  let good = [
    Example(
      versions.replacing("‹", with: "").replacing("›", with: "")
        + """

        === approvals.json
        {
          "approvals": [
            {
              "answer": "String?",
              "element": "Trip.packingList",
              "loses": "remove an attribute: the engine drops the column with all its values",
              "rule": "attribute-removed",
              "version": "2.0.0"
            }
          ],
          "format": 1
        }
        """ + shipped)
  ]
}
