internal import SchemaEvolution
internal import SchemaModel

struct EmptyJoin: LintRule {
  let rule = Rule.emptyJoin

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.flatMap { step in
      step.new.migratedProperties.compactMap { model, property in
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
    // A number or a date converted to a string is never empty.
    let types = context.evolution.sourceTypes(for: property, of: model, in: step)
    let operands = [match.one, match.other].map { types[String($0)]?.unwrapped.description }
    guard operands.allSatisfy({ $0 == "String" }) else { return nil }
    // The help joins all parts of the expression, since the value of a part left out would be lost.
    let parts = expression.text.matches(of: /\$\d+(?:\s*\?\?\s*"[^"\\]*")?/).map {
      "\($0.output)"
    }
    let separator =
      match.separator.hasPrefix("\"") ? "\(match.separator)" : "\"\(match.separator)\""
    let element = ElementPath(model.name, property.name)
    return Diagnostic(
      rule, "if both strings are empty, the new string is only the separator",
      element: element, at: conversion.location,
      help: [
        "skip empty parts: [\(parts.joined(separator: ", "))].filter { !$0.isEmpty }.joined(separator: \(separator))",
        context.acceptance(id, element),
      ])
  }
}
