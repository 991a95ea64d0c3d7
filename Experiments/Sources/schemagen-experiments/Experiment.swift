import Foundation

/// One thing that the project takes to be true of SwiftData, and a program that finds out.
struct Experiment {
  /// Stable: reports of years are compared by it.
  let id: String
  /// What is expected, in one sentence.
  let claim: String
  /// Rows of docs/classification.md that it tries.
  var rows: [String] = []
  /// Facts that it decides, together with all others that name them, such as `migration#add-model`.
  var facts: [String] = []
  /// Facts of which it tries a part: it may contradict them, and never makes them certain.
  var partly: [String] = []
  /// Each is run by a process of its own, one after another, on one folder.
  var steps: [Step] = []
  /// Why it cannot be decided on a system.
  var limits: [Limit] = []

  /// Whether it only looks, since nobody claims anything.
  var isOpen: Bool {
    facts.isEmpty && steps.contains { if case .anything = $0.expectation { true } else { false } }
  }

  /// One launch of an app.
  struct Step {
    var name: String
    var expectation: Expectation
    /// The process is killed after this time, if it has not ended by then.
    var killedAfter: Duration?
    /// Says what it sees, line by line.
    var run: (Folder) throws -> [String]
  }

  /// Where it cannot be decided, and why.
  enum Limit {
    /// Nowhere: no Swift program can find out.
    case everywhere(String)
    /// On the portable runtime, which does not have what is asked for.
    case portable(String)
    /// Before a version of macOS.
    case before(Int, String)
    /// From a version of macOS on.
    case from(Int, String)
  }
}

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

/// Thrown by a step that finds that the system lacks what it asks for.
struct Undecidable: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension Experiment {
  /// The steps in words: `write`, then `open`, and so on.
  static func step(
    _ name: String, _ expectation: Expectation, killedAfter: Duration? = nil,
    _ run: @escaping (Folder) throws -> [String]
  ) -> Step {
    Step(name: name, expectation: expectation, killedAfter: killedAfter, run: run)
  }
}
