import Foundation

/// What a child writes down about its step.
struct StepResult: Codable {
  var lines: [String]?
  var error: String?
  var undecidable: String?

  /// Runs a step, in the child.
  init(of step: Experiment.Step, in folder: Folder) {
    do {
      lines = try step.run(folder)
    } catch let undecidable as Undecidable {
      self.undecidable = undecidable.reason
    } catch {
      self.error = String(describing: error)
    }
  }

  func observation(log: String) -> Outcome {
    if let undecidable { return .undecidable(undecidable) }
    if let error { return .threw(error, log: log) }
    return .saw(lines ?? [])
  }
}
