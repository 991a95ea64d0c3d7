internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel

/// What earlier runs over a folder have worked out, for those who look at it again after each keystroke.
///
/// It changes no result: each part is used only where what it follows from is the same.
package final class AnalysisMemory: Sendable {
  let manifests = ManifestMemory()
  private let steps = Locked<[String: StepMemory]>([:])
  private let configurations = Locked<[String: [SourceFile]]>([:])

  package init() {}

  /// What is known of a folder's steps, as long as its configuration is the same to the byte.
  func steps(of folder: String, configuration: [SourceFile]) -> StepMemory {
    let memory = steps.withLock { known in
      if let memory = known[folder] { return memory }
      let memory = StepMemory()
      known[folder] = memory
      return memory
    }
    let isSame = configurations.withLock { known in
      defer { known[folder] = configuration }
      return known[folder] == configuration
    }
    if !isSame { memory.forget() }
    return memory
  }
}
