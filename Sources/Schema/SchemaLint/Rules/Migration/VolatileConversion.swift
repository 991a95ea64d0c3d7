internal import SchemaEvolution
internal import SchemaModel

struct VolatileConversion: LintRule {
  let rule = Rule(
    "volatile-conversion", .warning, "A conversion gives the same value each time",
    basis: .guide(
      .versionedSchema, "data transformations without idempotence can corrupt retry scenarios"),
    isAcceptable: true)
  let category = RuleCategory.migration
  let scope = RuleScope.step

  let purpose = """
    An interrupted migration starts again. An expression that reads the clock, makes an
    identifier or draws a random number then gives other values than the first time: rows of one
    migration differ by when the app was killed. Derive a new value from old values alone. For a
    fresh value use `fill:`, which touches only rows that have none.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: Int
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            days: Int
            end:
              type: Date
              default: Date.distantFuture
              from: days
              convert: ‹Date.now.addingTimeInterval(Double($0) * 86_400)›
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            start: Date
            days: Int
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            start: Date
            days: Int
            end:
              type: Date
              default: Date.distantFuture
              from: [start, days]
              convert: $0.addingTimeInterval(Double($1) * 86_400)
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.flatMap { step in
      context.history[step.to].migratedProperties.compactMap { model, property in
        guard let convert = property.migration.convert,
          case .expression(let expression) = convert.value, expression.differsEachTime,
          !property.migration.from.isEmpty
        else { return nil }
        let element = ElementPath(model.name, property.name)
        return Diagnostic(
          rule, "'\(element)' gets another value each time the migration is run", element: element,
          at: convert.location,
          help: [
            "derive it from old values alone",
            context.acceptance(id, element),
          ])
      }
    }
  }
}
