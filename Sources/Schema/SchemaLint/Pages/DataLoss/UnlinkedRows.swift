internal import SchemaEvolution
internal import SchemaModel

struct UnlinkedRows: RulePage {
  let rule = Rule.unlinkedRows
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step
  let foundIn = ["Schema/SchemaEvolution/Review/StepReview+Parts.swift"]

  let purpose = """
    A part of a model becomes a model of its own: each old row makes a row of both. Once the old columns are gone,
    only a relationship still says which photo belonged to which trip. Add exactly one new relationship between the
    two, at either end, with an inverse or without: the step links the rows by itself. If there are several, a
    function says which of them it is. If nobody ever needs to know, accept the finding with a reason; where the
    project asks for approvals, that is a loss which needs one.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          title: String
          image: Data?
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
        Photo:
          from: ‹Trip›
          properties:
            data: { type: Data?, from: image, convert: $0 }
      """),
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            title: String
            cover: { relationship: "Photo?", inverse: coverOf }
            photo: { relationship: "Photo?", inverse: trip }
        Photo:
          from: ‹Trip›
          properties:
            data: { type: Data?, from: image, convert: $0 }
            coverOf: { relationship: "Trip?" }
            trip: { relationship: "Trip?" }
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
            photo: { relationship: "Photo?", inverse: trip, deleteRule: cascade }
        Photo:
          from: Trip
          properties:
            data: { type: Data?, from: image, convert: $0 }
            trip: { relationship: "Trip?" }
      """),
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            title: String
            photos: { relationship: "[Photo]", inverse: trip, deleteRule: cascade }
        Photo:
          from: Trip
          properties:
            data: { type: Data?, from: image, convert: $0 }
            trip: { relationship: Trip }
      """),
  ]
}
