internal import SchemaEvolution
internal import SchemaModel

struct CaseNotCarried: RulePage {
  let rule = Rule.caseNotCarried
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step
  let foundIn = [
    "Schema/SchemaEvolution/Review/HistoryReview.swift",
    "Schema/SchemaEvolution/Review/StepReview+Cases.swift",
  ]

  let purpose = """
    The engine sees neither cases nor raw values. If you rename or replace a case, the step
    therefore goes through the rows and writes the new raw value. It can do so only in a
    property whose type is the enum itself. It cannot in a Codable struct, an array or the JSON
    of `encodes:`, nor with an enum without raw values, whose cases are columns.

    Two more changes are refused. In a unique key, two rows would become equal. And you cannot
    give an old raw value to another case: after a kill, nobody could tell which rows have
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
