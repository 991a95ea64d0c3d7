internal import SchemaLint
package import SchemaModel
internal import SchemaReporting
package import SchemaWorkspace

extension ProjectCheck {
  /// Adds what the app's Swift says: classes that are not what the newest manifests say, and mistakes around migrations.
  ///
  /// - Parameters:
  ///   - paths: Folders and files of Swift code.
  ///   - conditions: What `#if` is decided by.
  ///   - today: The day on which acceptances run out.
  ///   - fileSystem: What manifests and generated files are read from; sources are on the disk.
  ///   - place: Where that has a folder of manifests.
  ///   - progress: Told what is done.
  package mutating func readSwift(
    _ paths: [String], conditions: BuildConditions = BuildConditions(), today: CalendarDay,
    fileSystem: some FileSystem, place: (String) -> String = { $0 },
    progress: WorkObserver? = nil
  ) {
    // Broken manifests say too little of what Swift has to be like; the verdict tells that.
    guard !isMalformed else { return }
    let names = folders.filter { !$0.isRemoved }.map { place($0.path) }
    let detection = Detection.run(
      paths: paths, folders: names, conditions: conditions, today: today, fileSystem: fileSystem,
      progress: progress)
    for snapshot in detection.snapshots {
      replace(
        by: snapshot.findings, answering: snapshot.changes.isEmpty ? nil : snapshot.manifest)
      move(snapshot.placed)
    }
    add(
      detection.findings.filter { !isTold($0) },
      silenced: detection.accepted.map {
        SilencedFinding($0.finding, reason: $0.acceptance.reason)
      },
      sources: detection.sources, count: detection.count, moved: detection.moved,
      isMalformed: detection.isMalformed)
    let lint = SourceLint(
      paths: paths, folders: names, today: today, fileSystem: fileSystem, progress: progress)
    add(
      lint.findings,
      silenced: lint.accepted.map { SilencedFinding($0.finding, reason: $0.acceptance.reason) },
      sources: lint.sources, count: lint.count, moved: [], isMalformed: lint.isMalformed)
  }

  /// Whether a difference only follows from generated files that are out of date, which is told once.
  private func isTold(_ finding: Diagnostic) -> Bool {
    if finding.rule == .editedGeneratedFile { return true }
    let stale = folders.filter { !$0.stale.isEmpty && $0.classes == nil }
    guard let file = finding.location?.file else {
      return finding.rule == .removedModel && !stale.isEmpty
    }
    // A model that a manifest has and nobody has generated yet.
    return stale.contains { folder in
      folder.stale.contains { $0.path == file }
        || finding.rule == .removedModel && Path.folder(of: file) == Path.normalized(folder.path)
    }
  }
}
