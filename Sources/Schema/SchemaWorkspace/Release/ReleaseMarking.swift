internal import SchemaEvolution
package import SchemaModel

extension Rule {
  static let notReleasable = Rule(
    "not-releasable", "The lock and generated files are current when a version is released",
    basis: .page("lock", "released-versions"))
  package static let cloudNotDeployed = Rule(
    "cloud-not-deployed", "Production has what a version writes when the version is released",
    basis: .fact(.cloudKit, "production-makes-nothing", .certain), isAcceptable: true)
}

/// Marks versions as shipped, once everything that follows from them is up to date.
package struct ReleaseMarking: Sendable {
  /// The versions that become released. Empty if they already are, or if there is an error.
  package let versions: [VersionNumber]
  /// The version whose hashes become proven. Nil if no hashes do.
  package let proven: VersionNumber?
  /// The version for which the lock newly records that production has everything; nil if there is none.
  package let deployed: VersionNumber?
  package let diagnostics: [Diagnostic]
  package let sources: [String: String]
  let lock: SchemaLock
  let lockPath: String

  /// Determines what to mark; `write(to:)` writes it.
  ///
  /// - Parameters:
  ///   - number: The version to release, with all before it. Nil for the newest.
  ///   - hashes: Hashes of that version from a store written by Apple's framework.
  ///   - isTagged: Whether a tag has the versions. If so, files generated since prove nothing about the versions.
  package static func prepare(
    _ path: String, upTo number: VersionNumber?, proving hashes: LockedHashes? = nil,
    isTagged: Bool = false, fileSystem: some FileSystem
  ) -> ReleaseMarking {
    if let adopted = AdoptedRelease(path, upTo: number, fileSystem: fileSystem) {
      return adopted.marking(proving: hashes, fileSystem)
    }
    let generation = GenerationPipeline(fileSystem: fileSystem).run(path)
    var diagnostics = generation.diagnostics.filter { $0.rule != .unwrittenFunction }
    if let evolution = generation.folder?.evolution, !isTagged {
      diagnostics += UserFileCheck.findings(
        evolution, in: path, upTo: number, fileSystem: fileSystem)
    }
    let lockPath = Path.join(path, SchemaLock.fileName)
    var lock = SchemaLock()
    var versions: [VersionNumber] = []
    var proven: VersionNumber?
    var deployed: VersionNumber?
    let known = generation.folder?.versions.map(\.number) ?? []
    if !diagnostics.hasErrors {
      if !isTagged, let change = generation.changes.first {
        diagnostics.append(
          Diagnostic(
            .notReleasable, "'\(change.path)' is not up to date", at: nil,
            help: ["run 'schemagen generate', review what changed, and try again"]))
      } else if let number, !known.contains(number) {
        diagnostics.append(
          Diagnostic(
            .notReleasable, "there is no version \(number.name)", at: nil,
            help: ["there are: " + known.map(\.name).joined(separator: ", ")]))
      } else if let file = generation.changes.first(where: { $0.path == lockPath }).map({
        SourceFile(path: lockPath, bytes: $0.contents)
      }) ?? (try? LockFile.file(in: path, fileSystem)) {
        lock = SchemaLock.read(file).lock
        if let last = number ?? known.last {
          versions = lock.release(upTo: last)
          if let hashes { proven = lock.prove(hashes, of: last, &diagnostics) }
          if !versions.isEmpty {
            lock.compareProduction(path, versions, fileSystem, &diagnostics)
          } else if lock.noteDeployment(path, last, fileSystem) {
            deployed = last
          }
        }
      }
    }
    return ReleaseMarking(
      versions, proven, deployed, diagnostics, generation.folder?.sources ?? [:], lock, lockPath)
  }

  /// Marks nothing if there are errors.
  fileprivate init(
    _ versions: [VersionNumber], _ proven: VersionNumber?, _ deployed: VersionNumber?,
    _ diagnostics: [Diagnostic], _ sources: [String: String], _ lock: SchemaLock, _ lockPath: String
  ) {
    let isRefused = diagnostics.hasErrors
    self.init(
      versions: isRefused ? [] : versions, proven: isRefused ? nil : proven,
      deployed: isRefused ? nil : deployed,
      diagnostics: diagnostics.reportOrder, sources: sources, lock: lock, lockPath: lockPath)
  }

  private init(
    versions: [VersionNumber], proven: VersionNumber?, deployed: VersionNumber? = nil,
    diagnostics: [Diagnostic], sources: [String: String], lock: SchemaLock, lockPath: String
  ) {
    self.versions = versions
    self.proven = proven
    self.deployed = deployed
    self.diagnostics = diagnostics
    self.sources = sources
    self.lock = lock
    self.lockPath = lockPath
  }

  /// Determines the marks of a tag's versions, once the versions are proven to be unchanged.
  package static func prepare(
    _ path: String, from base: ComparisonBase, fileSystem: some FileSystem
  ) -> ReleaseMarking {
    let folder = SchemaFolder.read(path, fileSystem: fileSystem)
    // Missing marks are not a finding here, since they are being added.
    let comparison = BaseComparison(current: folder, currentLock: nil, base: base)
    let shipped = comparison.shippedVersions
    var diagnostics = StepCorrections(folder.versions, shipped: Set(shipped))
      .apply(to: comparison.diagnostics()).remaining
    if let last = shipped.last {
      let others = folder.versions.map(\.number).filter { $0 < last && !shipped.contains($0) }
      if let other = others.first {
        diagnostics.append(
          Diagnostic(
            .notReleasable,
            "\(base.name) has \(last.name), but not \(other.name), which is older",
            at: nil, help: ["give \(other.name) a number after \(last.name)"]))
      }
    } else {
      diagnostics.append(
        Diagnostic(.notReleasable, "\(base.name) has no version of '\(path)'", at: nil))
    }
    let release = prepare(path, upTo: shipped.last, isTagged: true, fileSystem: fileSystem)
    // The lock's own findings about an edit are already included.
    let known = Set(diagnostics.compactMap(\.element))
    let names = Set(shipped.map(\.name))
    let own = release.diagnostics.filter { finding in
      let element = finding.element ?? ""
      // An acceptance that waited for this mark is needed now.
      let waited = finding.rule == .unusedAcceptance && finding.severity == .warning
      return !known.contains(element) && !(waited && names.contains(element))
    }.namingCorrections(folder.evolution, shipped: Set(shipped))
    var lock = release.lock
    comparison.note(stepsTo: release.versions, in: &lock)
    return ReleaseMarking(
      versions: diagnostics.hasErrors ? [] : release.versions, proven: nil,
      diagnostics: (diagnostics + own).reportOrder, sources: folder.sources, lock: lock,
      lockPath: release.lockPath)
  }

  package func write(to fileSystem: some FileSystem) throws(FileSystemError) {
    guard !versions.isEmpty || proven != nil || deployed != nil else { return }
    try fileSystem.write(Array(lock.text.utf8), to: lockPath)
  }
}

