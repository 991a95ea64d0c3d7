import PackagePlugin

/// `swift package detect-schema-changes`: holds the models in the package's sources, or in Xcode the project's, against
/// the newest manifest.
@main
struct DetectSchemaChanges: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    try context.run("detect", arguments, tool: .sources)
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension DetectSchemaChanges: XcodeCommandPlugin {
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
      try context.run("detect", arguments, tool: .sources)
    }
  }
#endif
