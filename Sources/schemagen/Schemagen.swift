import ArgumentParser
import Foundation

@main
struct Schemagen: ParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "schemagen",
    abstract: "Versioned SwiftData schemas, converters and migrations from YAML manifests.",
    discussion: """
      Exit status: 0 clean; 1 findings, or with --check files that are not up to date; 2 wrong usage, a broken \
      manifest or configuration, or a file that cannot be read or written.
      """,
    version: version,
    subcommands: [
      Generate.self, Diff.self, Init.self, NextVersion.self, ClassificationCommand.self,
    ],
    defaultSubcommand: Generate.self)

  /// Runs the command; wrong usage ends with 2 rather than the parser's own 64.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      let code = exitCode(for: error)
      let message = fullMessage(for: error)
      if code == .success {
        print(message)
        Foundation.exit(0)
      }
      if code == .validationFailure {
        Output.error(message)
        Foundation.exit(2)
      }
      if !(error is ExitCode) { Output.error(message) }
      Foundation.exit(code.rawValue)
    }
  }
}
