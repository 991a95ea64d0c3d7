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

extension Experiment {
  /// One launch, in the words of the report.
  static func step(
    _ name: String, _ expectation: Expectation, killedAfter: Duration? = nil,
    _ run: @escaping (Folder) throws -> [String]
  ) -> Step {
    Step(name: name, expectation: expectation, killedAfter: killedAfter, run: run)
  }
}
