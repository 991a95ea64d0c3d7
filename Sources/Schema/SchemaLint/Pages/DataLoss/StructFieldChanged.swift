internal import SchemaEvolution

struct StructFieldChanged: ChangePage {
  let kind = ChangeKind.structFieldChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    The engine matches a struct's columns by path, as it matches attributes by name. A field
    with the same name and a new type is therefore a column that changes its type. For most
    types the engine cannot infer that, and the container does not open (134140, with 134190
    inside). Leave the old field and add an optional one under another name, or declare the
    changed struct under another name and convert the values.
    """

  let beginning = """
    version: 1.0.0
    types:
      Place: { struct: { name: String, code: Int } }
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
        Place: { struct: { name: String, ‹code›: String } }
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
        Place: { struct: { name: String, code: Int, postalCode: String? } }
      models:
        Day:
          properties:
            date: Date
            place: Place?
      """)
  ]
}
