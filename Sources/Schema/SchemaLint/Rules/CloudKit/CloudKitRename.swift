internal import SchemaEvolution
internal import SchemaModel

struct CloudKitRename: LintRule {
  let rule = Rule.cloudKitRename

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.openSteps.flatMap { step in
      step.changes.filter { $0.kind == .modelRenamed }.map { change in
        let new = change.element.owner
        let old = step.new.model(named: new)?.sources.first?.value ?? new
        let isInClass = context.configuration.classes != nil
        return Diagnostic(
          rule, "'\(change.element)' (\(change.detail)) is a new name in the cloud's schema",
          element: change.element, at: change.location,
          help: [
            isInClass
              ? "rename the class back to '\(old)': its rows in the cloud have that name. Code can keep using '\(new)': "
                + "typealias \(new) = \(old)"
              : "keep the old name in the store, and give the domain entity the new one: "
                + "\(old): { entity: \(new), … }",
            context.acceptance(id, change.element),
          ])
      }
    }
  }
}
