internal import SchemaLint
package import SchemaModel
package import SchemaReporting

/// The findings of `check` in a folder of manifests, without reading Swift.
package struct FolderCheck: Sendable {
  package let path: String
  /// The findings of lint and about generated files, without the silenced ones.
  package private(set) var findings: [Diagnostic]
  package let silenced: [SilencedFinding]
  package private(set) var stale: [FileChange] = []
  package private(set) var isGenerated = false
  /// The configuration, as strict as the bases that the folder is compared with.
  package private(set) var judged = Configuration()
  /// How many generated files equal the manifests' output.
  package private(set) var current = 0
  package private(set) var sources: [String: String]
  package private(set) var isMalformed: Bool
  let isThere: Bool
  package let isRemoved: Bool
  /// The configured folder of the app's classes; nil if all models are generated.
  package private(set) var classes: String?
  package private(set) var defines: [String: Bool] = [:]
  package private(set) var names = NamePatterns()
  package private(set) var platforms: [Configuration.Platform: Int] = [:]
  /// Lint's result. If there are several bases, it compares with the first.
  package let lint: LintResult

  /// - Parameters:
  ///   - options: Lint's options. Their base is ignored.
  ///   - bases: The states to compare with: the next commit's parents, or the target branch.
  package init(
    _ path: String, _ options: Linter.Options, bases: [ComparisonBase], fileSystem: any FileSystem
  ) {
    self.path = path
    isRemoved = options.isRemoved
    // Unreadable files are reported as such.
    isThere = (try? fileSystem.list(path)) != .some(nil)
    let compared: [ComparisonBase?] = bases.isEmpty ? [nil] : bases
    let lints = compared.map { base in
      var options = options
      options.base = base
      return Linter(options, fileSystem: fileSystem).run(path)
    }
    lint = lints[0]
    findings = lints.dropFirst().reduce(lints[0].findings) { Self.union($0, $1.findings) }
    silenced =
      lint.accepted.map { SilencedFinding($0.finding, reason: $0.acceptance.reason) }
      + lint.baselined.map { SilencedFinding($0, reason: "in the baseline", isBaselined: true) }
    sources = lint.sources
    isMalformed = lints.contains(where: \.isMalformed)
    if !isRemoved { checkFiles(fileSystem, bases) }
    findings = findings.reportOrder
  }

  /// Joins the findings of comparisons with the two parents of a merge.
  private static func union(_ one: [Diagnostic], _ other: [Diagnostic]) -> [Diagnostic] {
    struct Fact: Hashable {
      var key: String
      var location: SourceLocation?
      init(_ finding: Diagnostic) {
        key = finding.key
        location = finding.location
      }
    }
    // A loss that one parent already has is not due to the merge.
    let known = Set(other.map(Fact.init))
    let kept = one.filter { $0.rule != .unapprovedLoss || known.contains(Fact($0)) }
    // Findings about a version that both parents have differ only in the base's name.
    let told = Set(one.map(Fact.init))
    return kept + other.filter { $0.rule != .unapprovedLoss && !told.contains(Fact($0)) }
  }

  private mutating func checkFiles(_ fileSystem: any FileSystem, _ bases: [ComparisonBase]) {
    let generation = GenerationPipeline(fileSystem: fileSystem).run(path)
    let configuration = generation.folder?.configuration ?? Configuration()
    classes = configuration.classes
    defines = configuration.defines
    names = configuration.names
    platforms = configuration.platforms
    stale = generation.changes
    current = generation.unchanged
    isGenerated = !generation.diagnostics.hasErrors
    judged = bases.reduce(configuration) { ChangeReview($1).judging($0) }
    let levels = RuleLevels(judged, in: path)
    // Lint has reported what user files lack.
    var found = generation.plan.diagnostics.filter { $0.rule != .unwrittenFunction }
    if !stale.isEmpty { found.append(.stale(stale, in: path)) }
    let folders = OutputLocations(folder: path, configuration: configuration).folders
    for base in bases where base.movedFrom == nil {
      let former = Set(base.lock.folders).subtracting(folders).sorted()
      let left = try? OutputLocations.marked(
        in: former, documentation: [], below: path, fileSystem
      ) { _ in }
      if let left, !left.isEmpty { found.append(.leftBehind(left.map(\.path), base.name)) }
    }
    findings += levels.apply(to: found)
    // An error that prevents generation is an error here, too, whichever check finds it.
    if generation.diagnostics.hasErrors, !findings.hasErrors {
      findings += generation.diagnostics.filter { $0.severity == .error }
    }
    isMalformed = isMalformed || generation.isMalformed
    sources.merge(generation.folder?.sources ?? [:]) { first, _ in first }
  }

  package var newest: SchemaVersion? { lint.versions.last }

  /// The newest version that users have; nil before the first release.
  package var shipped: SchemaVersion? { lint.versions.last { !lint.isOpen($0) } }

  /// Whether the newest version is marked as shipped, even if only the change under check marks it.
  package var isReleased: Bool {
    newest.map { !lint.isOpen($0) || lint.marked.contains($0.number) } ?? false
  }
}

extension Diagnostic {
  /// A finding about files that a base generates and that remain although they are no longer generated.
  fileprivate static func leftBehind(_ paths: [String], _ base: String) -> Diagnostic {
    let more = paths.count > 1 ? " and \(counted(paths.count - 1, "other file"))" : ""
    return Diagnostic(
      .editedGeneratedFile,
      "'\(paths[0])'\(more) \(paths.count == 1 ? "is" : "are") still there as in \(base), but no longer generated: an app that still compiles the old plan opens its store with the old plan",
      element: paths[0], at: SourceLocation(file: paths[0]),
      help: ["remove \(paths.count == 1 ? "it" : "them")"])
  }

  package static func stale(_ files: [FileChange], in folder: String) -> Diagnostic {
    let lines = files.map { change in
      switch change.action {
      case .create: "'\(change.path)' is missing"
      case .remove: "'\(change.path)' is no longer generated"
      case .update: "'\(change.path)' does not match the manifests"
      }
    }
    let most = 5
    let first = files[0]
    return Diagnostic(
      .editedGeneratedFile,
      files.count == 1
        ? lines[0] : "\(files.count) generated files do not match the manifests",
      element: folder, at: SourceLocation(file: first.path, line: first.firstDifference),
      help: (files.count == 1 ? [] : Array(lines.prefix(most)))
        + (files.count > most ? ["and \(files.count - most) more"] : [])
        + ["run: schemagen generate\(ShellWord.schemas(folder))"])
  }
}
