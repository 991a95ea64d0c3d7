internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
package import SchemaModel
internal import SchemaRendering
package import SchemaWorkspace
internal import SwiftAdoption
internal import SwiftChecks
package import SwiftSources

/// The app's `@Model` classes, compared with the newest manifests.
package struct Detection: Sendable {
  package struct Schema: Sendable, Equatable {
    package var folder: String
    package var version: VersionNumber
    package var isReleased: Bool
    /// Whether the models are classes of the app, which 'snapshot' writes into the manifest.
    package var keepsClasses = false
  }

  /// The findings that no comment accepts, sorted.
  package private(set) var findings: [Diagnostic] = []
  package private(set) var accepted: [AcceptedFinding] = []
  package private(set) var schemas: [Schema] = []
  /// The folders whose newest manifest lacks changes that a snapshot would write.
  package private(set) var moved: [String] = []
  private(set) var snapshots: [Snapshot] = []
  /// Whether the check is incomplete because manifests or files could not be read.
  package private(set) var isMalformed: Bool
  package let count: Int
  package private(set) var sources: [String: String]

  /// - Parameters:
  ///   - paths: Folders and files of Swift code.
  ///   - judged: Configurations whose severities replace those of the folders, by folder.
  ///   - today: The date that decides whether acceptances have expired.
  ///   - fileSystem: The file system of manifests and generated files. Sources are on the disk.
  package init(
    paths: [String], folders: [String], judged: [String: Configuration] = [:],
    conditions: BuildConditions = BuildConditions(), today: CalendarDay,
    fileSystem: some FileSystem, progress: WorkObserver? = nil
  ) {
    let tree = SourceTree(folders: paths, progress: progress)
    let reading = tree.files(containing: SourceAdoption.prefilter)
    progress?("looking at files with models: \(reading.files.count)", 0, 0)
    self.init(reading, folders, judged, conditions, today, fileSystem, progress) {
      tree.files(containing: SourceAdoption.prefilter(declaring: $0)).all
    }
  }

  package init(
    files: [SourceFile], folders: [String], today: CalendarDay, fileSystem: some FileSystem
  ) {
    let reading = SourceTree.Reading(files: files)
    self.init(reading, folders, [:], BuildConditions(), today, fileSystem, nil) { _ in [] }
  }

  private init(
    _ reading: SourceTree.Reading, _ folders: [String], _ judged: [String: Configuration],
    _ conditions: BuildConditions, _ today: CalendarDay, _ fileSystem: some FileSystem,
    _ progress: WorkObserver?, lookUp: @escaping (SourceWanted) -> [SourceFile]
  ) {
    count = reading.count
    isMalformed = reading.diagnostics.hasErrors
    sources = reading.files.textsByPath
    var found = reading.diagnostics
    var comparisons: [ModelComparison] = []
    var blocked: [Diagnostic] = []
    var configurations: [(path: String, configuration: Configuration)] = []
    var kept: Set<String> = []
    for path in folders {
      // One run reads both the manifests and the generated files.
      let generation = GenerationPipeline(fileSystem: fileSystem).run(path)
      sources.merge(generation.folder?.sources ?? [:]) { first, _ in first }
      let configuration = generation.folder?.configuration ?? Configuration()
      configurations.append((path, judged[path] ?? configuration))
      guard let folder = generation.folder, let evolution = folder.evolution,
        let newest = evolution.history.last
      else {
        found += (generation.folder?.diagnostics ?? generation.diagnostics).errors
        isMalformed = true
        continue
      }
      let isReleased = SchemaFolder.hasShipped(newest, in: path, fileSystem: fileSystem)
      let snapshot = Snapshot.take(
        folder, conditions: conditions, fileSystem: fileSystem, progress: progress)
      schemas.append(
        Schema(
          folder: path, version: newest.number, isReleased: isReleased,
          keepsClasses: snapshot != nil))
      found += generation.edited(in: path)
      guard let snapshot else {
        comparisons.append(ModelComparison(evolution, isReleased: isReleased, folder: path))
        blocked += generation.diagnostics.errors
        continue
      }
      if !snapshot.changes.isEmpty { moved.append(path) }
      if !snapshot.isRefused { snapshots.append(snapshot) }
      kept.formUnion(newest.models.map(\.name) + snapshot.changes.map(\.element))
      found += snapshot.differences
      isMalformed = isMalformed || snapshot.isRefused
      sources.merge(snapshot.sources) { first, _ in first }
    }
    var looked: [SwiftSource] = []
    if !comparisons.isEmpty {
      let code = AppModels(
        SourceReader(reading.files, lookUp: lookUp), comparisons,
        conditions.adapted(to: comparisons[0].configuration)[0])
      // Without generated files of the newest version there is nothing to compare. Report the error that prevents
      // generation instead.
      let isBlocked = !code.hasModels && !blocked.isEmpty
      // A new model may be a live class of another schema, whose manifests have the model.
      found += code.diagnostics.filter {
        !($0.rule == .newModel && kept.contains($0.element ?? ""))
          && !(isBlocked && $0.rule == .removedModel)
      }
      if isBlocked { found += blocked }
      looked = code.sources
      sources.merge(looked.map(\.file).textsByPath) { _, new in new }
    }
    settle(found, looked, SeverityResolver(configurations), today)
  }

  private mutating func settle(
    _ found: [Diagnostic], _ looked: [SwiftSource], _ levels: SeverityResolver,
    _ today: CalendarDay
  ) {
    let byPath = Dictionary(looked, keyedBy: \.file.path)
    let grouped = Dictionary(grouping: found) { $0.location?.file ?? "" }
    // A comment that no longer accepts any finding may be in a file without findings.
    let commented = looked.map(\.file).filter { $0.text.contains(AcceptanceComment.word) }
    for path in Set(grouped.keys).union(commented.map(\.path)).sorted() {
      var findings = grouped[path] ?? []
      if let source = byPath[path] {
        let outcome = SourceAcceptances(source).apply(
          to: findings, of: RuleCatalog.detection + [.adoptedSource], on: today)
        findings = outcome.remaining
        accepted += outcome.accepted
      }
      self.findings += levels.apply(to: findings, in: path)
    }
    findings = findings.reportOrder
    accepted.sort { $0.finding < $1.finding }
  }
}

