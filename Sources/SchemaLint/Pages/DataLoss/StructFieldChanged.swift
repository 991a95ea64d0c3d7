internal import SchemaEvolution

struct StructFieldChanged: ChangePage {
  let kind = ChangeKind.structFieldChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    Elements of a Codable struct are matched by their path, so a field of the same name and another
    type is given the old value. Reading one may trap, or give a fallback in place of all that was
    there. Add a field of another name, optional, and leave the old one as it is; or accept it with
    a reason.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      types:
        Place: { struct: { name: String, code: Int } }
      models:
        Day:
          properties:
            date: Date
            place: { type: Data?, encodes: Place }
      === V2.yaml
      version: 2.0.0
      types:
        Place: { struct: { name: String, ‹code›: String } }
      models:
        Day:
          properties:
            date: Date
            place: { type: Data?, encodes: Place }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      types:
        Place: { struct: { name: String, code: Int } }
      models:
        Day:
          properties:
            date: Date
            place: { type: Data?, encodes: Place }
      === V2.yaml
      version: 2.0.0
      types:
        Place: { struct: { name: String, code: Int, postalCode: String? } }
      models:
        Day:
          properties:
            date: Date
            place: { type: Data?, encodes: Place }
            visitedAt: Date?
      """)
  ]
}
