import ArgumentParser
import CommandLineSupport
import SchemaWorkspace
import SwiftSources
import SwiftTrace

/// `lint` and `release` call this command; people have no use for it.
struct ReleasesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "releases", abstract: "Hold versions against what releases stored.",
    shouldDisplay: false)

  func run() throws {
    try answer { (request: ReleaseHistory.Request) in
      try ReleaseHistory(
        of: SchemaFolder.read(request.path, fileSystem: Disk()), tag: request.tag,
        conditions: BuildConditions()) ?? ReleaseHistory()
    }
  }
}
