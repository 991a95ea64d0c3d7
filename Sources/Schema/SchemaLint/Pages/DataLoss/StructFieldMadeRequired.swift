internal import SchemaEvolution

struct StructFieldMadeRequired: ChangePage {
  let kind = ChangeKind.structFieldMadeRequired
  let category = RuleCategory.dataLoss

  let purpose = """
    A row with nil in this field has no value for a required one. If a required property holds
    the struct, the migration fails with error 134110. If only optional properties hold it, nil
    stays, and reading the row may trap. Keep the field optional, or declare the changed struct
    under another name and convert the values.
    """

  let beginning = """
    version: 1.0.0
    types:
      Place: { struct: { name: String, code: Int? } }
    models:
      Day:
        properties:
          date: Date
          place: Place
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      types:
        Place: { struct: { name: String, ‹code›: Int } }
      models:
        Day:
          properties:
            date: Date
            place: Place
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      types:
        Place: { struct: { name: String, code: Int?, street: String? } }
      models:
        Day:
          properties:
            date: Date
            place: Place
      """)
  ]
}
