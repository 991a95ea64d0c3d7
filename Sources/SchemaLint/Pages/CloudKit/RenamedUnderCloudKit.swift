internal import SchemaEvolution

struct RenamedUnderCloudKit: ChangePage {
  let kind = ChangeKind.renamedUnderCloudKit
  let category = RuleCategory.cloudKit
  let foundIn = ["SchemaEvolution/Classification/Configuration+Renaming.swift"]

  let purpose = """
    In a file that CloudKit mirrors the engine refuses to rename a property: the migration fails with
    134110, "Properties cannot be renamed in stores that are used with CloudKit". So it does where a
    bridge makes the values of a property that keeps its name, since its column is renamed in the end.
    Keep the name in the store and give the domain entity another one with `entityProperty:`, or carry
    the values into a new name with `from:` and `convert:`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Entry:
          properties:
            units: String = ""
      === V2.yaml
      version: 2.0.0
      models:
        Entry:
          properties:
            ‹unit›: { type: String, default: '""', renamedFrom: units }
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Entry:
          properties:
            units: String = ""
      === V2.yaml
      version: 2.0.0
      models:
        Entry:
          entity: Intake
          properties:
            units: { type: String, default: '""', entityProperty: unit }
            note: String?
      === schemagen.yaml
      cloudKit: private
      """)
  ]
}
