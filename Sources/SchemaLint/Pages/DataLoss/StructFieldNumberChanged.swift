internal import SchemaEvolution

struct StructFieldNumberChanged: ChangePage {
  let kind = ChangeKind.structFieldNumberChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    Between number types the engine copies a struct's column as it is. Nothing checks the range, and a
    fraction that comes into an integer is cut when the row is read. Add a field of another name
    instead, or accept it with the reason why every number fits.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      types:
        Place: { struct: { name: String, height: Double } }
      models:
        Day:
          properties:
            date: Date
            place: Place?
      === V2.yaml
      version: 2.0.0
      types:
        Place: { struct: { name: String, ‹height›: Int } }
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
        Place: { struct: { name: String, height: Double } }
      models:
        Day:
          properties:
            date: Date
            place: Place?
      === V2.yaml
      version: 2.0.0
      types:
        Place: { struct: { name: String, height: Int } }
      models:
        Day:
          properties:
            date: Date
            place: Place?
      accept:
        - { rule: stored-type-changed, element: Place, reason: no store of V1 has places }
        - { rule: struct-field-number-changed, element: Place.height, reason: heights were always whole }
      """)
  ]
}
