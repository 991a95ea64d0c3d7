internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
package import SchemaModel
internal import SchemaRendering
package import SchemaWorkspace

/// The app's `@Model` classes, held against the newest manifests.
package struct Detection: Sendable {
  /// A folder of manifests, as far as detection tells of it.
  package struct Schema: Sendable, Equatable {
    package var folder: String
    package var version: VersionNumber
    /// Whether the newest version has shipped, so that it cannot take anything in any more.
    package var isReleased: Bool
    /// Whether its models are the app's own classes, which 'snapshot' writes into the manifest.
    package var keepsClasses = false
  }

  /// What counts, sorted.
  package let findings: [Diagnostic]
  /// What was accepted, with the reason.
  package let accepted: [AcceptedFinding]
  package let schemas: [Schema]
  /// The folders whose classes say what the newest manifest does not say yet: a snapshot writes it.
  package let moved: [String]
  /// The snapshots of folders that keep their classes, where these can be understood.
  let snapshots: [Snapshot]
  /// Whether manifests or files could not be read, so that not everything was looked at.
  package let isMalformed: Bool
  /// How many Swift files there are.
  package let count: Int
  /// Texts by path, for snippets.
  package let sources: [String: String]

  /// - Parameters:
  ///   - folders: Folders of manifests.
  ///   - paths: Folders and files of Swift code.
  ///   - judged: By folder, the configuration whose severities count in place of its own.
  ///   - conditions: What `#if` is decided by.
  ///   - today: The day on which acceptances run out.
  ///   - fileSystem: What manifests and generated files are read from; sources are on the disk.
  ///   - progress: Told what is done.
  package static func run(
    paths: [String], folders: [String], judged: [String: Configuration] = [:],
    conditions: BuildConditions = BuildConditions(), today: CalendarDay,
    fileSystem: some FileSystem, progress: WorkObserver? = nil
  ) -> Detection {
    let tree = SourceTree(folders: paths, progress: progress)
    let reading = tree.files(containing: SourceAdoption.prefilter)
    progress?("looking at files with models: \(reading.files.count)", 0, 0)
    return run(
      reading.files, count: reading.count, diagnostics: reading.diagnostics, folders: folders,
      judged, conditions, today, fileSystem, progress
    ) { tree.files(containing: SourceAdoption.prefilter(declaring: $0)).all }
  }

  /// Looks at files in memory.
  package static func run(
    files: [SourceFile], folders: [String], today: CalendarDay, fileSystem: some FileSystem
  ) -> Detection {
    run(
      files, count: files.count, diagnostics: [], folders: folders, [:], BuildConditions(),
      today, fileSystem, nil
    ) { _ in [] }
  }

  private static func run(
    _ files: [SourceFile], count: Int, diagnostics: [Diagnostic], folders: [String],
    _ judged: [String: Configuration], _ conditions: BuildConditions, _ today: CalendarDay,
    _ fileSystem: some FileSystem,
    _ progress: WorkObserver?,
    lookUp: @escaping (SourceWanted) -> [SourceFile]
  ) -> Detection {
    var found = diagnostics
    var schemas: [Schema] = []
    var sources = files.textsByPath
    var comparisons: [ModelComparison] = []
    var blocked: [Diagnostic] = []
    var configurations: [(path: String, configuration: Configuration)] = []
    var isMalformed = diagnostics.hasErrors
    var looked: [SwiftSource] = []
    var kept: Set<String> = []
    var moved: [String] = []
    var snapshots: [Snapshot] = []
    for path in folders {
      // One reading of the folder serves all: what its manifests say, and what they give.
      let generation = GenerationPipeline(fileSystem: fileSystem).run(path)
      let folder = generation.folder
      sources.merge(folder?.sources ?? [:]) { first, _ in first }
      configurations.append((path, folder?.configuration ?? Configuration()))
      guard let evolution = folder?.evolution, let newest = evolution.history.last else {
        found += (folder?.diagnostics ?? generation.diagnostics).filter { $0.severity == .error }
        isMalformed = true
        continue
      }
      let isReleased = SchemaFolder.hasShipped(newest, in: path, fileSystem: fileSystem)
      schemas.append(Schema(folder: path, version: newest.number, isReleased: isReleased))
      if let snapshot = folder.flatMap({
        Snapshot.take($0, conditions: conditions, fileSystem: fileSystem, progress: progress)
      }) {
        schemas[schemas.count - 1].keepsClasses = true
        if !snapshot.changes.isEmpty { moved.append(path) }
        if !snapshot.isRefused { snapshots.append(snapshot) }
        kept.formUnion(newest.models.map(\.name))
        kept.formUnion(snapshot.changes.map(\.element))
        found += snapshot.differences + GeneratedFileCheck(path, generation).diagnostics
        isMalformed = isMalformed || snapshot.isRefused
        sources.merge(snapshot.sources) { first, _ in first }
        continue
      }
      comparisons.append(
        ModelComparison(evolution, isReleased: isReleased, folder: path))
      blocked += generation.diagnostics.filter { $0.severity == .error }
      found += GeneratedFileCheck(path, generation).diagnostics
    }
    if !comparisons.isEmpty {
      let options = Adoption.Options(
        container: .any,
        conditions: conditions.adapted(to: configurations[0].configuration)[0],
        models: comparisons.reduce(into: [:]) { $0.merge($1.names) { first, _ in first } })
      let code = AppModels.read(files, comparisons, options, lookUp: lookUp)
      // Without generated files of the newest version there is nothing to compare: what keeps them from being generated
      // is the finding.
      let isBlocked = !code.hasModels && !blocked.isEmpty
      // Classes that another schema keeps are in its manifests.
      found += code.diagnostics.filter {
        !($0.rule == .newModel && kept.contains($0.element ?? ""))
          && !(isBlocked && $0.rule == .removedModel)
      }
      if isBlocked { found += blocked }
      looked = code.sources
      for file in looked.map(\.file) { sources[file.path] = file.text }
    }
    let levels = SeverityResolver(
      configurations.map { ($0.path, judged[$0.path] ?? $0.configuration) })
    var remaining: [Diagnostic] = []
    var accepted: [AcceptedFinding] = []
    let byPath = Dictionary(looked, keyedBy: \.file.path)
    // A comment that accepts nothing any more stands in a file in which nothing was found.
    let commented = looked.map(\.file).filter { $0.text.contains(AcceptanceComment.word) }.map(
      \.path)
    let grouped = Dictionary(grouping: found) { $0.location?.file ?? "" }
    for path in Set(grouped.keys).union(commented).sorted() {
      var findings = grouped[path] ?? []
      if let source = byPath[path] {
        let outcome = SourceAcceptances(source).apply(
          to: findings, of: RuleCatalog.detection + [.adoptedSource], on: today)
        findings = outcome.remaining
        accepted += outcome.accepted
      }
      remaining += levels.apply(to: findings, in: path)
    }
    return Detection(
      findings: remaining.reportOrder, accepted: accepted.sorted { $0.finding < $1.finding },
      schemas: schemas, moved: moved, snapshots: snapshots, isMalformed: isMalformed, count: count,
      sources: sources)
  }
}

