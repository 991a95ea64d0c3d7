internal import SchemaManifest
package import SchemaModel

extension Rule {
  package static let unknownID = Rule(
    "unknown-rule", "A rule has this id", basis: .manifest)
}

struct UnknownRule: RulePage {
  let rule = Rule.unknownID
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "Schema/SchemaWorkspace/Rules/RuleCatalog.swift",
    "Swift/SwiftSources/Lint/SourceAcceptances.swift",
  ]

  let purpose = """
    No rule has this id. Under `rules:` or `accept:` it does nothing, though it looks as if it
    did. `schemagen explain` lists all rules.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
    === schemagen.yaml
    """

  let bad = [
    Example(
      """
      rules:
        ‹missing-inverze›: error
      """)
  ]

  let good = [
    Example(
      """
      rules:
        missing-inverse: error
      """)
  ]

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard case .write(let name, _)? = finding.correction, let path = context.path(of: finding),
      let file = finding.location?.file, let root = context.document
    else { return nil }
    let title = "write '\(name)'"
    if root.entry(at: path)?.keyLocation == finding.location {
      return Fix(title, in: file, .renameKey(path, to: name))
    }
    return root.node(at: path)?.scalar == nil
      ? nil : Fix(title, in: file, .replace(path, with: name))
  }
}
