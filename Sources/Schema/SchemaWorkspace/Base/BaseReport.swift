package import SchemaEvolution
package import SchemaModel

/// What changed in a folder since a base, and what to do about it.
package struct BaseReport: Sendable {
  struct VersionChange: Sendable {
    enum State: String, Sendable {
      case added, edited, removed
    }

    var number: VersionNumber
    var state: State
    var summary: String?
    /// Nil for an added or removed version.
    var edit: VersionEdit?
  }

  package let path: String
  let base: ComparisonBase
  /// Nil if the manifests have errors of their own.
  package let evolution: Evolution?
  package let findings: [Diagnostic]
  let changes: [VersionChange]
  /// The newest version, and whether it has shipped. Nil if a broken manifest or lock leaves that unknown.
  let current: (number: VersionNumber, isReleased: Bool)?
  /// What CloudKit's production schema lacks for the newest version, in words. Nil if nothing is known to be missing.
  let deployment: String?
  let losses: LossReview
  let outdatedFiles: Int
  package let sources: [String: String]
  /// Whether errors are in the files themselves rather than in what changed.
  package let isMalformed: Bool
  /// Whether the folder is gone. If so, only its shipped versions matter.
  package let isRemoved: Bool

  package init(_ path: String, base: ComparisonBase, fileSystem: some FileSystem) {
    self.path = path
    self.base = base
    isRemoved = base.folder != nil && !fileSystem.isFolder(path)
    let generation = GenerationPipeline(fileSystem: fileSystem).run(path)
    let folder = generation.folder ?? SchemaFolder.read(path, fileSystem: fileSystem)
    // The generation reports problems with the lock.
    let lock = LockFile(path, fileSystem: fileSystem)
    evolution = folder.evolution
    let comparison = BaseComparison(current: folder, currentLock: lock.trusted, base: base)
    let found = StepCorrections(folder.versions, shipped: []).apply(to: comparison.diagnostics())
      .remaining
    // If the base and the lock both report a version, only the base's finding is kept, because the base knows more.
    let told = Set(found.compactMap(\.element))
    // Errors in reading a removed folder are expected. The comparison with the base reports what the folder had.
    let own = (isRemoved ? [] : generation.diagnostics).filter { diagnostic in
      let isOfShipped = [Rule.shippedVersionEdited, .shippedStepEdited, .shippedVersionMissing]
        .contains(diagnostic.rule)
      return !(isOfShipped && told.contains(diagnostic.element ?? ""))
    }
    isMalformed = generation.isMalformed
    deployment =
      folder.configuration.cloudKit == .private
      ? CloudPlan.missing(in: path, fileSystem: fileSystem) : nil
    losses = LossReview(
      folder, released: (lock.trusted?.released ?? []).union(comparison.shippedVersions),
      comparison: comparison,
      base: base, fileSystem: fileSystem)
    let review = ChangeReview(base)
    let weakened =
      isRemoved
      ? []
      : review.findings(folder)
        + (losses.isDemanded ? [] : review.findings(ofCode: losses.losses))
    findings =
      ((own + found).withoutStepsAtEdits(folder.evolution) + losses.leaving + weakened).reportOrder
    outdatedFiles = generation.changes.count
    var sources = folder.sources
    if !own.isEmpty || !found.isEmpty, let file = lock.file { sources[file.path] = file.text }
    self.sources = sources
    // With an unreadable manifest or a broken lock, the newest readable version may not be the newest.
    let isKnown = !folder.isMalformed && lock.trusted != nil
    current = (isKnown ? folder.versions.last : nil).map { version in
      let entry = lock.lock.entries.first { $0.version == version.number }
      return (version.number, entry?.state == .released)
    }
    changes = Self.changes(
      folder, base, shipped: Set(comparison.shippedVersions), isRemoved: isRemoved)
  }

  private static func changes(
    _ folder: SchemaFolder, _ base: ComparisonBase, shipped: Set<VersionNumber>, isRemoved: Bool
  ) -> [VersionChange] {
    let before = Dictionary(base.versions, keyedBy: \.number)
    // The contents of a broken base are unknown, so nothing is reported as new.
    guard base.folder.map({ !$0.isMalformed }) ?? true, !folder.isMalformed || isRemoved
    else { return [] }
    var found: [VersionChange] = []
    for version in folder.versions {
      if let was = before[version.number] {
        guard SchemaLock.digest(was) != SchemaLock.digest(version),
          !shipped.contains(version.number)
        else { continue }
        found.append(
          VersionChange(
            number: version.number, state: .edited, summary: version.summary,
            edit: VersionEdit(from: was, to: version)))
      } else {
        found.append(
          VersionChange(number: version.number, state: .added, summary: version.summary))
      }
    }
    let now = Set(folder.versions.map(\.number))
    for version in base.versions
    where !now.contains(version.number) && !shipped.contains(version.number) {
      found.append(
        VersionChange(
          number: version.number, state: .removed, summary: version.summary))
    }
    return found.sorted { $0.number < $1.number }
  }

  package var movedFrom: String? { base.movedFrom }

  var errors: [Diagnostic] { findings.filter { $0.severity == .error } }

  /// The exit status of commands that show the report: 1 for errors, 2 if manifests cannot be read.
  package var exitStatus: Int32 {
    guard findings.hasErrors else { return 0 }
    return isMalformed && !isRemoved ? 2 : 1
  }

  /// Whether nothing changed. False if the base's manifests have errors.
  var isUnchanged: Bool { changes.isEmpty && !(base.folder?.isMalformed ?? false) }

  var nextStep: String? {
    guard errors.isEmpty, outdatedFiles > 0 else { return nil }
    let count = outdatedFiles == 1 ? "1 file is" : "\(outdatedFiles) files are"
    return "run 'schemagen generate': \(count) not up to date"
  }
}