extension SchemaLock {
  /// Records that production has what versions write, or reports that this is unknown.
  ///
  /// - Parameter areOut: Whether devices already have the versions, so that missing fields are only a warning.
  fileprivate mutating func compareProduction(
    _ path: String, _ versions: [VersionNumber], areOut: Bool = false,
    _ fileSystem: some FileSystem, _ diagnostics: inout [Diagnostic]
  ) {
    guard let version = versions.last else { return }
    do throws(CloudTrouble) {
      var folder = try CloudFolder(path, .these(Set(versions)), fileSystem: fileSystem)
      guard folder.configuration.cloudKit == .private else { return }
      func finding(_ message: String, _ help: String, _ severity: Diagnostic.Severity?) {
        diagnostics += folder.levelled([
          Diagnostic(
            .cloudNotDeployed, message, element: version.name, at: nil, help: [help],
            severity: severity)
        ])
      }
      guard !folder.productions.isEmpty else {
        return finding(
          "the store syncs, and CloudKit's production schema was not compared with \(version.name)",
          "export the production schema, and name the file in schemagen.yaml: cloud: { production: ../CloudKit/production.ckdb }",
          .warning)
      }
      let exports = try folder.exports(fileSystem)
      let lacking = folder.levelled(folder.findings(exports)).filter { $0.severity == .error }
      if let first = lacking.first {
        let others = lacking.count > 1 ? ", and \(lacking.count - 1) more" : ""
        return finding(
          first.message + others,
          "'schemagen cloud plan\(folder.options)' shows how to deploy what is missing; then export production again",
          areOut ? .warning : nil)
      }
      note(production: exports.digest, of: version)
    } catch {
      diagnostics += error.diagnostics
    }
  }