/// One folder's newest version, and how code that should be as it says differs.
struct ModelComparison: Sendable {
  let folder: String
  let configuration: Configuration
  /// The newest version as its manifest says it.
  private(set) var newest: SchemaVersion
  /// The newest version as code has it: original names and hash modifiers in place.
  private var physical: SchemaVersion
  let isReleased: Bool
  /// Whether versions were adopted from code of the app's.
  let isAdopted: Bool

  /// What a version's manifest says, held against the code that it was adopted from.
  init(_ evolution: Evolution, adopted position: Int, folder: String) {
    self.init(evolution, isReleased: true, folder: folder)
    newest = evolution.history[position]
    physical = newest
  }

  init(_ evolution: Evolution, isReleased: Bool, folder: String) {
    self.folder = folder
    self.isReleased = isReleased
    configuration = evolution.configuration
    isAdopted = evolution.history.contains { $0.identity == .shipped }
    newest = evolution.history[evolution.history.count - 1]
    physical = evolution.newestStored
  }

  /// The names that app code may give the newest version's models.
  var names: [String: String] {
    let patterns = configuration.names
    var names: [String: String] = [:]
    for model in newest.models.map(\.name) {
      names[patterns.active(model: model)] = model
      names[patterns.alias(model: model, version: newest.number)] = model
      names["\(patterns.schema(newest.number)).\(model)"] = model
    }
    return names
  }

