internal import SchemaProcesses

extension ChildProcess {
  /// Runs the program to its end, and throws failures of a build.
  func built() throws(BuildFailure) -> Outcome {
    do {
      return try run()
    } catch {
      throw BuildFailure("'\(program)' cannot be started: \(error.reason)")
    }
  }
}
