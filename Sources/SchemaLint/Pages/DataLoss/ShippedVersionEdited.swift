package import SchemaModel

extension Rule {
  package static let shippedVersionEdited = Rule(
    "shipped-version-edited", "A version that has shipped is not what it was",
    basis: .guide(.versionedSchema, "don't edit old schema versions retroactively"))
}

struct ShippedVersionEdited: RulePage {
  let rule = Rule.shippedVersionEdited
  let category = RuleCategory.dataLoss
  let scope = RuleScope.history
  let foundIn = [
    "SchemaWorkspace/Base/BaseComparison.swift",
    "SchemaWorkspace/Lock/SchemaLock+Reading.swift",
  ]

  let purpose = """
    Stores of a version that has shipped are on people's devices. Its models are recognised by what they were: with one
    property changed, the framework no longer knows those stores (134504), and the app crashes at launch for everybody
    who upgrades. Restore the manifest, and make the change in a new version. Comments and the order of keys may change
    at any time. `--against` finds the same without the lock's help.
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
