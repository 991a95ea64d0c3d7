import Foundation
import PackagePlugin

// Each plugin is compiled by itself, so they share this file by symbolic links.

/// What SwiftPM's and Xcode's contexts have in common, as far as the plugins need it.
protocol ToolContext {
  /// The folder that manifests are looked for in.
  var root: URL { get }
  func tool(named name: String) throws -> PluginContext.Tool
}

extension ToolContext {
  /// Runs one of schemagen's executables, and says what came of it.
  ///
  /// - Parameter command: The command where the arguments name none.
  func run(
    _ command: String, _ arguments: [String], tool: ToolInvocation.Tool = .schemagen
  ) throws {
    let invocation = ToolInvocation(
      arguments, tool: tool, command: command, root: root.path(percentEncoded: false))
    // A plugin can import no module of ours, so not 'ChildProcess' either.
    let process = Process()
    process.executableURL = try self.tool(named: tool.rawValue).url
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

extension PluginContext: ToolContext {
  var root: URL { package.directoryURL }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension XcodePluginContext: ToolContext {
    var root: URL { xcodeProject.directoryURL }
  }
#endif
