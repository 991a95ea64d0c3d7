internal import SchemaEvolution

struct CodableAttributeRenamed: ChangePage {
  let kind = ChangeKind.codableAttributeRenamed
  let category = RuleCategory.dataLoss
  let foundIn = ["Schema/SchemaEvolution/Classification/Configuration+Renaming.swift"]

  let purpose = """
    SwiftData stores an enum or struct in columns, one for each part. The engine of iOS 26 finds
    them by the attribute's original name. The engine of iOS 17 and 18 looks under the new name,
    finds nothing, drops the old columns and adds empty ones: every value is lost. The same
    happens if a bridge computes the values of an attribute that keeps its name, because the
    bridge renames its columns at the end.

    Copy the values to a new name with `from:` and `convert:`, or write under `platforms:` that
    the app needs iOS 26.
    """

  let beginning = """
    version: 1.0.0
    types:
      Status: { enum: String, cases: [planned, done] }
    models:
      Trip:
        properties:
          name: String
          status: Status?
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      types:
        Status: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            ‹state›: { type: Status?, renamedFrom: status }
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      types:
        Status: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            state: { type: Status?, from: status, convert: $0, revert: $0 }
      """),
    Example(
      """
      version: 2.0.0
      types:
        Status: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            state: { type: Status?, renamedFrom: status }
      === schemagen.yaml
      platforms: { iOS: 26 }
      """),
  ]
}
