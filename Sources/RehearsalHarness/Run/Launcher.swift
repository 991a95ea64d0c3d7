internal import Foundation
internal import SchemaProcesses

/// Runs this program again with other arguments: every opening of a store is a process of its own, as on a device,
/// and one that traps takes nothing else with it.
///
/// Most begin as copies of this one: to load the program and to read its models anew takes longer than most migrations.
final class Launcher: @unchecked Sendable {
  private let executable: String
  #if os(Linux)
    private let lock = NSLock()
    /// Those that do nothing at the moment.
    private var servers: [ForkServer]
  #endif

  /// To be made while the program has one thread.
  ///
  /// - Parameters:
  ///   - jobs: How many processes there are to be at once.
  ///   - perform: What the program does with arguments, and its exit status.
  init(jobs: Int, _ perform: ([String]) -> Int32) throws {
    // The first argument may be relative to a folder that is no longer the working one.
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    executable = URL(filePath: path ?? CommandLine.arguments[0]).path
    #if os(Linux)
      servers = try ForkServer.servers(min(jobs, 64), perform)
    #endif
  }

  /// Runs it to its end; of what it writes, only errors count.
  ///
  /// - Parameter isAnew: Whether it is to be loaded anew, so that sets and dictionaries have another order in it.
  func run(
    _ arguments: [String], environment: [String: String] = [:], isAnew: Bool = false
  ) throws -> ChildProcess.Outcome {
    let errorLimit = 65_536
    #if os(Linux)
      if !isAnew, let server = lock.withLock({ servers.popLast() }) {
        defer { lock.withLock { servers.append(server) } }
        return try server.run(arguments, environment: environment, errorLimit: errorLimit)
      }
    #endif
    var process = ChildProcess(executable, arguments)
    // A trap's own line says enough, and its backtrace takes seconds.
    process.environment = ["SWIFT_BACKTRACE": "enable=no"]
    for (name, value) in environment { process.environment[name] = value }
    process.output = .discarded
    process.errorLimit = errorLimit
    return try process.run()
  }
}

extension ChildProcess.Outcome {
  /// What happened, in a few words, and what it said.
  var description: String {
    let what: String =
      switch end {
      case .exit(let status): "ended with status \(status)"
      case .signal(let number): "died by signal \(number)"
      }
    let lines = errors.split(separator: "\n")
    // A trap's line stands before its backtrace; what the migration said last, before that.
    let end = lines.firstIndex { $0.contains("Fatal error") }.map { $0 + 1 } ?? lines.count
    let said = lines[..<end].suffix(6).joined(separator: "\n")
    return said.isEmpty ? what : "\(what): \(said)"
  }
}
