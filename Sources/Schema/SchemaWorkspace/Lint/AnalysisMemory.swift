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

  private let digests = Locked<
    [VersionNumber: (reading: SchemaVersion.Reading, digest: VersionDigest)]
  >([:])
  private let locks = Locked<
    [String: (file: SourceFile, lock: SchemaLock, diagnostics: [Diagnostic])]
  >([:])

  package init() {}

  /// The digest of a version, made once for each reading of its manifest; the latest of each number is kept.
  func digest(of version: SchemaVersion) -> VersionDigest {
    let known = digests.withLock { $0[version.number] }
    if let known, known.reading === version.reading { return known.digest }
    let digest = VersionDigest(version)
    if let reading = version.reading {
      digests.withLock { $0[version.number] = (reading, digest) }
    }
    return digest
  }

  /// What a lock says.
  func lock(in file: SourceFile) -> (lock: SchemaLock, diagnostics: [Diagnostic]) {
    if let known = locks.withLock({ $0[file.path] }), known.file == file {
      return (known.lock, known.diagnostics)
    }
    let (lock, diagnostics) = SchemaLock.read(file)
    locks.withLock { $0[file.path] = (file, lock, diagnostics) }
    return (lock, diagnostics)
  }

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
