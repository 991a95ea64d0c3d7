internal import SchemaEvolution
internal import SchemaGit
internal import SchemaManifest
package import SchemaModel
internal import SchemaRendering
package import SchemaWorkspace
package import SwiftSources

/// The result of `adopt`: the manifests for a source tree, and the questions to ask. Creating it writes nothing.
package struct SourceAdoption: Sendable {
  package struct Options: Sendable {
    package var folder: String
    /// The folder for generated files, relative to the folder of manifests; nil puts them next to the newest models.
    package var output: String?
    /// The absolute path against which relative paths are resolved.
    package var workingFolder: String
    package var sources: String
    package var adoption: Adoption.Options

    package init(
      folder: String, output: String? = nil, workingFolder: String = "/", sources: String = ".",
      adoption: Adoption.Options = Adoption.Options()
    ) {
      self.folder = folder
      self.output = output
      self.workingFolder = workingFolder
      self.sources = sources
      self.adoption = adoption
    }
  }

  package struct Version: Sendable {
    package var folder: String
    package var written: String
    package var number: VersionNumber
    package var models: Int
    /// The version's releases in words; empty for none, or if `written` already names them.
    package var releases: String
    package var hasShipped: Bool
    package var isOfTag: Bool
    /// Whether the app's plan has stages but lacks this version.
    package var isNew: Bool
    /// Whether all releases that stored the version are on another branch, and newer than the releases that led to
    /// today's sources.
    package var isBeside: Bool
    /// The changes to the next version, and whether the engine infers them; nil for the newest.
    package var change: String?
  }

  /// Manifests, the configuration and the user files with adopted code.
  package let files: [SourceFile]
  package let findings: [Diagnostic]
  /// The findings of `generate` for the manifests.
  package let questions: [Diagnostic]
  /// Whether nothing may be written, because the manifests would be wrong or cannot be read.
  package let isRefused: Bool
  /// Whether manifests have placeholders that must be corrected before anything is generated.
  package let isDraft: Bool
  package let versions: [Version]
  package let replaced: [String]
  package let plainContainers: [SourceLocation]
  package let unclearReleases: [String]
  package let sources: [String: String]

  /// Adopts all migration plans, each into a separate folder, if there are several and the options name none.
  package static func adopt(
    _ sources: [SourceFile], options: Options, fileSystem: any FileSystem,
    lookUp: @escaping (SourceWanted) -> [SourceFile]
  ) -> SourceAdoption {
    var reader = SourceReader(sources, lookUp: lookUp)
    // Leave out generated files, because manifests already describe their models.
    let isWritten = { (source: SwiftSource) in !GeneratedFile.isMarked(source.file.bytes) }
    var adoptions = [reader.adoption(options.adoption, where: isWritten)]
    if options.adoption.plan == nil, adoptions[0].plans.count > 1 {
      adoptions = adoptions[0].plans.map { plan in
        var options = options.adoption
        options.plan = plan
        options.isBesideOthers = true
        return reader.adoption(options, where: isWritten)
      }
    }
    let parsed = reader.sources
    return SourceAdoption(
      adoptions.enumerated().map { place, adoption in
        var options = options
        if adoptions.count > 1, let store = adoption.store {
          options.folder = Path.join(options.folder, store)
          // The folder is one level deeper.
          options.output = options.output.map { $0.hasPrefix("/") ? $0 : Path.join("..", $0) }
        }
        let others = adoptions.enumerated().filter { $0.offset != place }.map(\.element)
        return one(adoption, parsed, beside: others, options, fileSystem)
      })
  }

  private static func one(
    _ adoption: Adoption, _ parsed: [SwiftSource], beside others: [Adoption], _ options: Options,
    _ fileSystem: any FileSystem
  ) -> SourceAdoption {
    let findings = adoption.findings(beside: others)
    var configuration = adoption.configuration
    let home = Path.folder(of: adoption.newestFile ?? "")
    var base = options.output ?? Path.relative(home, to: options.folder, in: options.workingFolder)
    // Keep the files of several stores apart.
    if let store = adoption.store, base.split(separator: "/").last.map(String.init) != store {
      base = Path.join(base, store)
    }
    if adoption.keepsClasses {
      configuration.classes = Path.relative(
        options.sources, to: options.folder, in: options.workingFolder)
    }
    let released = adoption.options.released
    configuration.oldestRelease = released?.since.map { Located($0) }
    configuration.output = Path.join(base, "Generated")
    configuration.owned = Path.join(base, "Migrations")
    let beside = Set((released?.newerBeside ?? []).map(\.commit))
    var versions = zip(adoption.history, adoption.versions).map { version, written in
      Version(
        folder: options.folder,
        written: adoption.names[version.number] ?? "the app's models", number: version.number,
        models: version.models.count, releases: written.isOfTag ? "" : written.releases.named,
        hasShipped: written.releases.contains { !$0.tags.isEmpty }, isOfTag: written.isOfTag,
        // Without stages, the engine infers the migration from any store.
        isNew: !(adoption.plan?.stages.isEmpty ?? true) && written.isAdded,
        isBeside: written.isAdded && written.releases.allSatisfy { beside.contains($0.commit) })
    }
    var files: [SourceFile] = adoption.history.map { version in
      let written = adoption.names[version.number].map { "Adopted from \($0)." }
      return SourceFile(
        path: Path.join(options.folder, "\(version.number.name).yaml"),
        text: ManifestText(
          version, header: [written ?? "Adopted from the app's models."],
          comments: adoption.comments[version.number] ?? [:]
        ).text)
    }
    if !files.isEmpty {
      files.append(
        SourceFile(
          path: Path.join(options.folder, "schemagen.yaml"),
          text: ConfigurationText(configuration).text))
    }
    // Today's sources do not show a version from a tag.
    let origins = ManifestOrigins(
      history: zip(adoption.history, adoption.versions).filter { !$0.1.isOfTag }.map(\.0))
    var questions: [Diagnostic] = []
    var isRefused = findings.contains(where: \.endsAdoption) || files.isEmpty
    var isDraft = false
    if !files.isEmpty {
      let folder = SchemaFolder.read(
        options.folder, fileSystem: MemoryFiles(files, over: fileSystem))
      // The code of stages can only be translated for versions that can be understood.
      let understood =
        folder.isMalformed && !isRefused
        ? understood(adoption.history, files, options.folder, fileSystem) : folder
      isRefused = isRefused || understood.evolution == nil
      isDraft = folder.isMalformed && !isRefused
      // If nothing is written, there is no manifest to show, so show the place in the sources.
      questions = folder.diagnostics.map { finding in
        guard folder.isMalformed else { return finding }
        return isDraft
          ? origins.showingSource(finding) : origins.traced(finding)
      }
      // The folder's existing manifests were read as well, so find the version by its number.
      for step in understood.evolution?.steps ?? [] {
        let place = versions.firstIndex { $0.number == step.old.number }
        if let place { versions[place].change = step.sentence }
      }
      if let evolution = understood.evolution, !isRefused {
        let code = userFiles(adoption, evolution, folder, configuration, options.folder)
        files += code
        if !code.isEmpty, !isDraft {
          // The code of a step decides which questions remain.
          questions =
            SchemaFolder.read(options.folder, fileSystem: MemoryFiles(files, over: fileSystem))
            .diagnostics
        }
      }
    }
    // If it is unclear what a version stored, say so before any other help.
    for (number, doubts) in adoption.doubts {
      for place in questions.indices
      where questions[place].rule == .unconfirmedDrop && questions[place].element == number.name {
        questions[place].help.insert(contentsOf: doubts, at: 0)
      }
    }
    if !isRefused {
      files += adoption.memberFiles.map {
        SourceFile(
          path: Path.join(options.folder, Path.join(base, $0.path)), bytes: $0.bytes)
      }
    }
    return SourceAdoption(
      files: files, findings: findings, questions: questions, isRefused: isRefused,
      isDraft: isDraft, versions: versions, replaced: adoption.replaced,
      plainContainers: adoption.plainContainers.map(\.place),
      unclearReleases: adoption.unclearReleases.map { "\($0.releases.named): \($0.reason)" },
      sources: (parsed.map(\.file) + files).textsByPath)
  }

  package var folders: [String] {
    var seen: Set<String> = []
    return versions.map(\.folder).filter { seen.insert($0).inserted }
  }

  package func obstacle(_ fileSystem: some FileSystem) throws(FileSystemError) -> String? {
    for folder in folders {
      if let obstacle = try InitialFiles.obstacle(in: folder, fileSystem) { return obstacle }
    }
    return try InitialFiles.obstacle(to: files, fileSystem)
  }

  /// Writes all files or none.
  package func write(in folder: String, to fileSystem: some FileSystem) throws(FileSystemError) {
    try FileChange.creating(files).write(in: folder, to: fileSystem)
  }

  /// The folder without draft properties and properties that cannot be understood.
  private static func understood(
    _ history: [SchemaVersion], _ files: [SourceFile], _ path: String,
    _ fileSystem: any FileSystem
  ) -> SchemaFolder {
    var history = history
    var files = files
    while true {
      let folder = SchemaFolder.read(path, fileSystem: MemoryFiles(files, over: fileSystem))
      let before = history
      for finding in folder.diagnostics where folder.isMalformed && finding.severity == .error {
        guard
          let place = history.firstIndex(where: {
            finding.location?.file == Path.join(path, "\($0.number.name).yaml")
          })
        else { return folder }
        history[place].leaveOut(finding.element.map(ElementPath.init(parsing:)))
      }
      guard history != before else { return folder }
      files = files.map { file in
        let version = history.first { "\($0.number.name).yaml" == file.name }
        return version.map { SourceFile(path: file.path, text: ManifestText($0).text) } ?? file
      }
    }
  }

  // MARK: The stages' code

  private static func userFiles(
    _ adoption: Adoption, _ evolution: Evolution, _ folder: SchemaFolder,
    _ configuration: Configuration, _ path: String
  ) -> [SourceFile] {
    let renderer = Renderer(templates: folder.templates)
    return adoption.code.compactMap { code in
      guard let step = evolution.steps.first(where: { $0.new.number == code.to }),
        let file = renderer.userFile(for: step, evolution)
      else { return nil }
      var text = file.contents
      text.fill("before", with: code.before, context: code.beforeContext)
      text.fill("after", with: code.after, context: code.afterContext)
      text.add(code)
      return SourceFile(
        path: Path.join(path, Path.join(configuration.owned, file.path)), text: text)
    }
  }
}

