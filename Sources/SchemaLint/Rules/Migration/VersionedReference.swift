internal import SchemaModel

struct VersionedReference: LintRule {
  let rule = Rule(
    "versioned-reference", "An expression of a step names no version and no alias of one",
    basis: .fact(.swiftData, "migrations-name-their-versions", .likely))
  let category = RuleCategory.migration
  let scope = RuleScope.step

  let purpose = """
    A migration works on the versions of its own stage, for ever. An expression that names `ActiveTrip` means another
    class with the next release, and one that names `SchemaV1.Trip` a class that the stage does not have: the framework
    traps on it. Expressions get their values as `$0`, `$1`, …; what needs more belongs in a function.
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
            nights: { type: Int, from: days, convert: ‹ActiveTrip.nights($0)›, revert: $0 + 1 }
      """)
  ]

  let good = [
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
            nights: { type: Int, from: days, convert: $0 - 1, revert: $0 + 1 }
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    let names = forbidden(context)
    return context.stepExpressions.compactMap { element, conversion in
      guard case .expression(let expression) = conversion.value else { return nil }
      let words = expression.text.outsideOfQuotes.split { character in
        !(character.isLetter || character.isNumber || character == "_")
      }
      guard let name = words.map(String.init).first(where: names.contains) else { return nil }
      return Diagnostic(
        rule, "'\(name)' belongs to one version, and this step to two others or to more",
        element: element, at: conversion.location,
        help: ["take the value as '$0', or write it in a function: '{ function: … }'"])
    }
  }

  /// Every name that is made for a version or for the current one.
  private func forbidden(_ context: LintContext) -> Set<String> {
    let names = context.configuration.names
    var found: Set<String> = [names.activeSchema, names.plan]
    for version in context.history {
      found.insert(names.schema(version.number))
      for model in version.models {
        found.insert(names.active(model: model.name))
        found.insert(names.alias(model: model.name, version: version.number))
      }
    }
    return found
  }
}
