internal import SchemaEvolution

struct StructFieldAdded: ChangePage {
  let kind = ChangeKind.structFieldAdded
  let category = RuleCategory.dataLoss

  let purpose = """
    The fields of a Codable struct are columns of their own, or JSON that was written without the
    new one. Old rows have nothing for it: reading one traps, or gives a fallback in place of all
    that was there. Make the new field optional, or accept it with the reason why no old row holds a
    value of this type.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      types:
        Place: { struct: { latitude: Double, longitude: Double } }
      models:
        Day:
          properties:
            date: Date
            place: { type: Data?, encodes: Place }
      === V2.yaml
      version: 2.0.0
      types:
        Place: { struct: { latitude: Double, longitude: Double, ‹altitude›: Double } }
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
        Place: { struct: { latitude: Double, longitude: Double } }
      models:
        Day:
          properties:
            date: Date
            place: { type: Data?, encodes: Place }
      === V2.yaml
      version: 2.0.0
      types:
        Place: { struct: { latitude: Double, longitude: Double, altitude: Double? } }
      models:
        Day:
          properties:
            date: Date
            place: { type: Data?, encodes: Place }
            visitedAt: Date?
      """)
  ]
}
