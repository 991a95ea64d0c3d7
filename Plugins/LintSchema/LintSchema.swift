import PackagePlugin

/// `swift package lint-schema`: holds the package's manifests, or in Xcode the project's, against all rules.
@main
struct LintSchema: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    try context.run("lint", arguments)
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension LintSchema: XcodeCommandPlugin {
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
      try context.run("lint", arguments)
    }
  }
#endif
