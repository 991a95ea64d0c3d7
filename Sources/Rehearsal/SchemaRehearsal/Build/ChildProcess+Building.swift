internal import SchemaProcesses

extension ChildProcess {
  func built() throws(BuildFailure) -> Outcome {
    do {
      return try run()
    } catch {
      throw BuildFailure("'\(program)' cannot be started: \(error.reason)")
    }
  }
}
