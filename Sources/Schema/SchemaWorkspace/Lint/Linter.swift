internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
package import SchemaModel

/// Checks a folder of manifests, its history and its lock against every rule.
package struct Linter: Sendable {
  /// Settings of a run that are not in the files.
  package struct Options: Sendable {
    /// The day on which acceptances are checked. Nothing else reads a clock.
    package var today: CalendarDay
    package var baseline: String?
    /// The base, which also shows which versions have shipped. Nil to use only the lock.
    package var base: ComparisonBase?
    /// Whether the folder is known to be gone. If so, only its shipped versions are checked.
    package var isRemoved = false
    /// Checks kept stores against their list, with the severities of rules; nil to skip them.
    package var stores: (@Sendable (SchemaFolder, any FileSystem) -> [Diagnostic])?

    package init(today: CalendarDay, baseline: String? = nil, base: ComparisonBase? = nil) {
      self.today = today
      self.baseline = baseline
      self.base = base
    }
  }

  let options: Options
  let fileSystem: any FileSystem

  package init(_ options: Options, fileSystem: any FileSystem) {
    self.options = options
    self.fileSystem = fileSystem
  }

  package func run(_ path: String) -> LintResult {
    let manifests = ManifestFiles(path, fileSystem: fileSystem)
    let lock = LockFile(path, fileSystem: fileSystem)
    let review = ChangeReview(options.base)
    let folder = SchemaFolder.understand(
      manifests, lock: review.lock(lock.trusted ?? SchemaLock()), judging: review.judging,
      fileSystem: fileSystem)
    var found = Found(
      options.isRemoved ? [] : folder.found + lock.diagnostics, folder.accepted)
    found.remaining += manifests.files.filter { fileSystem.leadsOut($0.path) }.map { file in
      Diagnostic(
        .unreadable,
        "'\(file.path)' is a symbolic link out of the repository: other clones do not have the file",
        at: SourceLocation(file: file.path), help: ["commit the file itself instead"])
    }
    let comparison = options.base.map { base in
      BaseComparison(current: folder, currentLock: lock.trusted, base: base)
    }
    let released = review.released(lock.lock.released.union(comparison?.shippedVersions ?? []))
    var context: LintContext?
    if let evolution = folder.evolution {
      found.remaining += lock.lock.diagnostics(evolution, lockPath: lock.path)
      found.remaining += lock.trusted?.hashDiagnostics(evolution, lockPath: lock.path) ?? []
      let looked = LintContext(
        evolution: evolution, released: released, marked: lock.lock.released,
        hasLock: lock.isThere,
        lostLock: lock.isThere ? nil : lostLock(evolution, path),
        newestDocument: newestDocument(evolution, manifests), today: options.today)
      found.remaining += UserFileCheck.findings(evolution, in: path, fileSystem: fileSystem)
      found.apply(looked, LintRules.checks)
      found.expire(looked)
      context = looked
    }
    if !options.isRemoved {
      found.remaining += options.stores?(folder, fileSystem) ?? []
      found.remaining += review.findings(folder)
    }
    if let comparison { found.compare(comparison.diagnostics()) }
    found.takeCorrections(of: folder.versions, shipped: released)
    found.remaining = found.remaining.withoutStepsAtEdits(folder.evolution)
      .namingCorrections(folder.evolution, shipped: released)
    let losses = LossReview(
      folder, released: released, comparison: comparison, base: options.base, found: found.losses(),
      fileSystem: fileSystem)
    if !options.isRemoved, !losses.isDemanded {
      found.remaining += review.findings(ofCode: losses.losses)
    }
    let levels = RuleLevels(folder.history.configuration, in: path)
    var remaining = levels.apply(to: found.remaining).reportOrder
    var book = BaselineMatcher(options.baseline, fileSystem: fileSystem)
    let baselined = book.take(from: &remaining)
    let told = remaining + book.diagnostics(isComplete: context != nil)
    let findings =
      (told
      + (options.isRemoved
        ? []
        : losses.diagnostics(beside: told) + losses.acknowledged(beside: told)
          + (losses.isDemanded ? [] : losses.leaving)))
      .reportOrder
    return LintResult(
      path: path, findings: findings,
      accepted: found.accepted.sorted { $0.finding < $1.finding }, baselined: baselined,
      fixes: fixes(findings, context, manifests),
      isMalformed: !options.isRemoved && (folder.isMalformed || lock.diagnostics.hasErrors),
      hasSteps: folder.hasSteps,
      sources: Self.sources(manifests, lock, book, folder, findings),
      baseline: Baseline(remaining + baselined), prunedBaseline: Baseline(baselined),
      released: released, marked: lock.lock.released, losses: losses,
      evolution: folder.evolution, versions: folder.versions)
  }

  /// The lost lock; nil if files cannot be read, which 'generate' reports.
  private func lostLock(_ evolution: Evolution, _ path: String) -> LostLock? {
    let places = OutputLocations(folder: path, configuration: evolution.configuration)
    return (try? places.lostLock(fileSystem)) ?? nil
  }

  private func newestDocument(
    _ evolution: Evolution, _ manifests: ManifestFiles
  ) -> YAMLNode? {
    let newest = evolution.history.last?.location?.file
    return manifests.files.first { $0.path == newest }.flatMap { YAMLReader.read($0).root }
  }

  private static func sources(
    _ manifests: ManifestFiles, _ lock: LockFile, _ book: BaselineMatcher, _ folder: SchemaFolder,
    _ findings: [Diagnostic]
  ) -> [String: String] {
    guard !findings.isEmpty else { return [:] }
    var sources = folder.sources
    for file in manifests.files + manifests.bases.files + [lock.file, book.file].compactMap({ $0 })
    {
      sources[file.path] = file.text
    }
    return sources
  }

  // MARK: Fixes

  private func fixes(
    _ findings: [Diagnostic], _ context: LintContext?, _ manifests: ManifestFiles
  ) -> [(finding: Diagnostic, fix: Fix)] {
    let files = Dictionary(manifests.files, keyedBy: \.path)
    var documents: [String: FixContext] = [:]
    let shipped = Set(
      context?.history.filter { !(context?.isOpen($0) ?? true) }.compactMap(\.location?.file) ?? [])
    func isShipped(_ finding: Diagnostic) -> Bool {
      finding.location.map { shipped.contains($0.file) } ?? false
    }
    return findings.compactMap { finding in
      let id = finding.rule.id
      guard let fix = LintRules.fixes[id] else { return nil }
      // Only the notation of a shipped version can be fixed.
      guard RuleCatalog.rulesByID[id]?.category == .convention || !isShipped(finding) else {
        return nil
      }
      let path = finding.location?.file ?? ""
      let fixContext =
        documents[path]
        ?? FixContext(context, document: files[path].flatMap { YAMLReader.read($0).root })
      documents[path] = fixContext
      return fix.fix(finding, in: fixContext).map { (finding, $0) }
    }
  }
}

