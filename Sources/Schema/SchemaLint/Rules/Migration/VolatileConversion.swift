internal import SchemaEvolution
internal import SchemaModel

struct VolatileConversion: LintRule {
  let rule = Rule.volatileConversion

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.flatMap { step in
      step.new.migratedProperties.compactMap { model, property in
        guard let convert = property.migration.convert,
          case .expression(let expression) = convert.value, expression.differsEachTime,
          !property.migration.from.isEmpty
        else { return nil }
        let element = ElementPath(model.name, property.name)
        return Diagnostic(
          rule, "'\(element)' gets a different value each time the migration runs",
          element: element,
          at: convert.location,
          help: [
            "derive the value only from old values",
            context.acceptance(id, element),
          ])
      }
    }
  }
}