  /// Records that production now has what a released version writes.
  ///
  /// - Returns: False if the lock already records this, or if production lacks something.
  fileprivate mutating func noteDeployment(
    _ path: String, _ version: VersionNumber, _ fileSystem: some FileSystem
  ) -> Bool {
    guard entries.contains(where: { $0.version == version && $0.production == nil }),
      var folder = try? CloudFolder(path, .version(version), fileSystem: fileSystem),
      folder.configuration.cloudKit == .private, !folder.productions.isEmpty,
      let exports = try? folder.exports(fileSystem),
      folder.levelled(folder.findings(exports)).allSatisfy({ $0.severity < .error })
    else { return false }
    note(production: exports.digest, of: version)
    return true
  }

  /// Records a version's hashes from a store, or reports objections.
  ///
  /// - Returns: The version, if its hashes were not proven before.
  fileprivate mutating func prove(
    _ hashes: LockedHashes, of version: VersionNumber, _ diagnostics: inout [Diagnostic]
  ) -> VersionNumber? {
    diagnostics += objections(to: hashes, of: version)
    guard provenHashes[version] == nil else { return nil }
    note(hashes, of: version)
    return version
  }
}

/// Marks adopted versions as shipped.
///
/// The stores of adopted versions were written by classes that schemagen did not generate, so generated files prove
/// nothing about them. Only the manifests define adopted versions, whatever today's rules and later versions say.
private struct AdoptedRelease {
  let last: VersionNumber
  let folder: SchemaFolder
  let lock: LockFile

  /// Nil if the versions were generated, if there is nothing to mark, or if manifests or lock are broken.
  init?(_ path: String, upTo number: VersionNumber?, fileSystem: some FileSystem) {
    lock = LockFile(path, fileSystem: fileSystem)
    folder = SchemaFolder.read(path, fileSystem: fileSystem)
    let numbers = folder.versions.map(\.number)
    guard let trusted = lock.trusted, !folder.isMalformed, let last = number ?? numbers.last,
      numbers.contains(last)
    else { return nil }
    self.last = last
    let released = trusted.released
    let new = folder.versions.filter { $0.number <= last && !released.contains($0.number) }
    // Generated versions may have been adopted again after their manifests were lost.
    let isAdoptedAgain =
      trusted.folders.isEmpty
      && new.flatMap(\.drops).contains { $0.acknowledgement == .unconfirmed }
    guard !new.isEmpty, isAdoptedAgain || new.allSatisfy({ $0.identity == .shipped }) else {
      return nil
    }
  }

  func marking(
    proving hashes: LockedHashes?, _ fileSystem: some FileSystem
  ) -> ReleaseMarking {
    let history = folder.versions.filter { $0.number <= last }
    var shipped = lock.lock.shipped(of: history)
    shipped.released.formUnion(history.map(\.number))
    let evolution = AnalysisPipeline(
      history: history, configuration: folder.configuration, shipped: shipped,
      hooks: folder.evolution?.hooks ?? [:]
    ).run()
    let levels = RuleLevels(folder.configuration, in: folder.path)
    let later = lock.lock.entries.filter { $0.version > last }
    // Entries of later versions are left out: they would be reported, since the lock lacks versions before them.
    var earlier = lock.lock
    earlier.entries.removeAll { $0.version > last }
    let corrections = StepCorrections(history, shipped: shipped.released).apply(
      to: evolution.diagnostics + earlier.diagnostics(evolution, lockPath: lock.path))
    var diagnostics = levels.apply(to: corrections.remaining)
    var marked = SchemaLock(evolution, previous: lock.lock)
    let versions = marked.release(upTo: last)
    var whole = lock.lock
    whole.entries = marked.entries + later
    let proven = hashes.flatMap { whole.prove($0, of: last, &diagnostics) }
    if !diagnostics.hasErrors {
      whole.compareProduction(folder.path, versions, areOut: true, fileSystem, &diagnostics)
    }
    return ReleaseMarking(
      versions, proven, nil, diagnostics, folder.sources, whole, lock.path)
  }
}
