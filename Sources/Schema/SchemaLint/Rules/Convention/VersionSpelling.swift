internal import SchemaManifest
internal import SchemaModel

struct VersionSpelling: LintRule {
  let rule = Rule(
    "version-spelling", .note, "A version has all three numbers",
    basis: .guide(.schemaChange, "version numbering"), isAcceptable: true)
  let category = RuleCategory.convention
  let scope = RuleScope.version

  let purpose = """
    `Schema.Version` has three numbers, and so have logs and the lock. `version: 9` means 9.0.0;
    write it in full, and a search for 9.0.0 finds it.
    """

  let bad = [
    Example(
      """
      version: ‹1› # the first one
      models:
        Trip:
          properties:
            name: String
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0 # the first one
      models:
        Trip:
          properties:
            name: String
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard let node = context.newestDocument?.entry("version")?.value, let text = node.scalar?.text,
      text != context.newest.number.description
    else { return [] }
    return [
      Diagnostic(
        rule, "'\(text)' stands for \(context.newest.number)", element: context.newest.number.name,
        at: node.location, help: ["write '\(context.newest.number)'"])
    ]
  }

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard let number = context.context?.newest.number else { return nil }
    return context.replacement(
      of: ["version"], with: number.description, finding, "write three numbers")
  }
}