  func has(_ model: String) -> Bool { newest.model(named: model) != nil }

  /// What to do about a difference.
  var wayOut: String {
    isReleased
      ? "\(newest.number.name) has shipped: run 'schemagen new-version' and make the change there"
      : "\(newest.number.name) has not shipped yet: make the change in \(newest.number.name).yaml"
  }

  /// Findings about classes of models that the manifest has.
  func differences(_ code: SchemaVersion) -> [Diagnostic] {
    var base = physical
    var version = code.withoutStep
    let names = Set(version.models.map(\.name))
    base.models.removeAll { !names.contains($0.name) }
    version.models.removeAll { base.model(named: $0.name) == nil }
    version.number = base.number.successors[2]
    for place in version.models.indices { neutralize(&version.models[place], in: base) }
    // What an opaque type is made of, the manifest leaves to the app, and no file here may tell it.
    version.types = base.types.map { type in
      guard var written = version.type(named: type.name) else { return type }
      // Where no file declares it, nothing tells. Where the manifest says what the type is made of and has no digest,
      // its code said nothing else then.
      if type.coding == nil && type.kind == .opaque
        || written.kind == .opaque && written.coding == nil
      {
        written.coding = type.coding
      }
      guard written.kind != .opaque, type.kind != .opaque else {
        var known = type
        // New constants say nothing of old rows.
        if !written.isCoded(as: type) { known.coding = written.coding }
        return known
      }
      written.documentation = type.documentation
      written.isOwn = type.isOwn
      written.appName = type.appName
      return written
    }
    let unrecorded = base.types.filter { $0.isOwn && $0.kind == .opaque && $0.coding == nil }
      .compactMap { type -> Diagnostic? in
        guard let written = code.type(named: type.name), let coding = written.coding else {
          return nil
        }
        return Diagnostic(
          .undeclaredType,
          "schemagen cannot tell what a store has of '\(type.name)', and \(newest.number.name).yaml has no digest of its code: an edit of it is seen by nothing",
          element: type.name, at: written.location,
          help: ["write at '\(type.name)' in \(newest.number.name).yaml: coding: \(coding)"],
          severity: .warning)
      }
    return unrecorded
      + SchemaDiffer().changes(from: base, to: version).map { change in
        let place = version.location(of: change.element) ?? version.location
        let detail = change.detail.isEmpty ? "" : " (\(change.detail))"
        if change.kind == .valueCodingChanged {
          let coding = version.type(named: change.element.owner)?.coding ?? "none"
          let isNew = base.type(named: change.element.owner)?.coding == nil
          return Diagnostic(
            .modelDiffers,
            isNew
              ? "'\(change.element)' decides in code what rows hold, and \(newest.number.name).yaml does not know that code: rows may hold what other code wrote"
              : "the code that reads and writes '\(change.element)' has changed since \(newest.number.name) was written: rows hold what the old code wrote",
            element: change.element, at: place,
            help: [
              "if \(isNew ? "this" : "the new") code reads that, write at '\(change.element)' in \(newest.number.name).yaml: coding: \(coding)",
              "if not, declare the new form under another name, and convert the values in the next version",
            ])
        }
        return Diagnostic(
          .modelDiffers,
          "'\(change.element)'\(detail) differs from \(newest.number.name): "
            + "\(change.classification.title)", element: change.element, at: place,
          help: waysOut(of: change.element))
      }
  }

  /// What to do about a difference in code: of a type that the app declares itself, no other command has told it.
  private func waysOut(of element: ElementPath) -> [String] {
    let name = newest.number.name
    guard let type = newest.type(named: element.owner), type.isOwn else {
      return [wayOut, "or change the class back to what the manifest says"]
    }
    return [
      "if \(name) is right: change '\(type.name)' in the app to what it says; rows of \(name) hold that, and the app must read it",
      isReleased
        ? "if the app is right, run 'schemagen new-version' and make the change there, since \(name) has shipped: existing rows are then migrated to match"
        : "if the app is right, change \(name).yaml, which has not shipped: existing rows are then migrated to match",
    ]
  }

