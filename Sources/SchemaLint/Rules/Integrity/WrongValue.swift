internal import SchemaDiagnostics
internal import SchemaManifest
internal import YAMLSource

struct WrongValue: LintRule {
  let rule = Rule.wrongValue
  let category = RuleCategory.integrity
  let scope = RuleScope.history

  let purpose = """
    A key takes a value of one kind: `true` or `false`, a whole number, one of a few words, a list,
    a mapping. Values are taken word for word and not as YAML would understand them, so `yes` is not
    `true` here, and would be a text to one reader and a truth to another. Write what the message
    says.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            code: { type: String, unique: ‹yes› }
      """),
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          index: [‹name›]
          properties:
            name: String
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
            code: { type: String, unique: true }
      """),
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          index: [[name]]
          properties:
            name: String
      """),
  ]

  let isFixable = true

  /// Of a truth value that is spelt otherwise there is one that was meant.
  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    let value: String
    switch finding.help {
    case ["write true"]: value = "true"
    case ["write false"]: value = "false"
    default: return nil
    }
    guard let path = context.path(of: finding) else { return nil }
    return context.replacement(of: path, with: value, finding, "write \(value)")
  }
}
