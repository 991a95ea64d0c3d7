internal import SchemaEvolution

struct StructFieldChanged: ChangePage {
  let kind = ChangeKind.structFieldChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    Columns of a Codable struct are matched by their path, like attributes, so a field of the same name
    and another type is a change of a column's type. Between most types the engine infers nothing: the
    container cannot be opened (134140, with 134190 inside). Add a field of another name, optional, and
    leave the old one as it is; or declare the changed struct under another name and convert.
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
            place: Place?
      === V2.yaml
      version: 2.0.0
      types:
        Place: { struct: { name: String, ‹code›: String } }
      models:
        Day:
          properties:
            date: Date
            place: Place?
      accept:
        - { rule: stored-type-changed, element: Place, reason: no store of V1 has places }
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
            place: Place?
      === V2.yaml
      version: 2.0.0
      types:
        Place: { struct: { name: String, code: Int, postalCode: String? } }
      models:
        Day:
          properties:
            date: Date
            place: Place?
      accept:
        - { rule: stored-type-changed, element: Place, reason: no store of V1 has places }
      """)
  ]
}