extension [Diagnostic] {
  fileprivate var errors: [Diagnostic] { filter { $0.severity == .error } }
}

extension GenerationRun {
  /// Generated files that differ from the manifests' output; empty if nothing was ever generated.
  fileprivate func edited(in folder: String) -> [Diagnostic] {
    let changes = changes.filter { $0.path.hasSuffix(".swift") }
    // A generated file that lacks the first line of generated files was emptied, or edited from that line on.
    let foreign = diagnostics.filter { $0.rule == .foreignFile }
    guard
      unchanged > 0 || !foreign.isEmpty || changes.contains(where: { $0.action != .create })
    else { return [] }
    return changes.map { .stale([$0], in: folder) }
      + foreign.map {
        Diagnostic(.editedGeneratedFile, $0.message, element: folder, at: nil, help: $0.help)
      }
  }
}

/// The app's models, from all files, and the findings about them.
private struct AppModels {
  private(set) var diagnostics: [Diagnostic] = []
  let sources: [SwiftSource]
  var hasModels: Bool { !found.isEmpty }
  private var found: Set<String> = []
  private let comparisons: [ModelComparison]

  init(_ files: SourceReader, _ comparisons: [ModelComparison], _ conditions: BuildConditions) {
    self.comparisons = comparisons
    let options = Adoption.Options(
      container: .any, conditions: conditions,
      models: comparisons.reduce(into: [:]) { $0.merge($1.names) { first, _ in first } })
    var reader = files
    // Read generated classes first, folder by folder. Edits of generated classes are differences from the manifest.
    let generated = comparisons.map { Self.generated($0, &reader, options) }
    let written = Self.written(&reader, options, Set(comparisons.map(\.configuration.names.plan)))
    sources = reader.sources
    for (comparison, adoption) in zip(comparisons, generated) { take(adoption, comparison) }
    take(written)
    reportRemoved()
  }

  private static func generated(
    _ comparison: ModelComparison, _ reader: inout SourceReader, _ options: Adoption.Options
  ) -> Adoption {
    var options = options
    options.plan = comparison.configuration.names.plan
    // Several modules, each with its own schema, may have the same generated names.
    let output = OutputLocations(
      folder: comparison.folder, configuration: comparison.configuration
    ).output
    let isElsewhere = !reader.sources.contains {
      Path.folder(of: $0.file.path) == output && GeneratedFile.isMarked($0.file.bytes)
    }
    return reader.adoption(options) { source in
      !source.mayHaveModels
        || GeneratedFile.isMarked(source.file.bytes)
          && (isElsewhere || Path.folder(of: source.file.path) == output)
    }
  }

  /// The models in handwritten files. Of several plans, the one with a generated plan's name counts.
  private static func written(
    _ reader: inout SourceReader, _ options: Adoption.Options, _ plans: Set<String>
  ) -> Adoption {
    let isWritten = { (source: SwiftSource) in !GeneratedFile.isMarked(source.file.bytes) }
    let adoption = reader.adoption(options, where: isWritten)
    guard adoption.plans.count > 1,
      let plan = adoption.plans.first(where: { name in
        plans.contains { name == $0 || name.hasSuffix(".\($0)") }
      })
    else { return adoption }
    var options = options
    options.plan = plan
    return reader.adoption(options, where: isWritten)
  }

  private mutating func take(_ generated: Adoption, _ comparison: ModelComparison) {
    let newest = comparison.newest
    guard let code = generated.history.last,
      generated.history.contains(where: { $0.number == newest.number })
    else { return }
    found.formUnion(code.models.map(\.name))
    for model in code.models where !comparison.has(model.name) {
      reportNew(model, code, comparison)
    }
    diagnostics += comparison.differences(code)
    diagnostics += generated.findings.filter { finding in
      let name = finding.element ?? ""
      return [.modelNotListed, .unreadable].contains(finding.rule)
        || finding.rule == .undeclaredType && generated.omittedTypes.contains(name)
          && newest.type(named: name)?.isOwn == true
    }.map(Self.unlisted)
  }

