import Foundation
import PackagePlugin

/// `swift package generate-schema`: runs schemagen on the package, or in Xcode on the project.
@main
struct GenerateSchema: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    try run(in: context, arguments)
  }

  private func run(in context: some ToolContext, _ arguments: [String]) throws {
    let invocation = ToolInvocation(arguments, root: context.root.path(percentEncoded: false))
    let process = Process()
    process.executableURL = try context.tool(named: "schemagen").url
    process.arguments = invocation.arguments
    try process.run()
    process.waitUntilExit()
    // SwiftPM turns any failure into 1, and a child's status that nobody looks at into 0.
    if let failure = invocation.failure(
      status: process.terminationStatus, isSignal: process.terminationReason != .exit)
    {
      Diagnostics.error(failure)
    }
  }
}

/// What SwiftPM's and Xcode's contexts have in common, as far as the plugin needs it.
private protocol ToolContext {
  /// The folder that manifests are looked for in.
  var root: URL { get }
  func tool(named name: String) throws -> PluginContext.Tool
}

extension PluginContext: ToolContext {
  var root: URL { package.directoryURL }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension XcodePluginContext: ToolContext {
    var root: URL { xcodeProject.directoryURL }
  }

  extension GenerateSchema: XcodeCommandPlugin {
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
      try run(in: context, arguments)
    }
  }
#endif
