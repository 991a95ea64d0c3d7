internal import SchemaManifest
internal import SchemaModel

struct RedundantName: LintRule {
  let rule = Rule(
    "redundant-name", .note, "A second name differs from the first",
    basis: .manifest, isAcceptable: true)
  let category = RuleCategory.convention
  let scope = RuleScope.version

  let purpose = """
    `entityProperty:` and `originalName:` are for names that differ from the property's own.
    With the same name they do nothing, and suggest that you once renamed something.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          entity: Journey
          properties:
            name: { type: String, ‹entityProperty›: name }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          entity: Journey
          properties:
            name: { type: String, entityProperty: title }
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.newest.allProperties.flatMap { model, property -> [Diagnostic] in
      let node = context.newestProperties[ElementPath(model.name, property.name)]
      return ["entityProperty", "originalName"].compactMap { key in
        guard let entry = node?.entry(key),
          entry.value.scalar?.text == property.name
        else { return nil }
        return Diagnostic(
          rule, "'\(key)' is the property's own name",
          element: ElementPath(model.name, property.name),
          at: entry.keyLocation, help: ["remove it"])
      }
    }
  }

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    context.removal(finding, "remove the name")
  }
}