extension SourceAdoption {
  private init(_ stores: [SourceAdoption]) {
    files = stores.flatMap(\.files)
    var seen: Set<Diagnostic> = []
    findings = stores.flatMap(\.findings).filter { seen.insert($0).inserted }.reportOrder
    questions = stores.flatMap(\.questions)
    isRefused = stores.contains(where: \.isRefused)
    isDraft = stores.contains(where: \.isDraft)
    versions = stores.flatMap(\.versions)
    replaced = Set(stores.flatMap(\.replaced)).sorted()
    plainContainers = Set(stores.flatMap(\.plainContainers)).sorted()
    unclearReleases = stores.flatMap(\.unclearReleases)
    sources = stores.reduce(into: [:]) { $0.merge($1.sources) { first, _ in first } }
  }
}

extension VersionStep {
  /// The step's changes, and whether the engine infers them: `Trip.notes: add an optional attribute; inferred`.
  fileprivate var sentence: String {
    let way =
      switch mechanism {
      case .none, .lightweight: "inferred"
      case .custom: "not inferred: the plan needs a custom stage"
      case .impossible: "not inferred"
      }
    return changes.sentence + "; " + way
  }
}

extension SchemaVersion {
  fileprivate mutating func leaveOut(_ element: ElementPath?) {
    guard let element, let place = models.firstIndex(where: { $0.name == element.owner }) else {
      return
    }
    models[place].properties.removeAll { $0.name == element.member }
    if element.member == nil { (models[place].uniques, models[place].indexes) = ([], []) }
  }
}

