internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSources
internal import SwiftSyntax

/// Finds configurations that contradict schemagen.yaml about whether the store syncs, or with which container.
struct CloudDatabaseDiffers: SourceCheck {
  let rule = Rule.cloudDatabaseDiffers

  func findings(in context: CheckContext) -> [SourceFinding] {
    // If there are several stores, it is unknown which of them a configuration belongs to.
    let folders = context.names.folders
    guard let folder = folders.first else { return [] }
    let file = Path.join(folder.path, "schemagen.yaml")
    let syncing = folders.filter(\.syncs)
    let known = syncing.reduce(into: Set<String>()) { $0.formUnion($1.containers) }
    let values = context.values
    return context.source.syntax.all(FunctionCallExprSyntax.self).compactMap { call in
      guard !context.isPreview(call), !context.isDevelopment(call) else { return nil }
      let database: CloudDatabase
      if call.calledName == "ModelConfiguration" {
        guard !call.isConfigurationInMemory(values) else { return nil }
        database = call.cloudDatabase(values)
      } else if call.makesContainer || call.setsContainer,
        call.hasArgument("for"), !call.hasArgument("configurations"), !call.isInMemory(values)
      {
        database = .automatic
      } else {
        return nil
      }
      func finding(_ message: String, _ help: String...) -> SourceFinding {
        let range = call.calledExpression.offsets
        return SourceFinding(
          diagnostic: Diagnostic(
            rule, message, element: context.text(range), at: context.source.location(range),
            help: help))
      }
      func settings(_ container: String?) -> String {
        "write 'cloudKit: private'\(container.map { " and 'cloud: { container: \($0) }'" } ?? "") in \(file)"
      }
      switch database {
      case .named(let container) where syncing.isEmpty:
        return finding(
          "the store syncs with CloudKit, but schemagen.yaml says that it does not: a change that CloudKit refuses passes all checks",
          settings(container))
      case .automatic
      where syncing.isEmpty && context.names.entitlements.hasContainer:
        return finding(
          "the store syncs with the container that the app's entitlements list first, but schemagen.yaml says that it does not: a change that CloudKit refuses passes all checks",
          settings(context.names.entitlements.containers.first),
          "or write 'cloudKitDatabase: .none' if the store stays local")
      case .named(let container?) where !known.isEmpty && !known.contains(container):
        return finding(
          "the store syncs with '\(container)', but schemagen.yaml names \(known.sorted().map { "'\($0)'" }.joined(separator: ", ")): schemagen compares the versions with another container's production schema",
          "correct one of them: 'cloud: { container: \(container) }' in \(file)")
      case .none where syncing.count == folders.count && isAllLocal(context):
        return finding(
          "the store does not sync, but schemagen.yaml says that it does",
          "write 'cloudKitDatabase: .private(\"\(known.count == 1 ? known.first ?? "" : "iCloud.…")\")', or remove 'cloudKit: private' from \(file)"
        )
      case .named, .automatic, .none, .unknown: return nil
      }
    }
  }

  /// Whether all configurations of the app are local. If another one syncs, a local one is normal.
  private func isAllLocal(_ context: CheckContext) -> Bool { context.facts.databases == [.none] }
}
