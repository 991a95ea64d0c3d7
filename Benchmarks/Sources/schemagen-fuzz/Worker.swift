import Foundation

/// The child's side: works through a range of runs and says on standard output what it is about to do and what came
/// of it, so that the parent knows the input even where this process dies.
///
/// Lines are `begin INDEX`, `rule ID` for the first finding of a rule, `problem TEXT`, and
/// `end INDEX OUTCOME FLAGS SUMS`.
struct Worker {
  let corpus: Corpus
  let seed: UInt64
  /// Breaks one run on purpose, to see that it is noticed.
  let plant: Plant?

  func work(_ range: Range<Int>) {
    var known: Set<String> = []
    for index in range {
      say("begin \(index)")
      plant?.breakRun(index)
      let trial = Trial(Mutator.files(corpus, seed: seed, index: index))
      for rule in trial.rules.subtracting(known).sorted() { say("rule \(rule)") }
      known.formUnion(trial.rules)
      for problem in trial.problems {
        say("problem " + problem.split(whereSeparator: \.isNewline).joined(separator: " "))
      }
      let flags = (trial.isFixed ? "r" : "-") + (trial.isGenerated ? "g" : "-")
      let sums = trial.sums.map { String($0, radix: 16) }.joined(separator: ",")
      say("end \(index) \(trial.outcome.rawValue) \(flags) \(sums)")
    }
  }

  /// Written at once and whole: what stands in a buffer is lost with the process.
  private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

/// A fault that is put into one run.
enum Plant: Sendable {
  case trap(Int)
  case hang(Int)
  case memory(Int)

  /// - Parameter text: `trap:17`, `hang:17` or `memory:17`.
  init?(_ text: String) {
    let parts = text.split(separator: ":")
    guard parts.count == 2, let index = Int(parts[1]) else { return nil }
    switch parts[0] {
    case "trap": self = .trap(index)
    case "hang": self = .hang(index)
    case "memory": self = .memory(index)
    default: return nil
    }
  }

  func breakRun(_ index: Int) {
    switch self {
    case .trap(index): fatalError("planted")
    case .hang(index): while true { sleep(1) }
    case .memory(index):
      var blocks: [[UInt8]] = []
      while true { blocks.append([UInt8](repeating: 1, count: 1 << 24)) }
    default: break
    }
  }
}
