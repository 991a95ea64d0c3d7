internal import SchemaEvolution

struct TypeChanged: ChangePage {
  let kind = ChangeKind.typeChanged
  let category = RuleCategory.migration

  let purpose = """
    For most changes of type, the engine infers no mapping. On every device with a store of the
    previous version, the container does not open; a fresh install works. Core Data throws
    134140 with 134190 inside; the app sees SwiftData's `loadIssueModelContainer`, as for every
    such error. Name the property itself in `from:`, and write in `convert:` how to make a new
    value from an old one. Both columns are on disk meanwhile.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          zipCode: Int
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            ‹zipCode›: String
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            zipCode: { type: String, from: zipCode, convert: String($0) }
      """)
  ]
}
