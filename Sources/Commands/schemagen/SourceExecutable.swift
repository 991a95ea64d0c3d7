import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaProcesses
import SchemaWorkspace
import StoreTools

// Code that reads Swift is in a separate executable, because swift-syntax takes minutes to build. `schemagen`
// declares the commands of that executable with their options. To run one, it replaces its own process.

/// A command that `schemagen-sources` runs. `schemagen` itself only knows its options.
struct SourceCommand<Options: SourceOptions>: ParsableCommand {
  static var configuration: CommandConfiguration { Options.configuration }
  @OptionGroup var options: Options
  func run() throws { try SourceExecutable.run(Self.self) }
}

struct AdoptSources: ParsableCommand {
  static let configuration = AdoptOptions.configuration

  @OptionGroup var options: AdoptOptions

  @Option(
    help: ArgumentHelp(
      "Adopt the version of a store that has shipped, without Swift.", valueName: "file"),
    completion: .file())
  var store: String?

  @Option(
    help: ArgumentHelp(
      "Adopt the versions of a Core Data model: its source, or what Xcode compiled.",
      valueName: "model"),
    completion: .directory)
  var xcdatamodel: String?

  @Option(
    help: ArgumentHelp(
      "With --xcdatamodel: the oldest version to adopt, if not all of them.", valueName: "name"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "With --xcdatamodel: the newest version to adopt, if not the current one.",
      valueName: "name"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      "With --xcdatamodel: the names of all versions, oldest first, if numbers do not show the order.",
      valueName: "names"))
  var order: String?

  func validate() throws {
    if store != nil, xcdatamodel != nil {
      throw ValidationError(
        "'--store' and '--xcdatamodel' exclude each other: run 'adopt' once with each")
    }
    let given = [("from", from), ("to", to), ("order", order)].first { $0.1 != nil }
    if xcdatamodel == nil, let given {
      throw ValidationError(
        "'--\(given.0)' is about versions of a Core Data model: name it with '--xcdatamodel'")
    }
    guard let option = store.map({ _ in "--store" }) ?? xcdatamodel.map({ _ in "--xcdatamodel" })
    else { return }
    let others = [
      options.paths == ["."] ? nil : options.paths.joined(separator: " "),
      options.output.map { _ in "--output" }, options.plan.map { _ in "--plan" },
      options.container.map { _ in "--container" },
      options.moveModels ? "--move-models" : nil,
      options.conditions.platform.map { _ in "--platform" },
      options.conditions.define.isEmpty ? nil : "--define",
      options.verbose ? "--verbose" : nil, options.finish ? "--finish" : nil,
    ]
    .compactMap(\.self)
    guard others.isEmpty else {
      throw ValidationError(
        "'\(option)' reads no Swift: leave out \(others.map { "'\($0)'" }.joined(separator: ", "))")
    }
  }

  func run() throws {
    if let store {
      try AdoptStore(store: store, options: options).run()
    } else if let xcdatamodel {
      let order = order?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      try AdoptCoreData(
        model: xcdatamodel, first: from, last: to, order: order ?? [], options: options
      ).run()
    } else {
      try SourceExecutable.run(Self.self)
    }
  }
}

struct CheckProject: ParsableCommand {
  static let configuration = CheckOptions.configuration
  @OptionGroup var options: CheckOptions
  func run() throws {
    if SourceExecutable.isThere { try SourceExecutable.run(Self.self) }
    // Without `schemagen-sources`, everything is checked that needs no Swift, and the rest is reported as unchecked.
    // If the app's classes are the schema, that is an error.
    let check = try options.checkManifests(KeptStoreReview.check)
    let kept = check.folders.filter { $0.classes != nil }.map(\.path)
    Output.error(
      "schemagen: no Swift was read: schemagen-sources was not found; unchecked: "
        + (kept.isEmpty ? "" : "the classes of \(kept.joined(separator: ", ")), ")
        + "types that the app declares, and code around migrations")
    Output.error("  help: \(SourceExecutable.remedy)")
    try options.deliver(check)
    if !kept.isEmpty { throw ExitCode(2) }
  }
}

struct ShowStatus: ParsableCommand {
  static let configuration = StatusOptions.configuration
  @OptionGroup var options: StatusOptions
  func run() throws {
    if SourceExecutable.isThere { try SourceExecutable.run(Self.self) }
    try options.show { $0.classes == nil ? .generated : .unread }
  }
}

/// Runs commands in `schemagen-sources`, the executable that reads Swift.
enum SourceExecutable {
  /// Replaces this process with `schemagen-sources`. Throws if that executable is missing.
  static func run(_ command: any ParsableCommand.Type) throws {
    let name = command.configuration.commandName ?? ""
    let arguments = CommandLine.arguments.drop { $0 != name }.dropFirst()
    guard let path = companion else {
      Output.error("schemagen: '\(name)' needs schemagen-sources, which reads Swift")
      Output.error("  help: \(remedy)")
      throw ExitCode(2)
    }
    // Executables of different releases could read manifests differently without any error.
    setenv(Tool.callerVariable, Tool.version, 1)
    var texts = ([path, name] + arguments).map { strdup($0) as UnsafeMutablePointer<CChar>? }
    texts.append(nil)
    Interruption.handOver()
    execv(path, texts)
    Output.error("schemagen: '\(path)': \(String(cString: strerror(errno)).lowercased())")
    throw ExitCode(2)
  }

  /// Sends a request to `schemagen-sources`; nil if the executable is missing.
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

  /// Compares the classes of releases with a folder's versions; nil if `schemagen-sources` is missing.
  ///
  /// - Parameter tag: The only release to read; nil for all tags that look like a release's.
  static func releases(of folder: String, tag: String? = nil) throws -> ReleaseHistory? {
    try ask("releases", ReleaseHistory.Request(path: folder, tag: tag), for: ReleaseHistory.self)
  }

  static var isThere: Bool { companion != nil }

  static let remedy = "build it next to schemagen: swift build --product schemagen-sources"

  /// Runs `schemagen-sources` in a folder until it ends, and returns its exit status, or 2 if it is missing.
  static func status(
    _ arguments: [String], in folder: String, isSilent: Bool = false
  ) throws -> Int32 {
    guard let companion else { return 2 }
    var process = ChildProcess(companion, arguments, in: folder)
    process.environment[Tool.callerVariable] = Tool.version
    process.output = isSilent ? .discarded : .inherited
    process.errors = isSilent ? .discarded : .inherited
    return try process.run().status
  }

  /// The `schemagen-sources` next to this executable, or else the first one on the PATH.
  private static var companion: String? {
    let own = RunningProgram.file.resolvingSymlinksInPath()
    // SwiftPM names executables that it builds for plugins `schemagen-tool`.
    let suffix = own.lastPathComponent.hasSuffix("-tool") ? "-tool" : ""
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders =
      [own.deletingLastPathComponent().path] + path.split(separator: ":").map(String.init)
    return folders.map { $0 + "/schemagen-sources" + suffix }.first { access($0, X_OK) == 0 }
  }
}
