import Foundation

/// Runs experiments: each step in a child, which is this program once more.
///
/// A trap, an Objective-C exception and a kill are outcomes like others then.
struct Runner {
  let program: URL
  /// Folders are made in here.
  let scratch: URL
  let system: System

  /// How long a step may take before it counts as hung.
  private static let patience: Duration = .seconds(120)

  func run(_ experiment: Experiment) throws -> Finding {
    var finding = Finding(experiment)
    if let reason = system.limit(of: experiment) {
      finding.verdict = .notDecidable
      finding.reason = reason
      return finding
    }
    let folder = scratch.appendingPathComponent(experiment.id)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (index, step) in experiment.steps.enumerated() {
      let observation = try observe(experiment, index, folder)
      finding.add(step, observation)
      // What follows would be of a store that nobody meant.
      if finding.verdict != .confirmed { break }
    }
    if experiment.isOpen, finding.verdict == .confirmed {
      finding.verdict = .notDecidable
      finding.reason = "nobody knows what to expect; the steps tell what was seen"
    }
    return finding
  }

  private func observe(_ experiment: Experiment, _ index: Int, _ folder: URL) throws -> Outcome {
    let step = experiment.steps[index]
    let seen = folder.appendingPathComponent("seen-\(index).json")
    let log = folder.appendingPathComponent("log-\(index).txt")
    try Data().write(to: log)
    let handle = try FileHandle(forWritingTo: log)
    let child = Process()
    child.executableURL = program
    child.arguments = [
      "--step", experiment.id, "\(index)", folder.path, seen.path,
      // Core Data's own log on standard error, for the codes of errors.
      "-com.apple.CoreData.Logging.stderr", "1",
    ]
    var environment = ProcessInfo.processInfo.environment
    // So that a crash is over at once, and the system's log comes along.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment["OS_ACTIVITY_DT_MODE"] = "YES"
    child.environment = environment
    child.standardInput = FileHandle.nullDevice
    child.standardOutput = FileHandle.nullDevice
    child.standardError = handle
    try child.run()
    var isHung = false
    if let time = step.killedAfter {
      // Loading takes longer than what is to be killed: the child says when it begins.
      let ready = Folder(url: folder).ready
      isHung = wait(for: child, Self.patience) {
        FileManager.default.fileExists(atPath: ready.path)
      }
      if !isHung { _ = wait(for: child, time) }
      try? FileManager.default.removeItem(at: ready)
    } else {
      isHung = wait(for: child, Self.patience)
    }
    try? handle.close()
    let words = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    if isHung { return .hung }
    if child.terminationReason == .uncaughtSignal {
      return .signal(child.terminationStatus, log: words)
    }
    guard let data = try? Data(contentsOf: seen) else {
      return .signal(0, log: "ended with status \(child.terminationStatus): \(words)")
    }
    return try JSONDecoder().decode(StepResult.self, from: data).observation(log: words)
  }

  /// Waits until it ends or a condition holds; kills it when the time is over, and says so.
  private func wait(
    for child: Process, _ time: Duration, orUntil isEnough: () -> Bool = { false }
  ) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + time
    while child.isRunning {
      if isEnough() { return false }
      if clock.now >= end {
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
        return true
      }
      usleep(1_000)
    }
    child.waitUntilExit()
    return false
  }
}
