internal import SchemaEvolution

struct MissingDefault: ChangePage {
  let kind = ChangeKind.missingDefault
  let category = RuleCategory.migration

  let purpose = """
    A new attribute that is neither optional nor has a default at its declaration leaves the engine without a value
    for the rows that are there. The app launches wherever the store is empty; on a device with data
    the container cannot be opened: Core Data throws 134110, and the app sees SwiftData's
    `loadIssueModelContainer`. A default in `init` does not count.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === V2.yaml
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
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            budget: Int = 0
      """)
  ]
}
