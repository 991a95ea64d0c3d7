import ArgumentParser
import CommandLineSupport
import SchemaModel
import SchemaWorkspace
import SwiftChecks

/// A hidden command for `rehearse`.
struct NeededCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "needed", abstract: "Find what a rehearsal needs of an app's code.",
    shouldDisplay: false)

  func run() throws {
    try answer { (request: AppCode.Request) in
      let (files, findings) = NeededCode.find(request)
      for finding in findings { Output.error(finding.message) }
      if findings.hasErrors { throw ExitCode(2) }
      return files
    }
  }
}
