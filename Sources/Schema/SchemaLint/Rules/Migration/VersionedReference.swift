internal import SchemaModel

struct VersionedReference: LintRule {
  let rule = Rule.versionedReference

  func findings(in context: LintContext) -> [Diagnostic] {
    let expressions = context.stepExpressions
    guard !expressions.isEmpty else { return [] }
    let names = forbidden(context)
    return expressions.compactMap { element, conversion in
      guard case .expression(let expression) = conversion.value else { return nil }
      let words = expression.code.split { character in
        !(character.isLetter || character.isNumber || character == "_")
      }
      guard let name = words.map(String.init).first(where: names.contains) else { return nil }
      return Diagnostic(
        rule, "'\(name)' belongs to one version, but this step works on rows of other versions",
        element: element, at: conversion.location,
        help: ["take the value as '$0', or write the conversion in a function: '{ function: … }'"])
    }
  }

  /// The generated names that refer to one version, to the newest version, or to the plan.
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
