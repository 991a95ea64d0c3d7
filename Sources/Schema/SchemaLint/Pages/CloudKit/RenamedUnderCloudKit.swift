internal import SchemaEvolution

struct RenamedUnderCloudKit: ChangePage {
  let kind = ChangeKind.renamedUnderCloudKit
  let category = RuleCategory.cloudKit
  let foundIn = ["Schema/SchemaEvolution/Classification/Configuration+Renaming.swift"]

  let purpose = """
    If CloudKit mirrors the store, the engine refuses to rename a property: the migration fails
    with 134110, "Properties cannot be renamed in stores that are used with CloudKit". The same
    happens if a bridge computes the values of a property that keeps its name, because the
    bridge renames its column at the end. Keep the name in the store, and give the domain entity
    another one with `entityProperty:`, or the class a computed property. Where the store needs
    another name, add an optional property and let the app fill it. A copy with `from:` and
    `convert:` is no way: what is in the cloud stays under the old name (`cloudkit-removal`).
    """

  let beginning = """
    version: 1.0.0
    models:
      Entry:
        properties:
          units: String = ""
    === V2.yaml
    """

  let bad = [
    Example(
      """
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
