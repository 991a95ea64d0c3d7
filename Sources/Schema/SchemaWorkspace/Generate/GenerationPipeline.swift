internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
internal import SchemaRendering

/// Turns a folder of manifests into generated files, stage by stage.
///
/// | stage | from | to |
/// |---|---|---|
/// | `read` | a folder | `Input`: the bytes of manifests and lock |
/// | `understand` | `Input` | `SchemaFolder`: the history, and the `Evolution` that `AnalysisPipeline` derives from it
/// |
/// | `render` | `Evolution` | `[GeneratedFile]`, in memory |
/// | `compare` | `[GeneratedFile]` | `FilePlan`: the changes to the files on disk |
///
/// The pipeline writes nothing. `GenerationRun.write(to:)` does.
package struct GenerationPipeline: Sendable {
  /// The files that everything follows from.
  struct Input: Sendable {
    var manifests: ManifestFiles
    var lock: LockFile
  }

  private let fileSystem: any FileSystem

  package init(fileSystem: any FileSystem) { self.fileSystem = fileSystem }

  package func run(_ folder: String) -> GenerationRun {
    let input = read(folder)
    var run = GenerationRun(folder, input.lock)
    do throws(FileSystemError) {
      let understood = understand(input)
      try review(understood, input, &run)
      guard let evolution = understood.evolution else { return run }
      guard !run.diagnostics.hasErrors else { return run }
      let rendered = render(evolution, understood, input)
      run.plan = try compare(rendered, evolution, input)
      run.report(run.plan.diagnostics)
    } catch {
      run.fail(error)
    }
    return run
  }

  /// Reads a folder with all diagnostics of the folder and its lock, without rendering a file.
  package func review(_ folder: String) -> GenerationRun {
    let input = read(folder)
    var run = GenerationRun(folder, input.lock)
    do throws(FileSystemError) {
      try review(understand(input), input, &run)
    } catch {
      run.fail(error)
    }
    return run
  }

  // MARK: Stages

  private func read(_ folder: String) -> Input {
    Input(
      manifests: ManifestFiles(folder, fileSystem: fileSystem),
      lock: LockFile(folder, fileSystem: fileSystem))
  }

  private func understand(_ input: Input) -> SchemaFolder {
    SchemaFolder.understand(
      input.manifests, lock: input.lock.trusted ?? SchemaLock(), fileSystem: fileSystem)
  }

  private func review(
    _ understood: SchemaFolder, _ input: Input, _ run: inout GenerationRun
  ) throws(FileSystemError) {
    run.folder = understood
    run.report(understood.diagnostics)
    run.isMalformed = run.isMalformed || understood.isMalformed
    guard let evolution = understood.evolution else { return }
    let released = input.lock.lock.released
    let corrections = StepCorrections(evolution.history, shipped: released).apply(
      to: input.lock.lock.diagnostics(evolution, lockPath: input.lock.path))
    run.report(corrections.remaining + corrections.unused)
    run.report(
      input.lock.lock.hashDiagnostics(evolution, lockPath: input.lock.path, isOfProven: true))
    if !input.lock.isThere, !input.lock.diagnostics.hasErrors {
      let places = OutputLocations(folder: run.path, configuration: evolution.configuration)
      run.report(try places.lostLock(fileSystem).map { [$0.diagnostic] } ?? [])
    }
    run.withdrawStepsAtEdits(evolution, shipped: released)
  }

  private func render(
    _ evolution: Evolution, _ folder: SchemaFolder, _ input: Input
  ) -> [GeneratedFile] {
    let hashes = input.lock.lock.provenHashes.mapValues(\.entities)
    return Renderer(
      templates: folder.templates, hashes: hashes, coreDataStep: folder.coreData.step
    ).files(for: evolution)
  }

  private func compare(
    _ files: [GeneratedFile], _ evolution: Evolution, _ input: Input
  ) throws(FileSystemError) -> FilePlan {
    var plan = FilePlan()
    plan.lock = input.lock.file?.bytes
    try plan.compare(
      files, of: evolution, in: input.manifests.folder, previous: input.lock.lock,
      fileSystem: fileSystem)
    plan.changes.sort { $0.path < $1.path }
    return plan
  }
}
