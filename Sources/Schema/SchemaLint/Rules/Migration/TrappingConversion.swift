internal import SchemaEvolution
internal import SchemaModel

struct TrappingConversion: LintRule {
  let rule = Rule(
    "trapping-conversion", .warning, "A conversion does not trap",
    basis: .guide(
      .schemaMigration, "pitfall 6: app crashes on migration with \"Unexpectedly found nil\""),
    isAcceptable: true)
  let category = RuleCategory.migration
  let scope = RuleScope.step

  let purpose = """
    An expression with `!`, `try!`, `as!` or `fatalError` works for the rows that you thought
    of. On a device with one other row, the migration traps, and so does every launch after it.
    Write what such a row gets: `?? …`. An expression of `expect:` that traps ends a rehearsal,
    and a launch.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          length: String
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            days: { type: Int, from: length, convert: ‹Int($0)!›, revert: String($0) }
      """),
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            length: String
            days: Int = 0
      expect:
        - Trip: ‹new.days == Int(old.length)!›
      """),
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            length: String
            price: Double = 0
            cents: Int = 0
      expect:
        - Trip: ‹new.cents == Int(new.price * 100)›
      """),
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            days: { type: Int, from: length, convert: Int($0) ?? 0, revert: String($0) }
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    conversions(context) + expectations(context)
  }

  /// Those of shipped steps are held by the next release too.
  private func expectations(_ context: LintContext) -> [Diagnostic] {
    context.evolution.steps.flatMap { step in
      context.history[step.to].expectations.compactMap { expectation in
        guard case .holds(let expression) = expectation.claim else { return nil }
        let element = ElementPath(expectation.model.value)
        let help: String
        let mark: String
        if let trap = expression.trap {
          mark = trap
          help = "compare it as it is: nil is equal to nil, and to no value"
        } else if let cast = expression.cast(
          ofFractions: context.evolution.fractions(of: expectation, step))
        {
          mark = cast.text
          help = "write \(cast.safe), and quotes around the whole expression"
        } else {
          return nil
        }
        return Diagnostic(
          rule, "'\(mark)' ends a launch on a row that the expectation did not expect",
          element: element, at: expectation.location,
          help: [help, context.acceptance(id, element)])
      }
    }
  }

  private func conversions(_ context: LintContext) -> [Diagnostic] {
    context.stepExpressions.compactMap { element, conversion in
      guard case .expression(let expression) = conversion.value,
        let mark = expression.trap
      else { return nil }
      return Diagnostic(
        rule, "'\(mark)' crashes the app on a row that the conversion did not expect",
        element: element, at: conversion.location,
        help: [
          "say what such a row gets: '?? …'",
          context.acceptance(id, element),
        ])
    }
  }
}
