internal import SchemaEvolution

struct CodableAttributeRenamed: ChangePage {
  let kind = ChangeKind.codableAttributeRenamed
  let category = RuleCategory.dataLoss
  let foundIn = ["SchemaEvolution/Classification/Configuration+Renaming.swift"]

  let purpose = """
    An enum or struct is stored in columns of its parts. The engine of iOS 26 finds them by the
    attribute's original name; that of iOS 17 and 18 looks under the present name, finds nothing, and
    drops and adds them: every value is lost. So it is where a bridge makes the values of an attribute
    that keeps its name, since its columns are renamed in the end. Carry the values into a new name with
    `from:` and `convert:`, or say with `platforms:` that the app runs on no system before 26.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      types:
        Status: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            status: Status?
      === V2.yaml
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
      version: 1.0.0
      types:
        Status: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            status: Status?
      === V2.yaml
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
      version: 1.0.0
      types:
        Status: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            status: Status?
      === V2.yaml
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
