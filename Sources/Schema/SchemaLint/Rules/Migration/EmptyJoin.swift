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
      Door:
        properties:
          floor: Int
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
        Door:
          properties:
            floor: Int
            town: String
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
        Door:
          properties:
            floor: Int
            town: String
      """),
    Example(
      """
      version: 2.0.0
      models:
        Person:
          properties:
            street: String
            town: String
        Door:
          properties:
            place: { type: String, from: [floor, town], convert: '"\\($0), \\($1)"', revert: { floor: 'Int($0.prefix { $0 != "," }) ?? 0', town: 'String($0.drop { $0 != "," }.dropFirst(2))' } }
      """),
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.flatMap { step in
      context.history[step.to].migratedProperties.compactMap { model, property in
        property.migration.convert.flatMap { finding($0, property, model, step, context) }
      }
    }
  }

  private func finding(
    _ conversion: Located<Conversion>, _ property: Property, _ model: Model, _ step: VersionStep,
    _ context: LintContext
  ) -> Diagnostic? {
    guard case .expression(let expression) = conversion.value,
      let match = expression.text.firstMatch(
        of: /(?<one>\$\d+)\s*\+\s*(?<separator>"[^"\\]+")\s*\+\s*(?<other>\$\d+)/)
        ?? expression.text.firstMatch(
          of: /"\\\((?<one>\$\d+)\)(?<separator>[^"\\]+)\\\((?<other>\$\d+)\)"/)
    else { return nil }
    // A number or a date that is written into a text is never an empty one.
    let types = context.evolution.sourceTypes(for: property, of: model, in: step)
    let operands = [match.one, match.other].map { types[String($0)]?.unwrapped.description }
    guard operands.allSatisfy({ $0 == "String" }) else { return nil }
    // All of them: what is left out here would be lost.
    let parts = expression.text.matches(of: /\$\d+(?:\s*\?\?\s*"[^"\\]*")?/).map {
      "\($0.output)"
    }
    let separator =
      match.separator.hasPrefix("\"") ? "\(match.separator)" : "\"\(match.separator)\""
    let element = ElementPath(model.name, property.name)
    return Diagnostic(
      rule, "where both texts are empty, the new one is the separator alone",
      element: element, at: conversion.location,
      help: [
        "leave empty parts out: [\(parts.joined(separator: ", "))].filter { !$0.isEmpty }.joined(separator: \(separator))",
        context.acceptance(id, element),
      ])
  }
}
