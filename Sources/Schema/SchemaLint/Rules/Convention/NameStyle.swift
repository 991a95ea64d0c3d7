internal import SchemaEvolution
internal import SchemaModel

struct NameStyle: LintRule {
  let rule = Rule.nameStyle

  func findings(in context: LintContext) -> [Diagnostic] {
    let types =
      (context.newest.models.map { ($0.name, $0.location) }
      + context.newest.types.map { ($0.name, $0.location) })
      .filter { $0.0.first?.isLowercase == true }.map { name, location in
        finding(name, "begins with a lowercase letter", ElementPath(name), location, context)
      }
    let properties = context.newest.allProperties.filter {
      $0.property.name.first?.isUppercase == true
    }.map { model, property in
      finding(
        property.name, "begins with an uppercase letter", ElementPath(model.name, property.name),
        property.location, context)
    }
    return types + properties
  }

  private func finding(
    _ name: String, _ what: String, _ element: ElementPath, _ location: SourceLocation?,
    _ context: LintContext
  ) -> Diagnostic {
    Diagnostic(
      rule, "'\(name)' \(what)", element: element, at: location,
      help: [
        "rename it now: after a release, a new name needs a new version",
        context.acceptance(id, element),
      ])
  }
}
