import ArgumentParser
import Foundation
import SchemaDiagnostics

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
      Generate.self, Diff.self, Init.self, NextVersion.self, ReleaseCommand.self,
      ClassificationCommand.self, Rehearse.self, LintCommand.self, Rules.self, Explain.self,
      BaselineCommand.self, RebaseCommand.self,
    ],
    defaultSubcommand: Generate.self)

  /// Runs the command; wrong usage ends with 2 rather than the parser's own 64.
  static func main() {
    // With a default subcommand the parser would take a misspelt one for a stray argument of that.
    let names = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    if let first = CommandLine.arguments.dropFirst().first, !first.hasPrefix("-"),
      !names.contains(first)
    {
      Output.error("schemagen: there is no command '\(first)'")
      let nearest = Suggestion.nearest(to: first, among: names)
      Output.error(
        nearest.map { "did you mean '\($0)'?" } ?? "there are: \(names.joined(separator: ", "))")
      Foundation.exit(2)
    }
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
