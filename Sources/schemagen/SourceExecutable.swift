import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaProcesses

// What reads Swift is an executable of its own, since swift-syntax takes minutes to build. Its commands are at home in
// `schemagen` as well: the other executable takes this one's place, and everything after the command's name is its.

struct AdoptSources: ParsableCommand {
  static let configuration = SourceExecutable.configuration(
    "adopt", "Write the manifests of an app that has hand-written SwiftData models.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

  func run() throws {
    // A store is not Swift: that is done here.
    guard AdoptStore.isMeant(by: arguments) else {
      return try SourceExecutable.run(Self.self, arguments)
    }
    var command = try AdoptStore.parseAsRoot(arguments)
    try command.run()
  }
}

struct DetectChanges: ParsableCommand {
  static let configuration = SourceExecutable.configuration(
    "detect", "Compare the app's '@Model' classes with the newest manifests.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
  func run() throws { try SourceExecutable.run(Self.self, arguments) }
}

struct LintCode: ParsableCommand {
  static let configuration = SourceExecutable.configuration(
    "lint-code", "Find app code that names versions, and mistakes around migrations.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
  func run() throws { try SourceExecutable.run(Self.self, arguments) }
}

struct AffectedCode: ParsableCommand {
  static let configuration = SourceExecutable.configuration(
    "affected", "List the places in an app's code that use what changes between two versions.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
  func run() throws { try SourceExecutable.run(Self.self, arguments) }
}

/// Gives a command to the executable that reads Swift.
enum SourceExecutable {
  static func configuration(_ name: String, _ abstract: String) -> CommandConfiguration {
    CommandConfiguration(commandName: name, abstract: abstract)
  }

  /// Becomes `schemagen-sources`; comes back only where that is not there.
  static func run(_ command: any ParsableCommand.Type, _ arguments: [String]) throws {
    let name = command.configuration.commandName ?? ""
    guard let path = companion else {
      Output.error("schemagen: '\(name)' reads Swift, which schemagen-sources does")
      Output.error("  help: build it beside schemagen: swift build --product schemagen-sources")
      throw ExitCode(2)
    }
    // Two executables of different releases would disagree about manifests in silence.
    setenv(Tool.callerVariable, Tool.version, 1)
    var texts = ([path, name] + arguments).map { strdup($0) as UnsafeMutablePointer<CChar>? }
    texts.append(nil)
    execv(path, texts)
    Output.error("schemagen: '\(path)': \(String(cString: strerror(errno)).lowercased())")
    throw ExitCode(2)
  }

  /// Asks `schemagen-sources`; nil where that is not there.
  static func ask<Answer: Decodable>(
    _ command: String, _ request: some Encodable, for answer: Answer.Type
  ) throws -> Answer? {
    guard let companion else { return nil }
    var process = ChildProcess(companion, [command])
    process.environment[Tool.callerVariable] = Tool.version
    process.input = Array(try JSONEncoder().encode(request))
    process.errors = .inherited
    let outcome = try process.run()
    guard outcome.isSuccess else { throw ExitCode(2) }
    return try JSONDecoder().decode(Answer.self, from: Data(outcome.output))
  }

  /// The executable beside this one, or the first on the PATH.
  private static var companion: String? {
    let own = URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0])
      .resolvingSymlinksInPath()
    // SwiftPM calls what it builds for plugins `schemagen-tool`.
    let suffix = own.lastPathComponent.hasSuffix("-tool") ? "-tool" : ""
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders =
      [own.deletingLastPathComponent().path] + path.split(separator: ":").map(String.init)
    return folders.map { $0 + "/schemagen-sources" + suffix }.first { access($0, X_OK) == 0 }
  }
}
