internal import Foundation
internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
package import SchemaModel
internal import SchemaRendering
package import SchemaWorkspace
internal import SwiftSources

/// One run of all checks of Swift code over source trees.
package struct SourceLint: Sendable {
  package static let rules: [Rule] = SourceChecks.rules

  /// The findings, sorted and without accepted ones.
  package let findings: [Diagnostic]
  package let accepted: [AcceptedFinding]
  /// The number of findings with a safe fix.
  package let fixable: Int
  /// The number of Swift files.
  package let count: Int
  /// Whether manifests or files could not be read, so that the check is incomplete.
  package let isMalformed: Bool
  /// The texts of files with findings, by path, for snippets.
  package let sources: [String: String]

  private let found: [FileFindings]
  private let checks: SourceChecks
  /// The findings as a set, for lookup.
  private let counting: Set<Diagnostic>

  /// A file after its fixes.
  package struct FixedFile: Sendable {
    package var file: SourceFile
    /// Each fixed finding, with the text that replaced the code.
    package var fixes: [(finding: Diagnostic, text: String)]
  }

  /// - Parameters:
  ///   - paths: Folders and files of Swift code.
  ///   - folders: Folders of manifests.
  ///   - judged: The configurations whose severities count instead of the folders' own, by folder.
  ///   - today: The day that decides whether acceptances have expired.
  ///   - fileSystem: The file system of manifests; sources are on the disk.
  ///   - progress: It is notified of the work done.
  package init(
    paths: [String], folders: [String], judged: [String: Configuration] = [:], today: CalendarDay,
    fileSystem: some FileSystem, progress: WorkObserver? = nil
  ) {
    let manifests = folders.map { ManifestHistory($0, fileSystem: fileSystem) }
    var names = VersionNames(manifests)
    let roles = SourceRoles(manifests)
    let reading = Self.read(paths, roles, names, progress)
    names.entitlements = Entitlements(paths: reading.entitlements)
    progress?("looking at files: \(reading.files.count)", 0, 0)
    self.init(
      reading.files, count: reading.count, diagnostics: reading.diagnostics, manifests, names,
      roles, judged, today,
      isGenerated: manifests.contains { Self.isGenerated($0, fileSystem: fileSystem) })
  }

  /// Checks files in memory.
  ///
  /// - Parameter manifests: The files of one folder of manifests.
  package init(
    files: [SourceFile], manifests: [SourceFile], folder: String, today: CalendarDay
  ) {
    let manifests = [ManifestHistory(folder, files: manifests)]
    var names = VersionNames(manifests)
    let isEntitlement = { (file: SourceFile) in file.path.hasSuffix(".entitlements") }
    names.entitlements = Entitlements(files.filter(isEntitlement))
    let files = files.filter { !isEntitlement($0) }
    self.init(
      files, count: files.count, diagnostics: [], manifests, names,
      SourceRoles(manifests, resolve: { $0 }), [:], today,
      isGenerated: files.contains { GeneratedFile.isMarked($0.bytes) })
  }

  private static func isGenerated(
    _ manifests: ManifestHistory, fileSystem: some FileSystem
  ) -> Bool {
    let folder = OutputLocations(
      folder: manifests.path, configuration: manifests.history.configuration
    ).output
    let names = (try? fileSystem.list(folder)) ?? []
    return names.contains { name in
      name.hasSuffix(".swift")
        && ((try? fileSystem.read(Path.join(folder, name), limit: 256)) ?? nil)
          .map(GeneratedFile.isMarked) ?? false
    }
  }

  private init(
    _ files: [SourceFile], count: Int, diagnostics: [Diagnostic], _ manifests: [ManifestHistory],
    _ names: VersionNames, _ roles: SourceRoles, _ judged: [String: Configuration],
    _ today: CalendarDay, isGenerated: Bool
  ) {
    let looked = Self.parse(files, roles)
    let facts = TreeFacts(looked.map(\.source), generated: isGenerated ? names : nil)
    let checks = SourceChecks(names: names, facts: facts)
    let found = DeepStack.concurrentMap(looked.count) { index in
      FileFindings(looked[index].source, looked[index].role, checks, today)
    }
    let levels = SeverityResolver(
      manifests.map { ($0.path, judged[$0.path] ?? $0.history.configuration) })
    // Only errors that prevent reading manifests are reported here; `lint` reports the others.
    let broken = manifests.flatMap(\.diagnostics).filter { $0.severity == .error }
    var remaining = broken + diagnostics
    for file in found { remaining += levels.apply(to: file.remaining, in: file.path) }
    for folder in manifests where folder.diagnostics.allSatisfy({ $0.severity != .error }) {
      remaining += Self.wrongRows(in: looked.map(\.source.file), folder, roles)
    }
    findings = remaining.reportOrder
    accepted = found.flatMap(\.accepted).sorted { $0.finding < $1.finding }
    self.found = found
    self.checks = checks
    let counting = Set(findings)
    self.counting = counting
    fixable = found.reduce(0) { $0 + $1.fixes(of: counting).count }
    self.count = count
    isMalformed = !broken.isEmpty || diagnostics.hasErrors
    var sources: [String: String] = [:]
    let shown = Set(findings.compactMap { $0.location?.file })
    for file in looked.map(\.source.file) + manifests.flatMap(\.files)
    where shown.contains(file.path) {
      sources[file.path] = file.text
    }
    self.sources = sources
  }

  /// Files with all safe fixes applied, by path. Each is as valid as before, without the fixed findings.
  package func fixed() -> [FixedFile] {
    let open = found.filter { !$0.fixes(of: counting).isEmpty }
    return DeepStack.concurrentMap(open.count) { open[$0].fixed(checks, counting) }.compactMap {
      $0
    }
  }

  /// Findings about other versions' models in the user files of a folder's steps.
  private static func wrongRows(
    in files: [SourceFile], _ manifests: ManifestHistory, _ roles: SourceRoles
  ) -> [Diagnostic] {
    let folder = roles.resolve(Path.join(manifests.path, manifests.history.configuration.owned))
    let users = files.filter { Path.folder(of: roles.resolve($0.path)) == folder }
    guard !users.isEmpty else { return [] }
    let evolution = AnalysisPipeline(
      history: manifests.history.versions, configuration: manifests.history.configuration
    ).run()
    return users.flatMap { file in
      UserFileTypes(path: file.path, text: file.text, evolution)?.diagnostics() ?? []
    }
  }

  // MARK: Files

  /// Generated files and tests are skipped; user files are checked completely.
  private static func read(
    _ paths: [String], _ roles: SourceRoles, _ names: VersionNames, _ progress: WorkObserver?
  ) -> SourceTree.Reading {
    let prefilter = Prefilter(
      SourceChecks.candidates + [AcceptanceComment.word], names: names.versioned)
    var reading = SourceTree(
      folders: paths, excluding: roles.closed + roles.owned, progress: progress
    ).files(containing: prefilter)
    let there = roles.owned.filter { Disk().isFolder($0) }
    guard !there.isEmpty else { return reading }
    let wanted = paths.map(SourceRoles.realPath)
    let known = Set(reading.files.map { SourceRoles.realPath($0.path) })
    let owned = SourceTree(folders: there, excluding: roles.closed).files(
      containing: Prefilter([""]))
    for file in owned.files {
      let path = SourceRoles.realPath(file.path)
      let isWanted = wanted.contains { path == $0 || path.hasPrefix($0 == "/" ? $0 : $0 + "/") }
      guard isWanted, !known.contains(path) else { continue }
      reading.files.append(file)
      reading.count += 1
    }
    reading.diagnostics += owned.diagnostics
    return reading
  }

  private static func parse(
    _ files: [SourceFile], _ roles: SourceRoles
  ) -> [(source: SwiftSource, role: SourceRole)] {
    let roles = files.map { roles.role(of: $0) }
    return DeepStack.concurrentMap(files.count) {
      index -> (source: SwiftSource, role: SourceRole)? in
      guard let role = roles[index] else { return nil }
      let source = SwiftSource(files[index])
      // Tests of old versions need their names.
      guard source.imports.isDisjoint(with: ["XCTest", "Testing"]) else { return nil }
      return (source, role)
    }.compactMap { $0 }
  }
}

