internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
package import SchemaModel
internal import SchemaRendering
package import SchemaWorkspace

/// What `adopt --finish` does to the sources: all that is generated now goes. Nothing is written.
package struct FinishedAdoption: Sendable {
  /// Files that lose declarations, and those that go, by path.
  package let changes: [FileChange]
  /// Why nothing may be taken out, or what is left and why; sorted.
  package let findings: [Diagnostic]
  /// All texts by path, for snippets.
  package let sources: [String: String]

  /// Whether nothing may be taken out.
  package var isRefused: Bool { findings.hasErrors }

  /// - Parameters:
  ///   - paths: Folders and files of Swift code.
  ///   - folder: The folder of manifests, whose code is generated.
  ///   - fileSystem: What manifests and generated files are read from; sources are on the disk.
  ///   - progress: Told what is done.
  package static func run(
    paths: [String], folder: String, options: Adoption.Options, fileSystem: some FileSystem,
    progress: WorkObserver? = nil
  ) -> FinishedAdoption {
    let tree = SourceTree(folders: paths, progress: progress)
    // What is left may name anything that goes, so that every file counts.
    let reading = tree.files(containing: Prefilter([""]))
    guard !reading.diagnostics.hasErrors else {
      return FinishedAdoption(changes: [], findings: reading.diagnostics, sources: [:])
    }
    progress?("looking at files: \(reading.files.count)", 0, 0)
    return run(reading.files, folder: folder, options: options, fileSystem: fileSystem)
  }

  /// Looks at files in memory.
  package static func run(
    files: [SourceFile], folder: String, options: Adoption.Options = Adoption.Options(),
    fileSystem: some FileSystem
  ) -> FinishedAdoption {
    run(files, folder: folder, options: options, fileSystem: fileSystem, resolve: { $0 })
  }

  private static func run(
    _ files: [SourceFile], folder: String, options: Adoption.Options,
    fileSystem: some FileSystem,
    resolve: @escaping @Sendable (String) -> String = SourceRoles.realPath
  ) -> FinishedAdoption {
    let generation = GenerationPipeline(fileSystem: fileSystem).run(folder)
    var sources = generation.folder?.sources ?? [:]
    func refused(_ findings: [Diagnostic]) -> FinishedAdoption {
      FinishedAdoption(changes: [], findings: findings.reportOrder, sources: sources)
    }
    guard let evolution = generation.folder?.evolution, !generation.diagnostics.hasErrors else {
      return refused(generation.diagnostics.filter { $0.severity == .error })
    }
    let option = ShellWord.schemas(folder)
    guard generation.changes.isEmpty else {
      return refused([
        Diagnostic(
          .notTakenOut, "the code of '\(folder)' is not generated, or out of date",
          at: nil, help: ["run: schemagen generate\(option)"], severity: .error)
      ])
    }
    let manifests = [ManifestHistory(folder, fileSystem: fileSystem)]
    let roles = SourceRoles(manifests, resolve: resolve)
    let all = files.concurrentlyParsed
    // What is generated tells which files are the app's, also where it has no others with models.
    let isWritten = { (source: SwiftSource) in
      !GeneratedFile.isMarked(source.file.bytes) && roles.role(of: source.file) == .app
    }
    let written = TestCode.parted(all).app.filter(isWritten)
    sources.merge(written.map(\.file).textsByPath) { first, _ in first }
    var options = options
    let names = evolution.configuration.names
    options.plan = options.plan ?? plan(names.plan, in: written)
    options.keepsClasses = evolution.configuration.classes != nil
    // A class that no manifest has stays, whichever container holds it.
    options.container = .any
    // A class that was written after the others went leads to generated ones.
    options.models =
      ModelComparison(
        evolution, isReleased: true, folder: folder
      ).names
    // As adoption does: a type of another module may have any name.
    func matching(_ prefilter: Prefilter) -> [SourceFile] {
      written.map(\.file).filter { $0.bytes.withUnsafeBytes(prefilter.matches) }
    }
    var reader = SourceReader(
      matching(SourceAdoption.prefilter),
      lookUp: { matching(SourceAdoption.prefilter(declaring: $0)) })
    let adoption = reader.adoption(options)
    let read = reader.sources
    let paths = Set(read.map(\.file.path))
    let app = read + written.filter { !paths.contains($0.file.path) }
    let hasModels = app.contains(where: TestCode.declaresStore)
    let errors = adoption.findings.filter { $0.severity == .error }
    // What is no longer there cannot be read, and need not be.
    guard hasModels,
      errors.isEmpty
        || !TreeFacts(app, generated: VersionNames(manifests)).replaced.isEmpty
    else { return FinishedAdoption(changes: [], findings: [], sources: sources) }
    guard errors.isEmpty, let declarations = adoption.declarations else { return refused(errors) }
    let isUnversioned = adoption.names.isEmpty
    let (history, differences) =
      isUnversioned
      ? matchedClasses(adoption, evolution, folder)
      : matched(adoption, declarations, evolution, folder)
    guard isUnversioned || differences.isEmpty else { return refused(differences) }
    let keepsClasses = options.keepsClasses
    // Classes that the app has changed since are the newest manifest's.
    var left = self.left(adoption).filter { !keepsClasses || $0.rule != .classBesideVersion }
    left += differences.map { finding in
      var finding = finding
      finding.severity = .warning
      return finding
    }
    let beside =
      isUnversioned
      ? Set(adoption.history.flatMap(\.models).map(\.name))
        .subtracting(differences.compactMap(\.owner))
        .intersection(history.flatMap(\.models).map(\.name))
      : keepsClasses ? [] : equalClasses(adoption, evolution, folder)
    var kept = app + all.filter { roles.role(of: $0.file) == .userFile }
    let added =
      isUnversioned
      ? members(adoption, of: beside, among: kept, evolution, folder) : []
    for (model, file) in added {
      kept.append(SwiftSource(file))
      left += adoption.findings.filter { $0.rule == .notCarried && $0.owner == model }
      left.append(
        Diagnostic(
          .adoptedCode, "'\(model)' has more than stored properties: the rest is in '\(file.path)'",
          element: ElementPath(model), at: adoption.history[0].model(named: model)?.location,
          help: ["the file is yours, and is never overwritten"]))
    }
    var removal = SourceRemoval(
      declarations, history, names, keepsClasses: keepsClasses, beside: beside,
      sources: kept, options.conditions)
    var changes = FileChange.creating(added.map(\.file))
    let generatedNames = Set(
      all.filter { GeneratedFile.isMarked($0.file.bytes) || roles.role(of: $0.file) == .userFile }
        .map(\.file.name))
    for source in app {
      guard let bytes = removal.edited(source) else { continue }
      let path = source.file.path
      if !bytes.isEmpty, generatedNames.contains(source.file.name) {
        // A module has one file of a name.
        changes.append(
          FileChange(
            action: .create, path: Self.other(path, fileSystem), contents: bytes, previous: nil))
        changes.append(
          FileChange(action: .remove, path: path, contents: [], previous: source.file.bytes))
      } else {
        changes.append(
          FileChange(
            action: bytes.isEmpty ? .remove : .update, path: path, contents: bytes,
            previous: source.file.bytes))
      }
      if !bytes.isEmpty, !source.hasErrors,
        SwiftSource(SourceFile(path: source.file.path, bytes: bytes)).hasErrors
      {
        return refused([
          Diagnostic(
            .notTakenOut, "'\(source.file.path)' would not be Swift any more",
            at: SourceLocation(file: source.file.path),
            help: ["remove by hand the code that is generated now"], severity: .error)
        ])
      }
    }
    // Of one class that differs from its manifest the others do not go: the app would have half of both.
    let known = Set(evolution.history.flatMap(\.models).map(\.name))
    guard changes.isEmpty || !differences.contains(where: { known.contains($0.owner ?? "") }) else {
      return refused(differences)
    }
    changes.sort { $0.path < $1.path }
    left += RemovedComments(changes, evolution.history, manifests[0].files, beside: kept).findings
    return FinishedAdoption(
      changes: changes, findings: (removal.notes + left).reportOrder, sources: sources)
  }

  /// A path beside another: `SchemaV9+App.swift`.
  private static func other(_ path: String, _ fileSystem: some FileSystem) -> String {
    let stem = path.dropLast(".swift".count) + "+App"
    let names = ([""] + (2...9).map(String.init)).map { "\(stem)\($0).swift" }
    return names.first { ((try? fileSystem.read($0, limit: 1)) ?? nil) == nil } ?? names[0]
  }

  /// The plan that was adopted, where there are several.
  private static func plan(_ name: String, in sources: [SwiftSource]) -> String? {
    let facts = TreeFacts(sources)
    return facts.plans.count > 1 && facts.plans.contains(name) ? name : nil
  }

  /// What adoption leaves aside stays.
  private static func left(_ adoption: Adoption) -> [Diagnostic] {
    let rules: Set<Rule> = [.modelNotListed, .versionOutsidePlan, .buildCondition, .testCode]
    return adoption.findings.filter {
      rules.contains($0.rule) || $0.rule == .classBesideVersion
    }.map { finding in
      var finding = finding
      finding.severity = .note
      return finding
    }
  }

  /// What classes have besides stored properties, as files: of those that `adopt` has written none of.
  private static func members(
    _ adoption: Adoption, of models: Set<String>, among sources: [SwiftSource],
    _ evolution: Evolution, _ folder: String
  ) -> [(model: String, file: SourceFile)] {
    let names = evolution.configuration.names
    guard names.active == adoption.configuration.names.active else { return [] }
    let newest = evolution.history[evolution.history.count - 1]
    let known = SourceRemoval.extensions(in: sources, of: newest, names)
    let base = Path.folder(of: Path.join(folder, evolution.configuration.output))
    return adoption.members.compactMap { member in
      let file = SourceFile(path: Path.join(base, member.path), bytes: member.bytes)
      let extended = SourceRemoval.extensions(in: [SwiftSource(file)], of: newest, names)
      guard let (model, keys) = extended.first, extended.count == 1, models.contains(model),
        keys.isDisjoint(with: known[model] ?? [])
      else { return nil }
      return (model, file)
    }
  }

  /// Of classes at the top level each stands for itself, in whichever version has it as it is: what was adopted first is
  /// in the oldest, and what the app has written since in the newest.
  private static func matchedClasses(
    _ adoption: Adoption, _ evolution: Evolution, _ folder: String
  ) -> (history: [SchemaVersion], differences: [Diagnostic]) {
    let history = evolution.history
    let code = adoption.history[adoption.history.count - 1]
    let differences = history.indices.map {
      ModelComparison(evolution, adopted: $0, folder: folder).differences(code)
    }
    var version = history[history.count - 1]
    var remaining = differences[history.count - 1]
    for model in code.models.map(\.name) {
      let places = history.indices.reversed().filter { history[$0].model(named: model) != nil }
      let equal = places.first { !differences[$0].contains { $0.owner == model } }
      guard let place = equal ?? places.first else { continue }
      if equal != nil { remaining.removeAll { $0.owner == model } }
      if version.model(named: model) == nil, let old = history[place].model(named: model) {
        version.models.append(old)
        if equal == nil { remaining += differences[place].filter { $0.owner == model } }
      }
    }
    return ([version], remaining.map(notTakenOut))
  }

  private static func notTakenOut(_ finding: Diagnostic) -> Diagnostic {
    Diagnostic(
      .notTakenOut, finding.message, element: finding.element.map(ElementPath.init),
      at: finding.location,
      help: ["the generated code would not replace it: make manifest and code agree"],
      severity: .error)
  }

  /// Classes at the top level that are what the newest version's are: with those generated, they are too many.
  private static func equalClasses(
    _ adoption: Adoption, _ evolution: Evolution, _ folder: String
  ) -> Set<String> {
    let last = evolution.history.count - 1
    let known = Set(evolution.history[last].models.map(\.name))
    let models = adoption.unlisted.filter { known.contains($0.name) }
    guard !models.isEmpty else { return [] }
    var code = SchemaVersion(number: evolution.history[last].number, models: models)
    code.joinInverses()
    let differing = Set(
      ModelComparison(evolution, adopted: last, folder: folder).differences(code)
        .compactMap(\.owner))
    return Set(models.map(\.name)).subtracting(differing)
  }

  /// The manifest of each version, and where code and manifest store something different: then the one may not stand for
  /// the other.
  private static func matched(
    _ adoption: Adoption, _ declarations: AdoptedDeclarations, _ evolution: Evolution,
    _ folder: String
  ) -> (history: [SchemaVersion], differences: [Diagnostic]) {
    var history: [SchemaVersion] = []
    var differences: [Diagnostic] = []
    let names = evolution.configuration.names
    for (version, written) in zip(adoption.history, declarations.versions) {
      let name = written.path.joined(separator: ".")
      let found =
        evolution.history.firstIndex { names.schema($0.number) == name }
        ?? evolution.history.firstIndex { $0.number == version.number }
      guard let found else {
        differences.append(
          Diagnostic(
            .notTakenOut, "no manifest says what '\(name)' is", element: ElementPath(name),
            at: version.location, help: ["adopt the app again, elsewhere: --schemas FOLDER"],
            severity: .error))
        continue
      }
      history.append(evolution.history[found])
      differences += ModelComparison(evolution, adopted: found, folder: folder).differences(version)
        .map(notTakenOut)
    }
    return (history, differences)
  }
}

extension Diagnostic {
  /// The model that it is about.
  fileprivate var owner: String? { element.map { String($0.prefix { $0 != "." }) } }
}