  /// Takes from the manifest what classes do not say.
  private func neutralize(_ model: inout Model, in base: SchemaVersion) {
    guard let known = base.model(named: model.name) else { return }
    model.entity = known.entity
    model.documentation = known.documentation
    for index in model.properties.indices {
      let name = model.properties[index].name
      guard let property = known.property(named: name) else { continue }
      model.properties[index].mapping = property.mapping
      // What it was called before is told by the versions before.
      model.properties[index].originalName = property.originalName
      model.properties[index].documentation = property.documentation
      // What follows from the steps before is in generated code, and no manifest has to say it.
      if newest.model(named: model.name)?.property(named: name)?.hashModifier == nil {
        model.properties[index].hashModifier = property.hashModifier
      }
      model.properties[index].initializerDefault = property.initializerDefault
      if case .attribute(var attribute) = model.properties[index].kind,
        let said = property.attribute
      {
        attribute.encodes = said.encodes
        attribute.fallback = said.fallback
        model.properties[index].kind = .attribute(attribute)
      }
    }
  }
}

/// The app's models, wherever they stand, and what is to be said of them.
private struct AppModels {
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var sources: [SwiftSource] = []
  /// Whether any class was found, generated or not.
  private(set) var hasModels = false

  static func read(
    _ files: [SourceFile], _ comparisons: [ModelComparison], _ options: Adoption.Options,
    lookUp: @escaping (SourceWanted) -> [SourceFile]
  ) -> AppModels {
    var models = AppModels()
    models.look(at: files, comparisons, options, lookUp: lookUp)
    return models
  }

  private mutating func look(
    at files: [SourceFile], _ comparisons: [ModelComparison], _ options: Adoption.Options,
    lookUp: @escaping (SourceWanted) -> [SourceFile]
  ) {
    var found: Set<String> = []
    var reader = SourceReader(files, lookUp: lookUp)
    // Generated classes first, folder by folder: what is edited in them differs from the manifest.
    for comparison in comparisons {
      var options = options
      options.plan = comparison.configuration.names.plan
      // Modules that each have a schema may give the same names to what is generated.
      let output = OutputLocations(
        folder: comparison.folder, configuration: comparison.configuration
      ).output
      let isElsewhere = !files.contains {
        Path.folder(of: $0.path) == output && GeneratedFile.isMarked($0.bytes)
      }
      let generated = reader.adoption(options) { source in
        !source.mayHaveModels
          || GeneratedFile.isMarked(source.file.bytes)
            && (isElsewhere || Path.folder(of: source.file.path) == output)
      }
      guard let code = generated.history.last,
        generated.history.map(\.number).contains(comparison.newest.number)
      else { continue }
      for model in code.models where !comparison.has(model.name) {
        report(model, code, comparison)
      }
      found.formUnion(code.models.map(\.name))
      diagnostics += comparison.differences(code)
      diagnostics += generated.findings.filter { finding in
        let name = finding.element ?? ""
        return [.modelNotListed, .unreadable].contains(finding.rule)
          || finding.rule == .undeclaredType && generated.omittedTypes.contains(name)
            && comparison.newest.type(named: name)?.isOwn == true
      }.map(Self.unlisted)
    }
    var own = options
    own.plan = nil
    let plans = Set(comparisons.map(\.configuration.names.plan))
    let written = { (source: SwiftSource) in !GeneratedFile.isMarked(source.file.bytes) }
    var adoption = reader.adoption(options, where: written)
    if adoption.plans.count > 1,
      let plan = adoption.plans.first(where: { name in
        plans.contains { name == $0 || name.hasSuffix(".\($0)") }
      })
    {
      own.plan = plan
      adoption = reader.adoption(own, where: written)
    }
    sources = reader.sources
    let generated = found
    let isLeft = reportAdopted(adoption, generated, comparisons)
    if var code = adoption.history.last {
      if !isLeft {
        for model in code.models where generated.contains(model.name) { reportSecond(model) }
      }
      code.models.removeAll { generated.contains($0.name) }
      for model in code.models {
        found.insert(model.name)
        if !comparisons.contains(where: { $0.has(model.name) }) {
          report(model, code, comparisons[0])
        }
      }
      for comparison in comparisons where code.models.contains(where: { comparison.has($0.name) }) {
        diagnostics += comparison.differences(code)
      }
    }
    let unlisted = Set(adoption.unlisted.map(\.name))
    for model in adoption.unlisted {
      found.insert(model.name)
      guard !comparisons.contains(where: { $0.has(model.name) }) else { continue }
      report(model, SchemaVersion(number: VersionNumber(0)), comparisons[0])
    }
    // What has no place is about the files as a whole: that none of them declares a model is not a fault here.
    diagnostics += adoption.findings.filter {
      !isLeft && $0.location != nil
        && ([.cannotAdopt, .brokenSource, .unreadProperty].contains($0.rule)
          || $0.rule == .modelNotListed && !unlisted.contains($0.element ?? ""))
    }.map(Self.unlisted)
    reportRemoved(comparisons, found)
    hasModels = !found.isEmpty
    if !hasModels, let first = comparisons.first {
      diagnostics.append(
        Diagnostic(
          .removedModel, "there is no '@Model' class in these files", at: nil,
          help: [
            "name the folders of the app's sources, generated files included",
            "where nothing has been generated yet: schemagen generate\(ShellWord.schemas(first.folder))",
          ]))
    }
  }

