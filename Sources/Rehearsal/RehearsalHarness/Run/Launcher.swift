internal import Foundation
internal import SchemaProcesses

/// Runs this program again with other arguments. Each opening of a store is a separate process, as on a device, so a
/// trap ends only that process.
struct Launcher: Sendable {
  private let executable = RunningProgram.file.path

  func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> ChildProcess.Outcome {
    var process = ChildProcess(executable, arguments)
    // A trap's message is enough, and its backtrace takes seconds.
    process.environment = ["SWIFT_BACKTRACE": "enable=no"]
    for (name, value) in environment { process.environment[name] = value }
    process.output = .discarded
    process.errorLimit = 65_536
    return try process.run()
  }
}

extension ChildProcess.Outcome {
  /// Whether a Swift trap instruction ended the process. A trap prints nothing if its check is inlined.
  var isTrap: Bool { end == .signal(SIGILL) || end == .signal(SIGTRAP) }

  var description: String {
    let what: String =
      switch end {
      case .exit(let status): "ended with status \(status)"
      case .signal(let number) where isTrap:
        "trapped (signal \(number)), as Swift does where a number overflows, an index is out of range or nil is unwrapped"
      case .signal(let number): "died by signal \(number)"
      }
    let lines = errors.split(separator: "\n")
    // A trap's line comes before its backtrace, and the migration's last message before that.
    let end = lines.firstIndex { $0.contains("Fatal error") }.map { $0 + 1 } ?? lines.count
    let said = lines[..<end].suffix(6).joined(separator: "\n")
    return said.isEmpty ? what : "\(what): \(said)"
  }
}
