import ArgumentParser
import CommandLineSupport
import SchemaWorkspace
import SwiftSources
import SwiftTrace

/// A hidden command for `lint` and `release`.
struct ReleasesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "releases", abstract: "Compare versions with what releases stored.",
    shouldDisplay: false)

  func run() throws {
    try answer { (request: ReleaseHistory.Request) in
      let folder = SchemaFolder.read(request.path, fileSystem: Disk())
      let conditions = BuildConditions()
      guard let tag = request.tag else {
        return ReleaseHistory(of: folder, conditions: conditions) ?? ReleaseHistory()
      }
      return try ReleaseHistory(of: folder, tag: tag, conditions: conditions) ?? ReleaseHistory()
    }
  }
}