  private mutating func take(_ adoption: Adoption) {
    let generated = found
    let isLeft = reportAdopted(adoption)
    if var code = adoption.history.last {
      let second = code.models.filter { generated.contains($0.name) }
      if !isLeft { diagnostics += second.map(Self.second) }
      code.models.removeAll { generated.contains($0.name) }
      for comparison in comparisons where code.models.contains(where: { comparison.has($0.name) }) {
        diagnostics += comparison.differences(code)
      }
      look(at: code.models, code)
    }
    look(at: adoption.unlisted, SchemaVersion(number: VersionNumber(0)))
    let unlisted = Set(adoption.unlisted.map(\.name))
    // Findings without a place are about all files together. It is not an error if no file declares a model.
    diagnostics += adoption.findings.filter {
      !isLeft && $0.location != nil
        && ([.cannotAdopt, .brokenSource, .unreadProperty].contains($0.rule)
          || $0.rule == .modelNotListed && !unlisted.contains($0.element ?? ""))
    }.map(Self.unlisted)
  }

  /// Records classes, and reports those that no manifest has.
  private mutating func look(at models: [Model], _ code: SchemaVersion) {
    found.formUnion(models.map(\.name))
    for model in models where !comparisons.contains(where: { $0.has(model.name) }) {
      reportNew(model, code, comparisons[0])
    }
  }

  /// Reports handwritten code that is now generated, once per folder of manifests. Returns `true` if it reports any.
  private mutating func reportAdopted(_ adoption: Adoption) -> Bool {
    var seen: Set<String> = []
    for comparison in comparisons where comparison.isAdopted {
      // Without handwritten versions, a class that differs from the newest manifest was not adopted.
      let differing =
        adoption.names.isEmpty
        ? adoption.history.last.map { comparison.differences($0).compactMap(\.element) } ?? [] : []
      let others = Set(differing.map { ElementPath(parsing: $0).owner })
      let all = adoption.history.flatMap(\.models).filter {
        found.contains($0.name) && comparison.has($0.name) && !others.contains($0.name)
      }.compactMap { model in
        model.location.flatMap { seen.insert(model.name).inserted ? (model.name, $0) : nil }
      }
      if !all.isEmpty {
        diagnostics.append(Diagnostic(adoptedSource: all, generatedIn: comparison.folder))
      }
    }
    return !seen.isEmpty
  }

  private static func unlisted(_ finding: Diagnostic) -> Diagnostic {
    var finding = finding
    if finding.rule == .modelNotListed { finding.rule = .unlistedModel }
    finding.severity = .error
    return finding
  }

  private mutating func reportNew(
    _ model: Model, _ code: SchemaVersion, _ comparison: ModelComparison
  ) {
    var version = SchemaVersion(number: comparison.newest.number, models: [model])
    let used = Set(model.properties.flatMap { $0.type.names })
    version.types = code.types.filter {
      used.contains($0.name) && comparison.newest.type(named: $0.name) == nil
    }
    version.models[0].location = nil
    let text = ManifestText(version).text
    var models = text.firstRange(of: "models:").map { text[$0.lowerBound...] } ?? ""
    while models.last == "\n" { models = models.dropLast() }
    diagnostics.append(
      Diagnostic(
        .newModel, "'\(model.name)' is in no manifest", element: model.name, at: model.location,
        help: ["\(comparison.wayOut):\n\(models)"]))
  }

  /// Reports a handwritten class with the name of a generated class. The scope decides which class the name means.
  private static func second(_ model: Model) -> Diagnostic {
    Diagnostic(
      .newModel, "a second class '\(model.name)' exists next to the generated one",
      element: model.name, at: model.location,
      help: [
        "if the class was adopted, remove it; if not, rename it: SwiftData identifies an entity by the name of its class"
      ])
  }

  private mutating func reportRemoved() {
    for comparison in comparisons {
      let version = comparison.newest
      // If none of the version's classes was found, the app's code is elsewhere, and there is nothing to compare.
      guard version.models.contains(where: { found.contains($0.name) }) else { continue }
      diagnostics += version.models.filter { !found.contains($0.name) }.map { model in
        Diagnostic(
          .removedModel, "the app no longer has a class '\(model.name)'",
          element: model.name,
          at: model.location,
          help: [
            comparison.isReleased
              ? "its rows are on devices: run 'schemagen new-version' and write under 'drops:' why they can be dropped"
              : "\(version.number.name) has not shipped yet: remove it from \(version.number.name).yaml"
          ])
      }
    }
    guard found.isEmpty else { return }
    diagnostics.append(
      Diagnostic(
        .removedModel, "there is no '@Model' class in these files", at: nil,
        help: [
          "name the folders of the app's sources, generated files included",
          "if nothing has been generated yet: schemagen generate\(ShellWord.schemas(comparisons[0].folder))",
        ]))
  }
}
