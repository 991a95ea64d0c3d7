package import ArgumentParser
internal import Foundation
internal import SchemaGit
internal import SchemaModel
internal import SchemaProcesses
internal import SchemaWorkspace

/// What both executables share.
package enum Tool {
  package static let version = Project.version

  /// The environment variable in which one executable passes its version to the other.
  package static let callerVariable = "SCHEMAGEN_CALLER_VERSION"

  package static let skillOffer =
    "with a coding agent: schemagen skill --into .claude/skills   # or .agents/skills\n"

  /// Runs a command. Wrong usage exits with 2 instead of the parser's 64.
  package static func main(_ root: any ParsableCommand.Type) -> Never {
    let configuration = root.configuration
    if let caller = ProcessInfo.processInfo.environment[callerVariable], caller != version {
      Output.error(
        "\(configuration.commandName ?? "schemagen") is version \(version), and schemagen is \(caller)"
      )
      Output.error("  help: build both: swift build")
      Foundation.exit(2)
    }
    // With a default subcommand, the parser would take a misspelt command for an argument of the default one.
    let names = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    let words = CommandLine.arguments.dropFirst()
    let named = words.first == "help" ? words.dropFirst().first : words.first
    if let first = named, !first.hasPrefix("-"), !names.contains(first) {
      Output.error("\(configuration.commandName ?? "schemagen"): there is no command '\(first)'")
      let nearest = Suggestion.nearest(to: first, among: names)
      Output.error(
        nearest.map { "did you mean '\($0)'?" } ?? "there are: \(names.joined(separator: ", "))")
      Foundation.exit(2)
    }
    do {
      var command = try root.parseAsRoot()
      // A program calls a hidden command, and reports an interruption itself.
      if type(of: command).configuration.shouldDisplay {
        Interruption.prepare(as: configuration.commandName ?? "schemagen")
      }
      try command.run()
      StatusLine.shared.clear()
    } catch {
      StatusLine.shared.clear()
      if let status = end(error) { Foundation.exit(status) }
      let code = root.exitCode(for: error)
      let message = root.fullMessage(for: error)
      if code == .success {
        print(message)
        Foundation.exit(0)
      }
      if code == .validationFailure {
        Output.error(message)
        Foundation.exit(2)
      }
      Output.error(message)
      Foundation.exit(code.rawValue)
    }
    Foundation.exit(0)
  }

  /// The exit status for an error; nil if the parser has a message for the error. Errors of files and of git are
  /// reported here. An `ExitCode` was reported before.
  package static func end(_ error: any Error) -> Int32? {
    switch error {
    case let failure as FileSystemError: Output.report(failure)
    case let failure as GitFailure: Output.report(failure)
    case let code as ExitCode: return code.rawValue
    default: return nil
    }
    return 2
  }
}
