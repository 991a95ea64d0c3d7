internal import SchemaEvolution
internal import SchemaModel

struct CloudKitRename: LintRule {
  let rule = Rule(
    "cloudkit-rename", .error, "A cloud schema keeps its names",
    basis: .fact(.cloudKit, "rename-is-a-new-type", .likely), isAcceptable: true)
  let category = RuleCategory.cloudKit
  let scope = RuleScope.step

  let purpose = """
    CloudKit treats a new model name as a new record type. The old one stays in the production
    schema with the rows that other devices wrote, and an older app does not see what this one
    writes under the new name. A row that nobody edits is not sent again: whoever installs the
    app anew does not get it, and links of many-to-many relationships name the old model. Keep the
    model's name, and give the domain entity another one with `entity:`. Where the app keeps its
    classes, keep the class's name, and let a `typealias` give it the new one. You cannot rename a property at all: see `renamed-under-cloudkit`.
    """

  let beginning = """
    version: 1.0.0
    models:
      Entry:
        properties:
          units: String = ""
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        ‹Intake›:
          renamedFrom: Entry
          properties:
            units: String = ""
      accept:
        - { rule: cloudkit-custom-stage, element: V2, reason: tried with the container }
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Entry:
          entity: Intake
          properties:
            units: { type: String, default: '""', entityProperty: unit }
            note: String?
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.openSteps.flatMap { step in
      step.changes.filter { $0.kind == .modelRenamed }.map { change in
        let new = change.element.owner
        let old = context.history[step.to].model(named: new)?.sources.first?.value ?? new
        let isInClass = context.configuration.classes != nil
        return Diagnostic(
          rule, "'\(change.element)' (\(change.detail)) is a new name in the cloud's schema",
          element: change.element, at: change.location,
          help: [
            isInClass
              ? "call the class '\(old)' again, whose name its rows in the cloud have; code may go on to say '\(new)': "
                + "typealias \(new) = \(old)"
              : "keep the name in the store, and give the domain entity another one: "
                + "\(old): { entity: \(new), … }",
            context.acceptance(id, change.element),
          ])
      }
    }
  }
}