extension Diagnostic {
  /// Whether the error prevents even a draft manifest.
  var endsAdoption: Bool { severity == .error && rule != .unreadProperty }
}

extension String {
  fileprivate mutating func add(_ code: Adoption.AdoptedCode) {
    if let end = ranges(of: "\n}\n").last {
      let members = code.members.map { lines in
        "\n\n" + lines.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
      }
      replaceSubrange(end.lowerBound..<index(after: end.lowerBound), with: members.joined() + "\n")
    }
    for lines in code.extensions { self += "\n" + lines.joined(separator: "\n") + "\n" }
    if let first = firstRange(of: "import Foundation\n") {
      let imports = code.imports.map { $0 + "\n" }.joined()
      replaceSubrange(first.upperBound..<first.upperBound, with: imports)
    }
  }

  fileprivate mutating func fill(_ function: String, with lines: [String], context: String) {
    guard !lines.isEmpty,
      let head = firstRange(of: "static func \(function)(_ context: ModelContext) throws {\n"),
      let end = self[head.upperBound...].firstRange(of: "\n")
    else { return }
    var body: [String]
    switch context {
    case "context", "_": body = lines
    case "$0":
      body = ["let migrate: (ModelContext) throws -> Void = {"] + lines.map { "  " + $0 }
      body += ["}", "try migrate(context)"]
    default: body = ["let \(context) = context"] + lines
    }
    let text = body.map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    replaceSubrange(head.upperBound..<end.lowerBound, with: text)
  }
}

