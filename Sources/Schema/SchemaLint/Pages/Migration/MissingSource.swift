internal import SchemaEvolution
internal import SchemaModel

struct MissingSource: RulePage {
  let rule = Rule.missingSource
  let category = RuleCategory.migration
  let scope = RuleScope.step
  let foundIn = ["Schema/SchemaEvolution/Review/StepReview+Transferred.swift"]

  let purpose = """
    Rows that you move to another model are created anew, so each property needs a value: from a
    property of the same name, `renamedFrom:`, `from:` and `convert:`, `fill:`, or a default.
    For this property, generated code could only invent one. Name the property that it comes
    from, or give it a value.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
          place: String
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            place: String
            stay: { relationship: "Stay?", inverse: trip }
        Stay:
          from: Trip
          properties:
            place: String
            ‹nights›: Int
            trip: { relationship: "Trip?" }
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            place: String
            stay: { relationship: "Stay?", inverse: trip }
        Stay:
          from: Trip
          properties:
            place: String
            nights: { type: Int, fill: 1 }
            trip: { relationship: "Trip?" }
      """)
  ]
}
