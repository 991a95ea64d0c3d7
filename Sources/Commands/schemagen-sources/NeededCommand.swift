import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaModel
import SchemaWorkspace
import SwiftChecks

/// `rehearse` calls this command; people have no use for it.
struct NeededCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "needed", abstract: "Find what a rehearsal needs of an app's code.",
    shouldDisplay: false)

  func run() throws {
    let input = FileHandle.standardInput.readDataToEndOfFile()
    let request = try JSONDecoder().decode(AppCode.Request.self, from: input)
    let (files, findings) = NeededCode.find(request)
    for finding in findings { Output.error(finding.message) }
    FileHandle.standardOutput.write(try JSONEncoder().encode(files))
    if findings.hasErrors { throw ExitCode(2) }
  }
}
