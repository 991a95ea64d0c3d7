internal import ManagedModels
package import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
package import SchemaModel
package import SchemaRendering

extension Rule {
  package static let unreadable = Rule(
    "unreadable", "A file or folder cannot be read or written",
    basis: .fact(.tooling, "exit-codes", .certain))
  package static let foreignFile = Rule(
    "foreign-file", "Another file is in the place of a generated one",
    basis: .page("generated"))
}

/// A folder of manifests and everything that follows from it, read once.
package struct SchemaFolder: Sendable {
  package var path: String { manifests.folder }
  package let manifests: ManifestFiles
  /// Empty if there is no lock, or if the lock is broken.
  package let lock: SchemaLock
  let history: History
  /// The contents of `schemagen.yaml`, even if the folder is judged by another configuration.
  let writtenConfiguration: Configuration
  /// Nil when the manifests themselves have errors.
  package let evolution: Evolution?
  package let templates: TemplateStore
  package let coreData: CoreDataBeside
  /// The SHA-256, in lower-case hex, of each part of the app's migration code that no rule reads. The keys are
  /// `templates`, and `V2ToV3.before` for a hook.
  let ownCode: [ElementPath: String]
  /// The findings, before the configuration's severities.
  let found: [Diagnostic]
  let accepted: [AcceptedFinding]
  package let diagnostics: [Diagnostic]
  package let sources: [String: String]
  /// Whether errors are in the files themselves rather than in changes between versions.
  package let isMalformed: Bool
  /// Whether there are several versions, including those that cannot be read.
  package let hasSteps: Bool

  package var versions: [SchemaVersion] { history.versions }

  package static let laterChecks =
    "changes between versions are checked once these errors are corrected"

  /// The configuration that counts. It is stricter than `writtenConfiguration` if `judging` made it so.
  package var configuration: Configuration { history.configuration }

  /// One byte more than the limit for a manifest, so that the reader can report larger ones.
  package static let readLimit = 4 * 1024 * 1024 + 1

  package static func read(_ path: String, fileSystem: some FileSystem) -> SchemaFolder {
    understand(
      ManifestFiles(path, fileSystem: fileSystem),
      lock: lock(in: path, fileSystem: fileSystem), fileSystem: fileSystem)
  }

  package static func hasShipped(
    _ version: SchemaVersion, in path: String, fileSystem: some FileSystem
  ) -> Bool {
    // An adopted version shipped before there was a lock.
    version.identity == .shipped
      || lock(in: path, fileSystem: fileSystem).released.contains(version.number)
  }

  /// Derives everything from files in memory.
  ///
  /// - Parameter judging: Returns the configuration that counts instead of the folder's own.
  package static func understand(
    _ manifests: ManifestFiles, lock: SchemaLock,
    judging: (Configuration) -> Configuration = { $0 }, fileSystem: some FileSystem
  ) -> SchemaFolder {
    let path = manifests.folder
    let files = manifests.files
    var diagnostics = manifests.diagnostics
    // If files could not be read, a missing manifest is not reported as well.
    var history =
      diagnostics.hasErrors && files.isEmpty
      ? History()
      : HistoryReader().read(files, bases: manifests.bases)
    let written = history.configuration
    history.configuration = judging(written)
    var overrides: [SourceFile] = []
    if let folder = history.configuration.templates {
      overrides = ManifestFiles.files(in: Path.join(path, folder), fileSystem, &diagnostics) {
        $0.hasSuffix(".mustache")
      }
    }
    let templates = TemplateStore(overrides: overrides)
    diagnostics += history.diagnostics + templates.diagnostics
    diagnostics += RetirementRun.check(
      history.configuration.retirement, history.versions, released: lock.released)
    let isMalformed = diagnostics.hasErrors
    let unreadable = manifests.diagnostics.compactMap { diagnostic in
      diagnostic.location.flatMap { SourceFile(path: $0.file, bytes: []).versionOfName }
    }
    let numbers = Set(
      history.versions.map(\.number) + files.compactMap { $0.versionOfName } + unreadable)
    if isMalformed {
      // Without its first manifest, a history seems to begin with a step. Findings about such a step are dropped if a
      // manifest is missing or unreadable.
      let missing = lock.missing(
        among: numbers, lockPath: Path.join(path, SchemaLock.fileName))
      if !missing.isEmpty || !unreadable.isEmpty {
        diagnostics = diagnostics.filter { $0.rule != .stepKeyInFirstVersion } + missing
      }
    }
    var evolution: Evolution?
    var ownCode: [ElementPath: String] = [:]
    if !overrides.isEmpty {
      var hash = SHA256()
      for file in overrides {
        hash.update("\(file.name) \(file.bytes.count)\n")
        hash.update(file.bytes)
      }
      ownCode[ElementPath("templates")] = hash.finalize().hexadecimal
    }
    if !isMalformed, !history.versions.isEmpty {
      let found = AnalysisPipeline(
        history: history.versions, configuration: history.configuration,
        shipped: lock.shipped(of: history.versions),
        hooks: hooks(of: history, in: path, fileSystem, &ownCode)
      ).run()
      diagnostics += found.diagnostics
      evolution = found
    }
    let coreData = CoreDataBeside(
      history.configuration, evolution, lock, in: path, fileSystem: fileSystem)
    diagnostics += coreData.diagnostics
    if let evolution {
      diagnostics += Renderer.findings(evolution, coreDataStep: coreData.step)
    }
    diagnostics += RuleCatalog.unknownRules(history)
    let levels = RuleLevels(history.configuration, in: path)
    return SchemaFolder(
      manifests: manifests, lock: lock, history: history, writtenConfiguration: written,
      evolution: evolution,
      templates: templates, coreData: coreData, ownCode: ownCode, found: diagnostics,
      accepted: evolution?.steps.flatMap(\.accepted) ?? [],
      diagnostics: levels.apply(to: diagnostics).reportOrder,
      // Texts are only needed for snippets.
      sources: diagnostics.isEmpty
        ? [:]
        : (files + manifests.bases.files + overrides).textsByPath
          .merging(coreData.sources) { $1 },
      isMalformed: isMalformed, hasSteps: numbers.count > 1)
  }

  /// The user's code that runs before steps, if it is written.
  ///
  /// - Parameter ownCode: Receives the digest of each step's file, for each hook in it or for its functions.
  private static func hooks(
    of history: History, in path: String, _ fileSystem: some FileSystem,
    _ ownCode: inout [ElementPath: String]
  ) -> [VersionNumber: HookCode] {
    let folder = Path.join(path, history.configuration.owned)
    var hooks: [VersionNumber: HookCode] = [:]
    for (old, new) in zip(history.versions, history.versions.dropFirst()) {
      let name = VersionStep.name(from: old.number, to: new.number)
      let isRetired = history.configuration.isRetired(old.number)
      let path = Path.join(
        isRetired ? Path.join(path, RetirementRun.codeFolder) : folder, "\(name).swift")
      // Unreadable files are reported when generated files are compared.
      guard let bytes = try? fileSystem.read(path, limit: OutputLocations.readLimit) else {
        continue
      }
      let digest = SHA256.hash(bytes).hexadecimal
      if new.hooks.before {
        hooks[new.number] = HookCode("before", in: SourceFile(path: path, bytes: bytes))
        ownCode[ElementPath(name, "before")] = digest
      }
      if new.hooks.after { ownCode[ElementPath(name, "after")] = digest }
      if new.hooks.isEmpty { ownCode[ElementPath(name, "functions")] = digest }
    }
    return hooks
  }
}

