import Foundation
import Synchronization

/// A moment, and the most memory that was resident since the one before.
struct Mark: Sendable {
  let instant = ContinuousClock.now
  /// In MiB.
  let peak: Double

  init() {
    peak = Memory.value(of: "VmHWM")
    Memory.forgetPeak()
  }

  func seconds(since earlier: Mark) -> Double {
    let elapsed = instant - earlier.instant
    return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
  }
}

/// The marks that were made by a migration's own reports.
enum Marks {
  private static let made = Mutex<[Mark]>([])

  static func add() {
    let mark = Mark()
    made.withLock { $0.append(mark) }
  }

  /// Those since the last call.
  static func take() -> [Mark] {
    made.withLock { marks in
      defer { marks = [] }
      return marks
    }
  }
}

/// What the kernel says of this process's memory.
enum Memory {
  /// In MiB.
  static func value(of name: String) -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
    return (Double(line.filter(\.isNumber)) ?? 0) / 1024
  }

  /// Lets VmHWM begin anew from what is resident now; where the kernel does not allow it, it only rises.
  static func forgetPeak() {
    let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs")
    try? file?.write(contentsOf: Data("5".utf8))
    try? file?.close()
  }
}

/// One step in the runs so far.
struct Step {
  let name: String
  private var times: [Double] = []
  private(set) var peak = 0.0

  init(_ name: String) { self.name = name }

  mutating func add(from start: Mark, to end: Mark, peak: Double) {
    times.append(end.seconds(since: start))
    self.peak = max(self.peak, peak)
  }

  /// The median.
  var seconds: Double { times.sorted()[times.count / 2] }
}
