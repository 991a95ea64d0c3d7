internal import SchemaDiagnostics
internal import SchemaModel
internal import YAMLSource

struct RedundantRawValue: LintRule {
  let rule = Rule(
    "redundant-raw-value", .note, "A raw value that is the case's name is not written",
    basis: .manifest, isAcceptable: true)
  let category = RuleCategory.convention
  let scope = RuleScope.version

  let purpose = """
    The raw value of a string enum's case is its name unless something else is said. Written out, each case says
    everything twice, and a case whose raw value really differs is easily overlooked.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            kind: Kind?
      types:
        Kind: { enum: String, cases: { ‹city›: city, beach: seaside } }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            kind: Kind?
      types:
        Kind: { enum: String, cases: [city, beach] }
      """),
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            kind: Kind?
      types:
        Kind: { enum: String, cases: { city:, beach: seaside } }
      """),
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard let document = context.newestDocument else { return [] }
    return context.newest.types.flatMap { type -> [Diagnostic] in
      guard case .enumeration(.named("String", arguments: [])?, _) = type.kind else { return [] }
      let cases = document.node(at: ["types", .key(type.name), "cases"])?.entries ?? []
      return cases.filter { $0.value.scalar?.text == $0.key }.map { entry in
        Diagnostic(
          rule, "the raw value of '\(type.name).\(entry.key)' is its name anyway",
          element: "\(type.name).\(entry.key)", at: entry.keyLocation,
          help: ["write '\(entry.key):' with nothing behind it"])
      }
    }
  }

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard let path = context.path(of: finding) else { return nil }
    return context.replacement(of: path, with: "", finding, "remove the raw value")
  }
}
