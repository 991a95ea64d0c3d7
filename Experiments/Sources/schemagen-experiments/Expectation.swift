import Foundation

/// What a step is expected to come to.
enum Expectation {
  /// It ends, and sees these lines.
  case sees([String])
  /// Opening throws `loadIssueModelContainer`; the log has the code, and these words. A log that shows no code at all
  /// leaves the code open: only with `decisive` is the experiment not decidable then.
  case fails(code: Int, saying: String? = nil, decisive: Bool = false)
  /// Opening throws an error of SwiftData's own.
  case refuses(String)
  /// The process ends by a signal, and says this.
  case traps(saying: String? = nil)
  /// It does not get through: it throws, or ends by a signal.
  case stops
  /// It kills itself.
  case kills
  /// It ends or is killed, depending on how fast the machine is.
  case endsOrIsKilled
  /// Nobody knows; what it sees goes into the report.
  case anything

  static func sees(_ lines: String...) -> Expectation { .sees(lines) }

  /// For reports.
  var text: String {
    switch self {
    case .sees(let lines): lines.joined(separator: "\n")
    case .fails(let code, let words, _):
      "throws loadIssueModelContainer; the log has \(code)" + (words.map { " and '\($0)'" } ?? "")
    case .refuses(let name): name.isEmpty ? "throws" : "throws \(name)"
    case .traps(let words): "ends by a signal" + (words.map { ", saying '\($0)'" } ?? "")
    case .stops: "throws, or ends by a signal"
    case .kills: "kills itself"
    case .endsOrIsKilled: "ends, or is killed"
    case .anything: "nobody knows"
    }
  }
}

extension Expectation {
  /// Whether an observation is as expected; nil where it does not tell.
  func holds(for observation: Outcome) -> Bool? {
    switch (self, observation) {
    case (_, .undecidable): nil
    case (.anything, _): true
    case (.sees(let lines), .saw(let seen)): lines == seen
    case (.fails(let code, let words, let isDecisive), .threw(let error, let log)):
      if !error.contains("loadIssueModelContainer") {
        false
      } else if !log.contains(/134\d\d\d/) {
        isDecisive ? nil : true
      } else {
        log.contains("\(code)") && words.map { log.contains($0) } ?? true
      }
    case (.refuses(let name), .threw(let error, _)): name.isEmpty || error.contains(name)
    case (.traps(let words), .signal(let signal, let log)):
      signal != 0 && signal != SIGKILL && words.map { log.contains($0) } ?? true
    case (.stops, .threw): true
    case (.stops, .signal(let signal, _)): signal != 0 && signal != SIGKILL
    case (.kills, .signal(let signal, _)): signal == SIGKILL
    case (.endsOrIsKilled, .saw): true
    case (.endsOrIsKilled, .signal(let signal, _)): signal == SIGKILL
    default: false
    }
  }
}
