internal import SchemaEvolution
internal import SchemaModel

struct SwallowedError: LintRule {
  let rule = Rule.swallowedError

  func findings(in context: LintContext) -> [Diagnostic] {
    context.stepExpressions.compactMap { element, conversion in
      guard case .expression(let expression) = conversion.value,
        expression.code.contains("try?")
      else { return nil }
      return Diagnostic(
        rule, "'try?' silently turns a value that cannot be read into nil",
        element: element, at: conversion.location,
        help: [
          "write 'convert: { function: … }' and let the function throw",
          context.acceptance(id, element),
        ])
    }
  }
}
