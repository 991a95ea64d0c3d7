internal import Foundation
internal import SchemaProcesses

/// Runs this program again with other arguments: every opening of a store is a separate process, as on a device, and a
/// trap ends nothing else.
struct Launcher: Sendable {
  private let executable = RunningProgram.file.path

  /// Runs the program to its end and keeps only its errors.
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
  /// Whether a Swift trap instruction ended it, which prints nothing if the check is inlined.
  var isTrap: Bool { end == .signal(SIGILL) || end == .signal(SIGTRAP) }

  /// What happened, in a few words, and the error output.
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
