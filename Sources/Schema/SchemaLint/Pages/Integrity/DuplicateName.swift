internal import SchemaManifest
internal import SchemaModel

struct DuplicateName: RulePage {
  let rule = Rule.duplicateName
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "Schema/SchemaManifest/Reading/NodeInterpreter+Configuration.swift",
    "Schema/SchemaManifest/Reading/NodeInterpreter+Names.swift",
    "Schema/SchemaManifest/Resolving/ReferenceResolver.swift",
  ]

  let purpose = """
    The store upper-cases names: `Trip` and `TRIP` would be one table, `url` and `URL` one
    column, and the values of one property would be read as the other's. The rule also finds a
    property that a superclass already declares, a name that appears twice in a list, and a type
    with the name of a model. Rename one of the two.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            url: String
            ‹URL›: String?
      """),
    Example(
      """
      version: 1.0.0
      types:
        Status: { enum: String, cases: [planned, done, ‹planned›] }
      models:
        Trip:
          properties:
            name: String
            status: Status?
      """),
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            url: String
            homepage: String?
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
      """),
  ]

  let isFixable = true

  /// In a list of cases or modules a second one adds nothing. In other lists another name may be meant.
  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard finding.correction == .removal, let path = context.path(of: finding),
      case .index? = path.steps.last
    else { return nil }
    return context.removal(finding, "remove the second one")
  }
}