extension SourceAdoption {
  /// The files to read first contain at least one of these strings: models, versions, plans and their use, converters,
  /// aliases.
  package static let prefilter = Prefilter([
    "@Model", "@SwiftData.Model", "VersionedSchema", "SchemaMigrationPlan", "MigrationStage",
    "toEntity",
    "typealias", "migrationPlan:", "ModelContainer(", "modelContainer(", "Schema(",
    "ModelConfiguration(", "setValueTransformer(",
  ])

  package static func foldersWithModels(
    _ files: [SourceFile], _ conditions: BuildConditions
  ) -> Set<String> {
    let index = SourceIndex(TestCode.parted(files.concurrentlyParsed).app, conditions)
    return Set(
      index.types.filter { $0.isModel && !$0.isGenerated }
        .map { Path.folder(of: index.source(of: $0).file.path) })
  }

  /// A file that declares something wanted contains at least one of these strings.
  package static func prefilter(declaring wanted: SourceWanted) -> Prefilter {
    func lasts(_ names: Set<String>) -> Set<String> {
      Set(names.map { name in name.split(separator: ".").last.map(String.init) ?? name })
    }
    return switch wanted {
    case .types(let names): Prefilter(declaring: lasts(names), behind: keywords)
    case .code(let names):
      // Every type's coding keys have this name.
      Prefilter(
        declaring: names.union(lasts(names)).subtracting(["CodingKeys"]),
        behind: keywords + ["protocol", "typealias", "func", "let", "var"])
    }
  }

  private static let keywords = ["enum", "struct", "class", "extension"]

  /// The beginnings of declarations of these types and of their extensions.
  package static func declarations(of names: Set<String>) -> [String] {
    names.sorted().flatMap { name -> [String] in
      let last = name.split(separator: ".").last.map(String.init) ?? name
      return keywords.map { "\($0) \(last)" }
    }
  }
}
