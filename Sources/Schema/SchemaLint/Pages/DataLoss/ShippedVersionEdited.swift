package import SchemaModel

extension Rule {
  package static let shippedVersionEdited = Rule(
    "shipped-version-edited", "A shipped version was edited",
    basis: .guide(.versionedSchema, "don't edit old schema versions retroactively"))
}

struct ShippedVersionEdited: RulePage {
  let rule = Rule.shippedVersionEdited
  let category = RuleCategory.dataLoss
  let scope = RuleScope.history
  let foundIn = [
    "Schema/SchemaWorkspace/Base/BaseComparison.swift",
    "Schema/SchemaWorkspace/Lock/SchemaLock+Reading.swift",
  ]

  let purpose = """
    Stores of a shipped version are on users' devices, and the engine recognises them by their
    exact models. If you change one property, it no longer knows those stores (134504), and the
    app crashes at launch for every user who upgrades. Restore the manifest and make the change
    in a new version. Comments and the order of keys may change at any time. `--against` finds
    the same edit without the lock.
    """

  let bad = [
    Example(
      """
      ‹version›: 1.0.0
      models:
        Trip:
          properties:
            name: String?
      === shipped V1.yaml
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      """)
  ]

  let good = [
    Example(
      """
      # A comment is not a change.
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
            name: String?
      === shipped V1.yaml
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      """)
  ]
}
