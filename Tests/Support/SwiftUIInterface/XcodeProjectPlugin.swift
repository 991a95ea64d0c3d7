// The part of XcodeProjectPlugin that Plugins/ uses; see UIKit.swift. Apple documents it only in Xcode.

public import Foundation
public import PackagePlugin

public struct XcodeProject {
  public let directoryURL: URL
}

public struct XcodePluginContext {
  public let xcodeProject: XcodeProject
  public func tool(named name: String) throws -> PluginContext.Tool { fatalError() }
}

public protocol XcodeCommandPlugin: Plugin {
  func performCommand(context: XcodePluginContext, arguments: [String]) throws
}
