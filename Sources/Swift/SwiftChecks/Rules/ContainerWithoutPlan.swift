internal import SchemaLint
package import SchemaModel
package import SwiftAdoption
internal import SwiftSources
internal import SwiftSyntax

/// Finds containers on disk that are created without a migration plan.
struct ContainerWithoutPlan: SourceCheck {
  let rule = Rule.containerWithoutPlan

  func findings(in context: CheckContext) -> [SourceFinding] {
    guard context.names.folders.contains(where: { $0.versions > 1 }) || !context.facts.plans.isEmpty
    else { return [] }
    let values = context.values
    let models = context.names.models.union(context.facts.listed)
    return context.source.syntax.all(FunctionCallExprSyntax.self).compactMap { call in
      guard call.hasArgument("for"), !call.hasPlan, !context.isPreview(call),
        !context.isDevelopment(call), !call.isInMemory(values), !isOther(call, values, models)
      else { return nil }
      if call.makesContainer {
        return finding(
          "the container has no migration plan: a store of an older version cannot be opened",
          call.calledExpression.offsets, context)
      }
      guard call.setsContainer else { return nil }
      return finding(
        "'modelContainer(for:)' takes no migration plan: a store of an older version cannot be opened",
        call.calledExpression.nameToken.offsets, context, isModifier: true)
    }
  }

  private func finding(
    _ message: String, _ range: Range<Int>, _ context: CheckContext, isModifier: Bool = false
  ) -> SourceFinding {
    let help: String
    if let folder = context.names.folders.first(where: { $0.versions > 1 }) {
      help = Diagnostic.opening(folder.activeSchema, folder.plan, isModifier: isModifier)
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

  /// Whether all of the container's models are known, and none of them belongs to the plan.
  private func isOther(
    _ call: FunctionCallExprSyntax, _ values: FileValues, _ known: Set<String>
  ) -> Bool {
    guard !known.isEmpty else { return false }
    let given = call.arguments.drop { $0.label?.text != "for" }
      .prefix { $0.label == nil || $0.label?.text == "for" }
    let paths = given.flatMap { values.expanded($0.expression) }.flatMap(\.outermostPaths)
    // Code may build a schema in ways that do not show its models.
    let types = paths.filter { $0.last == "self" }.compactMap { $0.dropLast().last }
    let isOpen = given.contains { argument in
      let own = values.expanded(argument.expression)
      return !own.contains { $0.outermostPaths.contains { $0.last == "self" } }
        || own.contains {
          $0.tokens(viewMode: .sourceAccurate).contains { $0.text == "versionedSchema" }
        }
    }
    return !types.isEmpty && !isOpen && types.allSatisfy { !known.contains($0) }
  }
}

extension Diagnostic {
  /// A warning when the first step begins, about containers without a plan. The manifests may be written before the
  /// app is changed, but `check` refuses such a container.
  package static func beforeFirstStep(
    to number: VersionNumber, _ containers: [WrittenContainer], _ configuration: Configuration
  ) -> Diagnostic? {
    guard let first = containers.first else { return nil }
    let names = configuration.names
    return Diagnostic(
      .containerWithoutPlan,
      "this container has no migration plan: on a device the step to \(number.name) does not run, and a store may not open",
      at: first.place,
      related: containers.dropFirst().map {
        .init("this container has no migration plan either", at: $0.place)
      },
      help: [opening(names.activeSchema, names.plan, isModifier: first.isModifier)],
      severity: .warning)
  }

  fileprivate static func opening(_ schema: String, _ plan: String, isModifier: Bool) -> String {
    let container = "\(schema).container(configurations: […])"
    return isModifier
      ? "write 'modelContainer(container)', where 'container' is made by 'try \(container)'"
      : "write '\(container)', or add 'migrationPlan: \(plan).self'"
  }
}
