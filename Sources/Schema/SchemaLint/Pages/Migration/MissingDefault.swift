internal import SchemaEvolution

struct MissingDefault: ChangePage {
  let kind = ChangeKind.missingDefault
  let category = RuleCategory.migration

  let purpose = """
    The new attribute is required, and its declaration has no default, so the engine has no
    value for the existing rows. The app launches if the store is empty. On a device with data
    the container does not open: Core Data throws 134110, and the app sees SwiftData's
    `loadIssueModelContainer`. A default in `init` does not help.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            ‹budget›: Int
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            budget: Int = 0
      """)
  ]
}
