internal import SchemaEvolution
internal import SchemaModel

struct CaseNotCarried: RulePage {
  let rule = Rule.caseNotCarried
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step
  let foundIn = [
    "SchemaEvolution/Review/HistoryReview.swift",
    "SchemaEvolution/Review/StepReview+Cases.swift",
  ]

  let purpose = """
    The engine sees neither cases nor raw values, so a step that renames or replaces a case goes over
    the rows and writes the new raw value. It reaches a property whose type is the enum, and nothing
    else: not the enum in a Codable struct or an array, nor in the JSON of `encodes:`; nor an enum
    without raw values, whose cases are columns. In a unique key two rows would become alike. And an
    old raw value may not stand for another case: after a kill nobody could tell which rows have
    changed already.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      types:
        Kind: { enum: String, cases: [walk, ride] }
        Leg: { struct: { kind: Kind, distance: Int } }
      models:
        Trip:
          properties:
            name: String
            leg: Leg
      === V2.yaml
      version: 2.0.0
      types:
        Kind: { enum: String, cases: [walk, ‹bike›: { renamedFrom: ride }] }
        Leg: { struct: { kind: Kind, distance: Int } }
      models:
        Trip:
          properties:
            name: String
            leg: Leg
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      types:
        Kind: { enum: String, cases: [walk, ride, swim] }
      models:
        Trip:
          properties:
            name: String
            kind: Kind
      === V2.yaml
      version: 2.0.0
      types:
        Kind: { enum: String, cases: [walk, bike: { renamedFrom: ride }] }
      models:
        Trip:
          properties:
            name: String
            kind: Kind
      drops:
        Kind.swim: { reason: nobody swims to work, replacedBy: walk }
      """)
  ]
}
