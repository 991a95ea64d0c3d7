package import Foundation
internal import SchemaProcesses

extension ScratchPackage {
  /// What the program is told.
  package struct Run: Sendable {
    /// The plan as JSON.
    package var plan: Data
    package var kills: Bool
    /// Threads; nil for as many as there are cores.
    package var jobs: Int?
    /// Whether lines of progress go to standard error.
    package var showsProgress: Bool
    /// A store of the user's, by its absolute path.
    package var store: String?

    package init(
      plan: Data, kills: Bool, jobs: Int?, showsProgress: Bool, store: String? = nil
    ) {
      self.plan = plan
      self.kills = kills
      self.jobs = jobs
      self.showsProgress = showsProgress
      self.store = store
    }
  }

  /// Runs the program to its end and returns its result as JSON. The stores that it made are removed before the
  /// next run, not after this one: who wants to can look at them.
  package func run(_ program: String, _ run: Run) throws(BuildFailure) -> Data {
    let stores = "\(folder)/stores"
    let result = "\(folder)/result.json"
    for path in [stores, result] { try? FileManager.default.removeItem(atPath: path) }
    try write(Array(run.plan), to: "\(folder)/plan.json")
    var process = ChildProcess(
      program, ["run", "--plan", "\(folder)/plan.json", "--work", stores, "--result", result])
    if !run.kills { process.arguments.append("--no-kill") }
    if let jobs = run.jobs { process.arguments += ["--jobs", "\(jobs)"] }
    if run.showsProgress { process.arguments.append("--progress") }
    if let store = run.store { process.arguments += ["--store", store] }
    // Progress and complaints go where this program's own go.
    (process.output, process.errors) = (.inherited, .inherited)
    let way: String
    switch try process.built().end {
    case .exit(1), .exit(2):
      throw BuildFailure("the rehearsal cannot be run, for the reason above")
    case .exit(0):
      if let data = FileManager.default.contents(atPath: result) { return data }
      way = "exit status 0"
    case .exit(let status): way = "exit status \(status)"
    case .signal(let number): way = "signal \(number)"
    }
    throw BuildFailure(
      "the rehearsal's program ended without a result (\(way))",
      help: ["it can be run by hand: \(program) \(process.arguments.joined(separator: " "))"])
  }
}
