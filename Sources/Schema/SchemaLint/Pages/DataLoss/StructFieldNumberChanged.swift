internal import SchemaEvolution

struct StructFieldNumberChanged: ChangePage {
  let kind = ChangeKind.structFieldNumberChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    Between number types, the engine copies a struct's column unchanged. It checks no range, and
    a fraction in an integer field is cut off when the app reads the row. Add a field under
    another name instead, or accept the finding and say why every number fits.
    """

  let beginning = """
    version: 1.0.0
    types:
      Place: { struct: { name: String, height: Double } }
    models:
      Day:
        properties:
          date: Date
          place: Place?
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      types:
        Place: { struct: { name: String, ‹height›: Int } }
      models:
        Day:
          properties:
            date: Date
            place: Place?
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      types:
        Place: { struct: { name: String, height: Int } }
      models:
        Day:
          properties:
            date: Date
            place: Place?
      accept:
        - { rule: struct-field-number-changed, element: Place.height, reason: heights were always whole }
      """)
  ]
}
