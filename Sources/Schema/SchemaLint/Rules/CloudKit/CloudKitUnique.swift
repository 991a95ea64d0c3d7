internal import SchemaModel

struct CloudKitUnique: LintRule {
  let rule = Rule(
    "cloudkit-unique", "A store that syncs has no unique attribute",
    basis: .fact(.migration, "cloudkit-no-unique", .certain))
  let category = RuleCategory.cloudKit
  let scope = RuleScope.version

  let purpose = """
    CloudKit cannot keep a value unique among devices, and does not allow `.unique` in a store
    that syncs. Remove the constraint and look for equal rows in code. Lint checks this with
    `cloudKit: private`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Entry:
          properties:
            id: { type: UUID, default: UUID(), ‹unique›: true } # made by the app
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Entry:
          properties:
            id: UUID = UUID()
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.newest.allProperties.compactMap { model, property in
      guard property.isUnique else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "'\(element)' is unique, which CloudKit cannot enforce", element: element,
        at: context.place(of: "unique", in: property, of: model), help: ["remove 'unique'"])
    }
  }

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    context.removal(finding, "remove 'unique'")
  }
}
