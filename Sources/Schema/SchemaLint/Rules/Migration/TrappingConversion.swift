internal import SchemaEvolution
internal import SchemaModel

struct TrappingConversion: LintRule {
  let rule = Rule.trappingConversion

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.flatMap { step in
      step.new.migratedProperties.flatMap { model, property in
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
    var help = "give such a row a value: '?? …'"
    if expression.trap == nil, let cast {
      let types = context.evolution.sourceTypes(for: property, of: model, in: step)
      let isList = types["$0"]?.unwrapped.isCollection ?? false
      help =
        "write \(cast.safe), which is nil there, "
        + (cast.isMapped ? "'\(isList ? "compactMap" : "flatMap")' in place of 'map', " : "")
        + (property.type.isOptional
          ? "and quotes around the whole expression" : "and give such a row a value: '?? …'")
    }
    return Diagnostic(
      rule,
      expression.trap == nil && cast?.isTrap == false
        ? "'\(mark)' changes a number that does not fit"
        : "'\(mark)' crashes the app on a row that the conversion did not expect",
      element: element, at: conversion.location,
      help: [help, context.acceptance(id, element)])
  }
}
