internal import SchemaEvolution

struct TypeChanged: ChangePage {
  let kind = ChangeKind.typeChanged
  let category = RuleCategory.migration

  let purpose = """
    Between most types the engine infers no mapping: wherever a store of the version before lies,
    the container cannot be opened, while a fresh install works. Core Data throws 134140 with 134190
    inside; an app sees SwiftData's `loadIssueModelContainer`, as it does for every such error. Name
    the property itself in `from:` and say in `convert:` how an old value becomes a new one; both
    columns are on disk while that is done.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            zipCode: Int
      === V2.yaml
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
      version: 1.0.0
      models:
        Trip:
          properties:
            zipCode: Int
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            zipCode: { type: String, from: zipCode, convert: String($0) }
      """)
  ]
}
