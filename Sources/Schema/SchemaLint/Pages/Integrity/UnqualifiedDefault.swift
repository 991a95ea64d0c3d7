internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel

struct UnqualifiedDefault: RulePage {
  let rule = Rule.unqualifiedDefault
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/Reading/NodeInterpreter+Attributes.swift"]

  let purpose = """
    `@Model` copies the text of a default to a place of type `Any?`, where the compiler cannot
    tell which type `.planned` belongs to. The generated class does not compile, and the error
    points into the macro's expansion. Write the type in front of the member: `Status.planned`,
    `Date.now`.
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
            status: Status = ‹.planned›
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
            status: { type: Status, default: ‹.planned› }
      """),
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
            status: Status = Status.planned
      """)
  ]

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard case .write(let whole, let member?)? = finding.correction else { return nil }
    let title = "write '\(whole)'"
    if let path = context.path(of: finding) {
      return context.replacement(of: path, with: ManifestEdit.scalar(whole), finding, title)
    }
    // In the short form the expression stands behind the type.
    guard let path = finding.path.flatMap(YAMLPath.init(property:)),
      let short = context.document?.node(at: path)?.scalar, short.text.hasSuffix(member)
    else { return nil }
    let text = String(short.text.dropLast(member.count)) + whole
    return context.replacement(of: path, with: ManifestEdit.scalar(text), finding, title)
  }
}
