internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
package import SchemaModel
internal import SchemaRendering
package import SchemaWorkspace
package import SwiftAdoption
internal import SwiftChecks
internal import SwiftSources

/// The changes of `adopt --finish` to the sources: the files to remove because they are generated entirely, and a list
/// of what else must be removed. It writes nothing itself.
package struct FinishedAdoption: Sendable {
  package let removed: [SourceFile]
  /// Why nothing may be removed, or which parts of other files are now generated; sorted.
  package let findings: [Diagnostic]
  package let sources: [String: String]

  package var isRefused: Bool { findings.hasErrors }

  package static func run(
    paths: [String], folder: String, options: Adoption.Options, fileSystem: some FileSystem,
    progress: WorkObserver? = nil
  ) -> FinishedAdoption {
    let reading = SourceTree(folders: paths, progress: progress).files(containing: Prefilter([""]))
    guard !reading.diagnostics.hasErrors else {
      return FinishedAdoption(removed: [], findings: reading.diagnostics, sources: [:])
    }
    progress?("looking at files: \(reading.files.count)", 0, 0)
    return run(
      files: reading.files, folder: folder, options: options, fileSystem: fileSystem,
      resolve: SourceRoles.realPath)
  }

  package static func run(
    files: [SourceFile], folder: String, options: Adoption.Options = Adoption.Options(),
    fileSystem: some FileSystem, resolve: @escaping @Sendable (String) -> String = { $0 }
  ) -> FinishedAdoption {
    let generation = GenerationPipeline(fileSystem: fileSystem).run(folder)
    var sources = generation.folder?.sources ?? [:]
    func outcome(
      _ removed: [SourceFile] = [], _ findings: [Diagnostic] = []
    ) -> FinishedAdoption {
      FinishedAdoption(removed: removed, findings: findings.reportOrder, sources: sources)
    }
    guard let evolution = generation.folder?.evolution, !generation.diagnostics.hasErrors else {
      return outcome([], generation.diagnostics.filter { $0.severity == .error })
    }
    guard generation.changes.isEmpty else {
      return outcome(
        [],
        [
          Diagnostic(
            .notTakenOut, "the code of '\(folder)' has not been generated, or is out of date",
            at: nil,
            help: ["run: schemagen generate\(ShellWord.schemas(folder))"], severity: .error)
        ])
    }
    let manifests = [ManifestHistory(folder, fileSystem: fileSystem)]
    let roles = SourceRoles(manifests, resolve: resolve)
    let all = files.concurrentlyParsed
    // Generated files show which files belong to the app, even if the app has no other files with models.
    let app = TestCode.parted(all).app.filter {
      !GeneratedFile.isMarked($0.file.bytes) && roles.role(of: $0.file) == .app
    }
    sources.merge(app.map(\.file).textsByPath) { first, _ in first }
    var options = options
    let plans = TreeFacts(app).plans
    if plans.count > 1, plans.contains(evolution.configuration.names.plan) {
      options.plan = options.plan ?? evolution.configuration.names.plan
    }
    options.keepsClasses = evolution.configuration.classes != nil
    // Keep a class that no manifest has, whatever container it is in.
    options.container = .any
    // A class that was written after the removal refers to generated classes.
    options.models = ModelComparison(evolution, isReleased: true, folder: folder).names
    // Read only the files that adoption reads, since another module may have a type with the name of an adopted one.
    func matching(_ prefilter: Prefilter) -> [SourceFile] {
      app.map(\.file).filter { $0.bytes.withUnsafeBytes(prefilter.matches) }
    }
    var reader = SourceReader(
      matching(SourceAdoption.prefilter),
      lookUp: { matching(SourceAdoption.prefilter(declaring: $0)) })
    let adoption = reader.adoption(options)
    let errors = adoption.findings.filter { $0.severity == .error }
    // Code that was removed already cannot be read, and does not matter.
    guard !options.keepsClasses || !adoption.names.isEmpty,
      app.contains(where: TestCode.declaresStore),
      errors.isEmpty || !TreeFacts(app, generated: VersionNames(manifests)).replaced.isEmpty
    else { return outcome() }
    guard errors.isEmpty, !adoption.history.isEmpty else { return outcome([], errors) }
    let matched = Matched(adoption, evolution, folder)
    guard matched.differences.isEmpty else { return outcome([], matched.differences) }
    // Reuse the trees that adoption read, because `adoption` refers to their nodes.
    let read = reader.sources
    let paths = Set(read.map(\.file.path))
    let written = read + app.filter { !paths.contains($0.file.path) }
    var generated = GeneratedDeclarations(
      adoption, matched.history, evolution, equal: matched.equal,
      sources: written + all.filter { roles.role(of: $0.file) == .userFile })
    var removed: [SourceFile] = []
    var left: [Diagnostic] = []
    let names = Set(
      all.map(\.file).filter { GeneratedFile.isMarked($0.bytes) || roles.role(of: $0) == .userFile }
        .map(\.name))
    for source in written {
      guard let found = generated.remaining(in: source) else {
        removed.append(source.file)
        continue
      }
      left += found
      guard !found.isEmpty, names.contains(source.file.name) else { continue }
      left.append(
        Diagnostic(
          .notTakenOut, "a generated file is called '\(source.file.name)' too",
          at: SourceLocation(file: source.file.path),
          help: ["rename this file: a module cannot have two files with the same name"],
          severity: .warning))
    }
    return outcome(removed.sorted { $0.path < $1.path }, left)
  }
}

