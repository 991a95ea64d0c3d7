internal import SchemaDiagnostics
internal import SchemaManifest

struct DuplicateName: LintRule {
  let rule = Rule.duplicateName
  let category = RuleCategory.integrity
  let scope = RuleScope.history

  let purpose = """
    The store upper-cases names: `Trip` and `TRIP` would be one table, `url` and `URL` one column,
    and the values of one property would be read as the other's. The same holds for a property that
    a superclass declares already, for a name that stands twice in a list, and for a type that is
    called like a model. Give one of the two another name.
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
            url: String
            homepage: String?
      """)
  ]
}