/// Findings on the way to a report.
private struct Found {
  var remaining: [Diagnostic]
  var accepted: [AcceptedFinding]

  init(_ remaining: [Diagnostic], _ accepted: [AcceptedFinding]) {
    self.remaining = remaining
    self.accepted = accepted
  }

  /// The losses that rules found in steps to a version, accepted or not. Losses that follow from a change's kind are
  /// left out, because the change itself has them.
  func losses() -> [Loss] {
    (remaining + accepted.map(\.finding)).compactMap { finding in
      guard ChangeKind(rawValue: finding.rule.id) == nil, finding.rule.isAcceptable,
        let rule = RuleCatalog.rulesByID[finding.rule.id], rule.category == .dataLoss,
        rule.scope == .step, let path = finding.path, let file = finding.location?.file,
        let name = SourceFile(path: file, bytes: []).name.split(separator: ".y").first,
        let version = VersionNumber(name)
      else { return nil }
      return Loss(
        version: version, element: path, rule: finding.rule.id, words: finding.message,
        location: finding.location)
    }
  }

  /// Adds differences from a base, in place of the lock's findings about the same elements.
  mutating func compare(_ diagnostics: [Diagnostic]) {
    let told = Set(diagnostics.map { "\($0.rule.id) \($0.element ?? "")" })
    // The base's finding also says what exactly changed.
    remaining.removeAll { told.contains("\($0.rule.id) \($0.element ?? "")") }
    remaining += diagnostics
  }

  mutating func apply(_ context: LintContext, _ rules: [any LintRule]) {
    let newest = context.newest.location?.file ?? ""
    let open = Set(context.history.filter(context.isOpen).compactMap(\.location?.file))
    let acceptable = Set(rules.filter(\.rule.isAcceptable).map(\.id))
    let ofSteps = acceptable.filter { RuleCatalog.rulesByID[$0]?.scope == .step }
    let others = acceptable.subtracting(ofSteps)
    var byFile: [String: [Diagnostic]] = [:]
    for finding in rules.flatMap({ $0.findings(in: context) }) {
      // A finding without a place, or in the configuration, is accepted in the newest manifest.
      let file = finding.location?.file ?? newest
      byFile[context.history.contains { $0.location?.file == file } ? file : newest, default: []]
        .append(finding)
    }
    for version in context.history {
      let file = version.location?.file ?? ""
      let book = AcceptanceMatcher(version)
      let outcome = book.apply(to: byFile[file] ?? [])
      remaining += outcome.remaining
      accepted += outcome.accepted
      let judged = (open.contains(file) ? ofSteps : []).union(file == newest ? others : [])
      remaining += book.unused(outcome, of: judged)
    }
  }

  mutating func takeCorrections(of history: [SchemaVersion], shipped: Set<VersionNumber>) {
    let outcome = StepCorrections(history, shipped: shipped).apply(to: remaining)
    remaining = outcome.remaining + outcome.unused
    accepted += outcome.accepted
  }

  /// Restores findings whose acceptance has expired, except in shipped versions, which can no longer be fixed.
  mutating func expire(_ context: LintContext) {
    let over = Set(context.expiredAcceptances.compactMap(\.until.location))
    let isOver = { (accepted: AcceptedFinding) in
      accepted.acceptance.until?.location.map(over.contains) ?? false
    }
    remaining += accepted.filter(isOver).map(\.finding)
    accepted.removeAll(where: isOver)
  }
}