/// Gives each file its role in the checks, by its path.
package struct SourceRoles: Sendable {
  /// Folders that are skipped: generated files, and tests.
  let closed: [String]
  /// Folders of user files, which the generated plan calls.
  let owned: [String]
  private let closedPaths: [String]
  private let userPaths: [String]
  let resolve: @Sendable (String) -> String

  /// - Parameter resolve: Maps all paths of one file to the same path.
  package init(
    _ manifests: [ManifestHistory], resolve: @escaping @Sendable (String) -> String = realPath
  ) {
    func paths(_ folder: (Configuration) -> [String]) -> [String] {
      Set(
        manifests.flatMap { manifest in
          folder(manifest.history.configuration).map { Path.join(manifest.path, $0) }
        }
      ).sorted()
    }
    owned = paths { [$0.owned] }
    let userPaths = owned.map(resolve)
    let generated = paths { [$0.output] + [$0.tests].compactMap { $0 } }
    // If another folder is below them, they must be searched.
    closed = generated.filter { folder in
      let path = resolve(folder)
      return !userPaths.contains { $0 == path || $0.hasPrefix(path + "/") }
        && !manifests.contains { (resolve($0.path) + "/").hasPrefix(path + "/") }
    }
    closedPaths = generated.map(resolve)
    self.userPaths = userPaths
    self.resolve = resolve
  }

  /// Returns nil for a file that is skipped.
  package func role(of file: SourceFile) -> SourceRole? {
    if GeneratedFile.isMarked(file.bytes) { return nil }
    let path = resolve(file.path)
    // Either may be inside the other.
    let closed = Self.depth(of: path, below: closedPaths)
    let owned = Self.depth(of: path, below: userPaths)
    if closed > owned { return nil }
    return owned > 0 ? .userFile : .app
  }

  /// The length of the innermost of some folders that contains a file; 0 if none does.
  private static func depth(of path: String, below folders: [String]) -> Int {
    folders.filter { path.hasPrefix($0 + "/") }.map(\.utf8.count).max() ?? 0
  }

  /// A path without symbolic links, if it exists.
  package static func realPath(_ path: String) -> String {
    guard let pointer = realpath(path, nil) else { return path }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}
