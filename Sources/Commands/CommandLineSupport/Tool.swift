package import ArgumentParser
internal import Foundation
internal import SchemaGit
internal import SchemaModel
internal import SchemaProcesses
internal import SchemaWorkspace

/// What schemagen's executables have in common.
package enum Tool {
  package static let version = Project.version

  /// The environment variable in which one executable tells another its version.
  package static let callerVariable = "SCHEMAGEN_CALLER_VERSION"

  /// Commands that begin a schema folder print it.
  package static let skillOffer =
    "with a coding agent: schemagen skill --into .claude/skills   # or .agents/skills\n"

  /// Runs a command; wrong usage ends with 2 rather than the parser's own 64.
  package static func main(_ root: any ParsableCommand.Type) -> Never {
    let configuration = root.configuration
    if let caller = ProcessInfo.processInfo.environment[callerVariable], caller != version {
      Output.error(
        "\(configuration.commandName ?? "schemagen") is version \(version), and schemagen is \(caller)"
      )
      Output.error("  help: build both: swift build")
      Foundation.exit(2)
    }
    // With a default subcommand the parser would take a misspelt one for a stray argument of that.
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
      // What no person calls, whoever calls it speaks for.
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

  /// The exit status of a command that an error has ended. Reports what files or git have refused; what has ended with a
  /// status is reported already, and of other errors the parser knows what to say.
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
