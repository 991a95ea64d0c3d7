internal import SchemaLint
internal import SchemaModel
internal import SwiftSyntax

/// Containers on disk that know of no migration.
struct ContainerWithoutPlan: SourceCheck {
  let rule = Rule.containerWithoutPlan

  func findings(in context: CheckContext) -> [SourceFinding] {
    guard context.names.folders.contains(where: { $0.versions > 1 }) || !context.facts.plans.isEmpty
    else { return [] }
    return Calls.find(in: context.source.syntax).compactMap { call in
      guard call.hasArgument("for"), !call.hasArgument("migrationPlan"), !Syntax(call).isPreview,
        !isInMemory(call)
      else { return nil }
      if call.makesContainer {
        return finding(
          "the container has no migration plan: a store of an older version cannot be opened",
          call.calledExpression.offsets, context)
      }
      guard let access = call.calledExpression.as(MemberAccessExprSyntax.self),
        access.declName.baseName.text == "modelContainer"
      else { return nil }
      return finding(
        "'modelContainer(for:)' takes no migration plan: a store of an older version cannot be opened",
        access.declName.offsets, context, isModifier: true)
    }
  }

  private func finding(
    _ message: String, _ range: Range<Int>, _ context: CheckContext, isModifier: Bool = false
  ) -> SourceFinding {
    let help: String
    if let folder = context.names.folders.first(where: { $0.versions > 1 }) {
      let container = "\(folder.activeSchema).container(configurations: […])"
      help =
        isModifier
        ? "write 'modelContainer(container)', where 'container' is made by 'try \(container)'"
        : "write '\(container)', or add 'migrationPlan: \(folder.plan).self'"
    } else {
      let plan = context.facts.plans.sorted().first ?? "MigrationPlan"
      help =
        isModifier
        ? "write 'modelContainer(container)', where 'container' is made with 'migrationPlan: \(plan).self'"
        : "add 'migrationPlan: \(plan).self'"
    }
    return SourceFinding(
      diagnostic: Diagnostic(
        rule, message, element: context.text(range), at: context.source.location(range),
        help: [help]))
  }

  /// Whether the call, or a configuration in the same function, says that nothing goes to disk.
  private func isInMemory(_ call: FunctionCallExprSyntax) -> Bool {
    let scope = Syntax(call).scope ?? Syntax(call)
    return Calls.find(in: scope).contains { call in
      call.arguments.contains { argument in
        ["isStoredInMemoryOnly", "inMemory"].contains(argument.label?.text)
          && argument.expression.as(BooleanLiteralExprSyntax.self)?.literal.text == "true"
      }
    }
  }
}
