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

  package let findings: [Diagnostic]
  package let accepted: [AcceptedFinding]
  package let fixable: Int
  package let count: Int
  /// Whether the check is incomplete, because manifests or files could not be read.
  package let isMalformed: Bool
  /// The contents of files with findings, by path, for snippets.
  package let sources: [String: String]

  private let found: [FileFindings]
  private let checks: SourceChecks
  private let counting: Set<Diagnostic>

  package struct FixedFile: Sendable {
    package var file: SourceFile
    package var fixes: [(finding: Diagnostic, text: String)]
  }

  /// - Parameters:
  ///   - judged: By folder, a configuration whose severities replace the folder's own.
  ///   - today: The day that decides whether acceptances have expired.
  ///   - fileSystem: The file system of manifests; sources are on the disk.
  ///   - progress: Is notified of the work done.
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
    // `lint` reports other problems of manifests.
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

  package func fixed() -> [FixedFile] {
    let open = found.filter { !$0.fixes(of: counting).isEmpty }
    return DeepStack.concurrentMap(open.count) { open[$0].fixed(checks, counting) }.compactMap {
      $0
    }
  }

  /// Finds user files of a step that use models of the wrong version.
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

  /// Reads the files to check. Generated files and tests are skipped. User files are read even if the prefilter would
  /// skip them.
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
      // Tests of old versions need those versions' names.
      guard source.imports.isDisjoint(with: ["XCTest", "Testing"]) else { return nil }
      return (source, role)
    }.compactMap { $0 }
  }
}

/// The role of each file in the checks, which follows from its path.
package struct SourceRoles: Sendable {
  /// Folders of generated files and tests, which are skipped.
  let closed: [String]
  let owned: [String]
  private let closedPaths: [String]
  private let userPaths: [String]
  let resolve: @Sendable (String) -> String

  /// - Parameter resolve: Maps all paths that name one file to a single path.
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
    // A folder is searched if it contains a folder of user files or of manifests.
    closed = generated.filter { folder in
      let path = resolve(folder)
      return !userPaths.contains { $0 == path || $0.hasPrefix(path + "/") }
        && !manifests.contains { (resolve($0.path) + "/").hasPrefix(path + "/") }
    }
    closedPaths = generated.map(resolve)
    self.userPaths = userPaths
    self.resolve = resolve
  }

  package func role(of file: SourceFile) -> SourceRole? {
    if GeneratedFile.isMarked(file.bytes) { return nil }
    let path = resolve(file.path)
    // Either kind of folder may be inside the other.
    let closed = Self.depth(of: path, below: closedPaths)
    let owned = Self.depth(of: path, below: userPaths)
    if closed > owned { return nil }
    return owned > 0 ? .userFile : .app
  }

  /// The length of the innermost of the folders that contain the file; 0 if none does.
  private static func depth(of path: String, below folders: [String]) -> Int {
    folders.filter { path.hasPrefix($0 + "/") }.map(\.utf8.count).max() ?? 0
  }

  package static func realPath(_ path: String) -> String {
    guard let pointer = realpath(path, nil) else { return path }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}
