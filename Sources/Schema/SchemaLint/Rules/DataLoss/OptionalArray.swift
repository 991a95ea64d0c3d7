internal import SchemaEvolution
internal import SchemaModel

struct OptionalArray: LintRule {
  let rule = Rule(
    "optional-array", .warning, "An array of values is not optional",
    basis: .fact(.swiftData, "optional-string-array", .likely), isAcceptable: true)
  let category = RuleCategory.dataLoss
  let scope = RuleScope.version

  let purpose = """
    An optional array of plain values, `[String]?`, has crashed an app on save; `[String]`
    works. Write `[String]` with the default `[]`. You lose nothing: nil and empty seldom mean
    different things.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            ‹tags›: "[String]?"
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            tags: "[String] = []"
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    let storage = StorageTypes(version: context.newest)
    return context.newest.allAttributes.compactMap { model, property, attribute in
      guard attribute.type.isOptional, attribute.transformer == nil, !property.isTransient,
        case .archived = storage.storage(of: attribute.type)
      else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "'\(element)' is an optional array of values, which has crashed on save",
        element: element, at: property.location,
        help: [
          "write '\(attribute.type.unwrapped)' with the default []; from an older version with 'fill: []'",
          context.acceptance(id, element),
        ])
    }
  }
}
