internal import SchemaEvolution

struct StructFieldNullTrap: ChangePage {
  let kind = ChangeKind.structFieldNullTrap
  let category = RuleCategory.dataLoss

  let purpose = """
    If only optional properties hold a struct, its columns may be NULL; the columns of an enum
    always may. The engine adds the new column and leaves it NULL in old rows. A row that has
    the struct then lacks a required field, and reading it may trap. An app on iOS 17 failed
    with 134110 instead. Make the new field optional. Only where `platforms:` excludes systems
    before 26, or the field is an enum, can you accept the finding: say why no old row holds a
    value of this type.
    """

  let beginning = """
    version: 1.0.0
    types:
      Place: { struct: { latitude: Double, longitude: Double } }
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
        Place: { struct: { latitude: Double, longitude: Double, ‹altitude›: Double } }
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
        Place: { struct: { latitude: Double, longitude: Double, altitude: Double? } }
      models:
        Day:
          properties:
            date: Date
            place: Place?
      """)
  ]
}
