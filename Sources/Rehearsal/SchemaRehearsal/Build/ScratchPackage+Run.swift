package import Foundation
package import RehearsalHarness
internal import SchemaProcesses

extension ScratchPackage {
  /// The arguments of the program.
  package struct Run: Sendable {
    package var plan: Data
    package var kills: Bool
    package var jobs: Int?
    /// Called for each path and kill test that ends, on another thread.
    package var progress: (@Sendable (RehearsalEvent) -> Void)?
    /// The absolute path of one of the user's stores.
    package var store: String?
    /// The user's stores, by absolute paths; nil if no folder of stores was given.
    package var stores: [GivenStore]?

    package init(
      plan: Data, kills: Bool, jobs: Int?, store: String? = nil, stores: [GivenStore]? = nil,
      progress: (@Sendable (RehearsalEvent) -> Void)? = nil
    ) {
      self.plan = plan
      self.kills = kills
      self.jobs = jobs
      self.store = store
      self.stores = stores
      self.progress = progress
    }
  }

  /// Runs the program to its end and returns its result as JSON. Its stores are kept for inspection until the next run.
  package func run(_ program: String, _ run: Run) throws(BuildFailure) -> Data {
    let stores = "\(folder)/stores"
    let result = "\(folder)/result.json"
    for path in [stores, result] { try? FileManager.default.removeItem(atPath: path) }
    try write(Array(run.plan), to: "\(folder)/plan.json")
    var process = ChildProcess(
      program, ["run", "--plan", "\(folder)/plan.json", "--work", stores, "--result", result])
    if !run.kills { process.arguments.append("--no-kill") }
    if let jobs = run.jobs { process.arguments += ["--jobs", "\(jobs)"] }
    if run.progress != nil { process.arguments.append("--progress") }
    if let store = run.store { process.arguments += ["--store", store] }
    if let stores = run.stores {
      let list = "\(folder)/stores.json"
      // Encoding names and paths cannot fail.
      try write(Array((try? RehearsalJSON.encode(stores)) ?? Data()), to: list)
      process.arguments += ["--stores", list]
    }
    process.output = .lines { line in
      // Other output comes from the app's own code.
      guard let event = try? RehearsalJSON.decode(RehearsalEvent.self, from: Data(line.utf8)) else {
        return
      }
      run.progress?(event)
    }
    process.errors = .inherited
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
      help: [
        "the program can be run by hand: \(program) \(process.arguments.joined(separator: " "))"
      ])
  }
}
