internal import SchemaEvolution
internal import SchemaModel

struct EmptyJoin: LintRule {
  let rule = Rule(
    "empty-join", .warning, "Two empty texts do not become a separator",
    basis: .manifest, isAcceptable: true)
  let category = RuleCategory.migration
  let scope = RuleScope.step

  let purpose = """
    Two texts that are joined by a separator give the separator alone where both are empty, and begin or end with it
    where one is: an address becomes `, `. Leave empty parts out.
    """

  let beginning = """
    version: 1.0.0
    models:
      Person:
        properties:
          street: String
          town: String
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Person:
          properties:
            address: { type: String, from: [street, town], convert: '‹$0 + ", " + $1›', revert: { street: $0, town: '""' } }
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Person:
          properties:
            address: { type: String, from: [street, town], convert: '[$0, $1].filter { !$0.isEmpty }.joined(separator: ", ")', revert: { street: $0, town: '""' } }
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.stepExpressions.compactMap { element, conversion in
      guard case .expression(let expression) = conversion.value,
        let match = expression.text.firstMatch(
          of: /(?<one>\$\d+)\s*\+\s*(?<separator>"[^"\\]+")\s*\+\s*(?<other>\$\d+)/)
          ?? expression.text.firstMatch(
            of: /"\\\((?<one>\$\d+)\)(?<separator>[^"\\]+)\\\((?<other>\$\d+)\)"/)
      else { return nil }
      // All of them: what is left out here would be lost.
      let parts = expression.text.matches(of: /\$\d+(?:\s*\?\?\s*"[^"\\]*")?/).map {
        "\($0.output)"
      }
      let separator =
        match.separator.hasPrefix("\"") ? "\(match.separator)" : "\"\(match.separator)\""
      return Diagnostic(
        rule, "where both texts are empty, the new one is the separator alone",
        element: element, at: conversion.location,
        help: [
          "leave empty parts out: [\(parts.joined(separator: ", "))].filter { !$0.isEmpty }.joined(separator: \(separator))",
          context.acceptance(id, element),
        ])
    }
  }
}