extension SourceFile {
  fileprivate var versionOfName: VersionNumber? {
    let suffix = [".yaml", ".yml"].first(where: name.hasSuffix)
    return suffix.flatMap { VersionNumber(name.dropLast($0.count)) }
  }
}

/// The severities that the configuration gives to rules.
package struct RuleLevels: Sendable {
  let configuration: Configuration
  let file: String

  package init(_ configuration: Configuration, in folder: String) {
    self.configuration = configuration
    file = Path.join(folder, "schemagen.yaml")
  }

  /// The findings with their severities, and findings about levels that rules cannot have.
  package func apply(to diagnostics: [Diagnostic]) -> [Diagnostic] {
    guard !configuration.rules.isEmpty else { return diagnostics }
    var found: [Diagnostic] = []
    var refused: [String: Rule] = [:]
    for var diagnostic in diagnostics {
      guard let level = configuration.rules[diagnostic.rule.id]?.value else {
        found.append(diagnostic)
        continue
      }
      // An error that leads to wrong code keeps its severity, whatever the configuration.
      if diagnostic.severity == .error, !diagnostic.rule.isAcceptable, level != .error {
        refused[diagnostic.rule.id] = diagnostic.rule
        found.append(diagnostic)
        continue
      }
      guard level != .off else { continue }
      diagnostic.severity = Diagnostic.Severity(rawValue: level.rawValue) ?? diagnostic.severity
      found.append(diagnostic)
    }
    for (id, rule) in refused.sorted(by: { $0.key < $1.key }) {
      found.append(
        Diagnostic(
          .refusedLevel,
          "'\(id)' stays an error: its findings mean lost values or a failed migration",
          at: configuration.rules[rule.id]?.location ?? SourceLocation(file: file)))
    }
    return found
  }
}
