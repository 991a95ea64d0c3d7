import PackagePlugin

/// `swift package generate-schema`: runs schemagen on the package, or in Xcode on the project.
@main
struct GenerateSchema: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    try context.run("generate", arguments)
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension GenerateSchema: XcodeCommandPlugin {
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
      try context.run("generate", arguments)
    }
  }
#endif
