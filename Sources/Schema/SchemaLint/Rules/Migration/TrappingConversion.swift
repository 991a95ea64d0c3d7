internal import SchemaEvolution
internal import SchemaModel

struct TrappingConversion: LintRule {
  let rule = Rule(
    "trapping-conversion", .error, "A conversion does not trap",
    basis: .guide(
      .schemaMigration, "pitfall 6: app crashes on migration with \"Unexpectedly found nil\""),
    isAcceptable: true)
  let category = RuleCategory.migration
  let scope = RuleScope.step

  let purpose = """
    An expression with `!`, `try!`, `as!` or `fatalError` works for the rows that you thought
    of. So does `Int($0 * 100)`: it traps where the price is infinite, no number or too large,
    and makes 1998 cents of 19.99. `UInt8($0)` traps above 255, `$0.split(separator: " ")[1]`
    on a text of one word. On a device with one such row, the migration traps, and so does every
    launch after it. Write what is nil there, such as `Int(exactly: ($0 * 100).rounded())`, and
    what such a row gets: nothing, in an optional property, or `?? …`.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          length: String
          price: Double
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            length: String
            cents: { type: Int, from: price, convert: ‹Int($0 * 100)›, revert: Double($0) / 100 }
      """),
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            days: { type: Int, from: length, convert: ‹Int($0)!›, revert: String($0) }
            price: Double
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
            price: Double
      """),
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            length: String
            cents: { type: Int?, from: price, convert: 'Int(exactly: ($0 * 100).rounded())', revert: '$0.map { Double($0) / 100 } ?? 0' }
      """),
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.flatMap { step in
      context.history[step.to].migratedProperties.flatMap { model, property in
        [property.migration.convert, property.migration.fill].compactMap { conversion in
          conversion.flatMap { finding($0, property, model, step, context) }
        }
      }
    }
  }

  private func finding(
    _ conversion: Located<Conversion>, _ property: Property, _ model: Model, _ step: VersionStep,
    _ context: LintContext
  ) -> Diagnostic? {
    guard case .expression(let expression) = conversion.value else { return nil }
    let numbers = context.evolution.numbers(for: property, of: model, in: step)
    let cast = expression.cast(of: numbers ?? [:]) ?? (numbers == nil ? nil : expression.element)
    guard let mark = expression.trap ?? cast?.text else { return nil }
    let element = ElementPath(model.name, property.name)
    var help = "say what such a row gets: '?? …'"
    if expression.trap == nil, let cast {
      let types = context.evolution.sourceTypes(for: property, of: model, in: step)
      let isList = types["$0"]?.unwrapped.isCollection ?? false
      help =
        "write \(cast.safe), which is nil there, "
        + (cast.isMapped ? "'\(isList ? "compactMap" : "flatMap")' in place of 'map', " : "")
        + (property.type.isOptional
          ? "and quotes around the whole expression" : "and what such a row gets: '?? …'")
    }
    return Diagnostic(
      rule,
      expression.trap == nil && cast?.isTrap == false
        ? "'\(mark)' makes another number of one that does not fit"
        : "'\(mark)' crashes the app on a row that the conversion did not expect",
      element: element, at: conversion.location,
      help: [help, context.acceptance(id, element)])
  }
}