/// The adopted code, compared with the manifests.
private struct Matched {
  var history: [SchemaVersion] = []
  /// Top-level classes that equal a model in a manifest; empty if models are not generated.
  var equal: Set<String> = []
  /// Differences between what code and manifest store. If there are any, the manifest cannot replace the code.
  var differences: [Diagnostic] = []

  init(_ adoption: Adoption, _ evolution: Evolution, _ folder: String) {
    let manifests = evolution.history
    let last = manifests.count - 1
    func differences(_ code: SchemaVersion, at place: Int) -> [Diagnostic] {
      ModelComparison(evolution, adopted: place, folder: folder).differences(code)
    }
    guard !adoption.names.isEmpty else {
      let code = adoption.history[adoption.history.count - 1]
      history = [manifests[last]]
      // A class that has not changed since its adoption equals the oldest version. Any other class equals a newer
      // version.
      let all = manifests.indices.map { differences(code, at: $0) }
      for model in code.models.map(\.name) {
        let places = manifests.indices.filter { manifests[$0].model(named: model) != nil }
        if places.contains(where: { place in !all[place].contains { $0.owner == model } }) {
          equal.insert(model)
        } else if let place = places.last {
          self.differences += all[place].filter { $0.owner == model }.map(\.notTakenOut)
        }
      }
      return
    }
    for (version, name) in zip(adoption.history, adoption.versions.map(\.name)) {
      let found =
        manifests.firstIndex { evolution.configuration.names.schema($0.number) == name }
        ?? manifests.firstIndex { $0.number == version.number }
      guard let found else {
        self.differences.append(
          Diagnostic(
            .notTakenOut, "no manifest describes the version '\(name)'", element: ElementPath(name),
            at: version.location,
            help: ["adopt the app again, into another folder: --schemas FOLDER"],
            severity: .error))
        continue
      }
      history.append(manifests[found])
      self.differences += differences(version, at: found).map(\.notTakenOut)
    }
    // If models are generated, handwritten classes that equal the models are duplicates.
    guard evolution.configuration.classes == nil, !adoption.unlisted.isEmpty else { return }
    var code = SchemaVersion(number: manifests[last].number, models: adoption.unlisted)
    code.joinInverses()
    let differing = differences(code, at: last).compactMap(\.owner)
    equal = Set(code.models.map(\.name)).intersection(manifests[last].models.map(\.name))
      .subtracting(differing)
  }
}

extension Diagnostic {
  fileprivate var owner: String? { element.map { String($0.prefix { $0 != "." }) } }

  fileprivate var notTakenOut: Diagnostic {
    Diagnostic(
      .notTakenOut, message, element: element.map(ElementPath.init), at: location,
      help: ["make the manifest and the code agree, so that generated code can replace this code"],
      severity: .error)
  }
}
