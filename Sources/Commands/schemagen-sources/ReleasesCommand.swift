import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaWorkspace
import SwiftSources
import SwiftTrace

/// `lint` and `release` call this command; people have no use for it.
struct ReleasesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "releases", abstract: "Hold versions against what releases stored.",
    shouldDisplay: false)

  func run() throws {
    let input = FileHandle.standardInput.readDataToEndOfFile()
    let request = try JSONDecoder().decode(ReleaseHistory.Request.self, from: input)
    let history = try ReleaseHistory(
      of: SchemaFolder.read(request.path, fileSystem: Disk()), tag: request.tag,
      conditions: BuildConditions())
    FileHandle.standardOutput.write(try JSONEncoder().encode(history ?? ReleaseHistory()))
  }
}