  /// Reports hand-written code that is generated now, once for each folder of manifests: whether it is there.
  private mutating func reportAdopted(
    _ adoption: Adoption, _ generated: Set<String>, _ comparisons: [ModelComparison]
  ) -> Bool {
    var seen: Set<String> = []
    for comparison in comparisons where comparison.isAdopted {
      var second = adoption.history.flatMap(\.models).filter {
        generated.contains($0.name) && comparison.has($0.name)
      }
      if adoption.names.isEmpty, let code = adoption.history.last {
        // A class that stood beside the versions and differs from them has not been adopted.
        let differing = Set(
          comparison.differences(code).compactMap { $0.element?.prefix { $0 != "." } })
        second.removeAll { differing.contains($0.name[...]) }
      }
      let all = second.compactMap { model in
        model.location.flatMap { seen.insert(model.name).inserted ? (model.name, $0) : nil }
      }
      guard !all.isEmpty else { continue }
      diagnostics.append(Diagnostic(adoptedSource: all, generatedIn: comparison.folder))
    }
    return !seen.isEmpty
  }

  private static func unlisted(_ finding: Diagnostic) -> Diagnostic {
    var finding = finding
    if finding.rule == .modelNotListed { finding.rule = .unlistedModel }
    finding.severity = .error
    return finding
  }

  private mutating func report(
    _ model: Model, _ code: SchemaVersion, _ comparison: ModelComparison
  ) {
    var version = SchemaVersion(number: comparison.newest.number, models: [model])
    let used = Set(model.properties.flatMap { $0.type.names })
    version.types = code.types.filter {
      used.contains($0.name) && comparison.newest.type(named: $0.name) == nil
    }
    version.models[0].location = nil
    let lines = ManifestText(version).text.split(
      separator: "\n", omittingEmptySubsequences: false)
    var wanted = Array(lines.drop { !$0.hasPrefix("models:") })
    while wanted.last?.isEmpty ?? false { wanted.removeLast() }
    let text = wanted.joined(separator: "\n")
    diagnostics.append(
      Diagnostic(
        .newModel, "'\(model.name)' is in no manifest", element: model.name, at: model.location,
        help: [comparison.wayOut + ":\n" + text]))
  }

  /// A class beside the generated one of its name: which of them a name means depends on where it stands.
  private mutating func reportSecond(_ model: Model) {
    diagnostics.append(
      Diagnostic(
        .newModel, "a second class '\(model.name)' exists beside the generated one",
        element: model.name, at: model.location,
        help: [
          "if it was adopted, remove it; if not, rename it: SwiftData identifies an entity by the name of its class"
        ]))
  }

  private mutating func reportRemoved(_ comparisons: [ModelComparison], _ found: Set<String>) {
    for comparison in comparisons {
      // Without a single class there is nothing that could be compared: the code lies elsewhere.
      guard comparison.newest.models.contains(where: { found.contains($0.name) }) else { continue }
      for model in comparison.newest.models where !found.contains(model.name) {
        diagnostics.append(
          Diagnostic(
            .removedModel, "the app has no class '\(model.name)' any more", element: model.name,
            at: model.location,
            help: [
              comparison.isReleased
                ? "its rows are on devices: run 'schemagen new-version' and write under 'drops:' why they may go"
                : "\(comparison.newest.number.name) has not shipped yet: remove it from \(comparison.newest.number.name).yaml"
            ]))
      }
    }
  }
}
