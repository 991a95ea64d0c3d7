internal import SchemaLint
internal import SchemaModel
internal import SwiftSources
internal import SwiftSyntax

/// Finds configurations for which the app's entitlements decide the CloudKit container.
struct UnnamedCloudDatabase: SourceCheck {
  let rule = Rule.unnamedCloudDatabase

  func findings(in context: CheckContext) -> [SourceFinding] {
    let folder = context.names.folders.first(where: \.syncs)
    guard folder != nil || context.names.entitlements.hasContainer else { return [] }
    let containers = folder.map { $0.containers.sorted() } ?? context.names.entitlements.containers
    let database = containers.count == 1 ? "\"\(containers[0])\"" : "\"iCloud.…\""
    return context.source.syntax.all(FunctionCallExprSyntax.self).compactMap { call in
      // The type of '.init(…)' is unknown.
      let isNamed =
        call.calledName == "ModelConfiguration"
        || call.calledExpression.memberPath?.dropLast().last == "ModelConfiguration"
      guard isNamed, !call.hasArgument("cloudKitDatabase"),
        !context.isPreview(call), !context.isDevelopment(call)
      else { return nil }
      let isInMemory = call.isConfigurationInMemory(context.values)
      // If the store should not sync, the rule 'cloud-database-differs' reports the configuration.
      guard folder != nil || isInMemory else { return nil }
      let range = call.calledExpression.offsets
      return SourceFinding(
        diagnostic: Diagnostic(
          rule,
          "the configuration names no CloudKit database: "
            + (isInMemory
              ? "a store in memory is bound to the app's iCloud container too, and may not open"
              : "it syncs with whichever container the app's entitlements list first"),
          element: context.text(range), at: context.source.location(range),
          help: [
            isInMemory
              ? "add 'cloudKitDatabase: .none'"
              : "add 'cloudKitDatabase: .private(\(database))', or '.none' for a store that stays local"
          ]))
    }
  }
}
