internal import SchemaEvolution
internal import SchemaModel

struct SwallowedError: LintRule {
  let rule = Rule(
    "swallowed-error", .warning, "A failed conversion is not hidden",
    basis: .guide(.schemaMigration, "code review: error handling doesn't swallow critical errors"),
    isAcceptable: true)
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step

  let purpose = """
    `try?` turns every failure into nil, and nil into a default: a row whose value cannot be
    read silently loses it. Throw from a function of your own instead, `{ function: … }`: the
    migration then stops before it drops anything, and starts again when you have fixed the app.
    Accept the finding if a launch is worth more than the value.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          route: Data
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            stops: { type: Int, from: route, convert: '‹(try? Route(data: $0))?.count ?? 0›', revert: Data() }
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            stops: { type: Int, from: route, convert: { function: countStops }, revert: Data() }
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.stepExpressions.compactMap { element, conversion in
      guard case .expression(let expression) = conversion.value,
        expression.code.contains("try?")
      else { return nil }
      return Diagnostic(
        rule, "'try?' silently turns a value that cannot be read into nil",
        element: element, at: conversion.location,
        help: [
          "write 'convert: { function: … }' and let it throw",
          context.acceptance(id, element),
        ])
    }
  }
}
