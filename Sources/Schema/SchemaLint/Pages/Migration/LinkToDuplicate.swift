internal import SchemaEvolution
internal import SchemaModel

struct LinkToDuplicate: RulePage {
  let rule = Rule.linkToDuplicate
  let category = RuleCategory.migration
  let scope = RuleScope.step
  let foundIn = ["Schema/SchemaEvolution/Review/StepReview+Dedupes.swift"]

  let purpose = """
    `dedupe:` deletes all but one of several equal rows, and the row that stays takes over their
    links. It finds these links through its own relationships. A relationship that leads to it from
    another model, and has no inverse, is not among them: that model's rows would lose their link,
    and nobody would notice. Declare the inverse in a version of its own, ship it, and make the
    values unique in the next one; or move the links in a `before` hook. With such a hook the
    finding is a warning, since its code decides.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            id: UUID
            owner: { relationship: "Person?" }
        Person:
          properties:
            email: String?
            updatedAt: Date
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            id: UUID
            owner: { relationship: "Person?" }
        Person:
          properties:
            ‹email›: { type: String?, unique: true, dedupe: { latest: updatedAt } }
            updatedAt: Date
      """, with: ["missing-inverse"])
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            id: UUID
            owner: { relationship: "Person?" }
        Person:
          properties:
            email: String?
            updatedAt: Date
            trips: { relationship: "[Trip]", inverse: owner }
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            id: UUID
            owner: { relationship: "Person?" }
        Person:
          properties:
            email: { type: String?, unique: true, dedupe: { latest: updatedAt } }
            updatedAt: Date
            trips: { relationship: "[Trip]", inverse: owner }
      """)
  ]
}
