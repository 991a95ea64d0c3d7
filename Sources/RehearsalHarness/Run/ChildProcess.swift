internal import Foundation

/// What a child of this program did.
package struct ChildOutcome: Hashable, Sendable {
  package enum End: Hashable, Sendable {
    case exit(Int32)
    case signal(Int32)
  }

  package var end: End
  /// The end of what it wrote to standard error.
  package var errors: String

  package init(end: End, errors: String) {
    self.end = end
    self.errors = errors
  }

  package var isSuccess: Bool { end == .exit(0) }

  /// What happened, in a few words, and what it said.
  package var description: String {
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

/// Runs this program again with other arguments: every opening of a store is a process of its own, as on a device,
/// and one that traps takes nothing else with it.
struct Launcher: Sendable {
  private let executable: URL

  init() {
    // The first argument may be relative to a folder that is no longer the working one.
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    executable = URL(filePath: path ?? CommandLine.arguments[0])
  }

  /// - Parameter errors: A file for its standard error: a full pipe would stop it.
  func run(
    _ arguments: [String], environment: [String: String] = [:], errors: URL
  ) throws -> ChildOutcome {
    try Data().write(to: errors)
    let handle = try FileHandle(forWritingTo: errors)
    defer { try? handle.close() }
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    // A trap's own line says enough, and its backtrace takes seconds.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    let said = (try? Data(contentsOf: errors)) ?? Data()
    return ChildOutcome(
      end: process.terminationReason == .exit
        ? .exit(process.terminationStatus) : .signal(process.terminationStatus),
      errors: String(decoding: said.suffix(65_536), as: UTF8.self))
  }
}
