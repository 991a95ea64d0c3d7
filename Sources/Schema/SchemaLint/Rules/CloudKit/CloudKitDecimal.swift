internal import SchemaEvolution
internal import SchemaModel

struct CloudKitDecimal: LintRule {
  let rule = Rule.cloudKitDecimal

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    // A shipped version cannot be changed.
    guard context.isOpen(context.newest) else { return [] }
    let before = context.history.last { !context.isOpen($0) }
    return context.newest.allAttributes.compactMap { model, property, attribute in
      guard attribute.type.unwrapped == .named("Decimal"), !property.isTransient,
        !context.localModels.contains(model.name)
      else { return nil }
      let element = ElementPath(model.name, property.name)
      // A field that devices have already written is a DOUBLE permanently.
      guard before?.property(at: element)?.attribute?.type.unwrapped != attribute.type.unwrapped
      else { return nil }
      return Diagnostic(
        rule, "'\(element)' is a DOUBLE in CloudKit, which does not hold every Decimal exactly",
        element: element, at: property.location,
        help: [
          "store whole numbers of the smallest unit, or text",
          context.acceptance(id, element),
        ])
    }
  }
}
