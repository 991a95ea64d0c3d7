internal import ManagedModels
internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
package import SchemaModel

extension Rule {
  static let shippedVersionRenumbered = Rule(
    "shipped-version-renumbered", "A shipped version has a different number now",
    basis: .guide(.ritualist, "schema migrations are permanent"))
  static let versionRetired = Rule(
    "version-retired", .note, "A shipped version stays in the plan",
    basis: .page("cookbook/drop-old-versions"))
  static let releaseMarkRemoved = Rule(
    "release-mark-removed", "The lock no longer says that a version has shipped",
    basis: .guide(.ritualist, "schema migrations are permanent"))
}

/// Finds the base's shipped versions that the folder changes, lacks, renumbers, or no longer marks as shipped.
///
/// Comments, the order of keys, the reasons of `accept:` and anything in a draft are not changes.
package struct BaseComparison: Sendable {
  private let current: SchemaFolder
  private let currentLock: SchemaLock?
  private let base: ComparisonBase

  /// - Parameter currentLock: The lock of `current`. Empty if there is no lock, nil if the lock is broken and its marks
  ///   are therefore unknown.
  package init(current: SchemaFolder, currentLock: SchemaLock?, base: ComparisonBase) {
    self.current = current
    self.currentLock = currentLock
    self.base = base
  }

  /// A version that has shipped, as the base describes it.
  private struct Shipped {
    var number: VersionNumber
    var digest: VersionDigest
    /// The identity in the lock's entry. Nil if there is no entry and the base's manifests have errors.
    var identity: String?
    var checksum: String?
    /// Nil if the base's manifest cannot be read or differs from what shipped.
    var version: SchemaVersion?
  }

  package func diagnostics() -> [Diagnostic] {
    var found = base.diagnostics
    let broken = brokenVersions
    // The readable part of a broken manifest is not a version to compare with.
    for version in shipped() where !broken.contains(version.number) { found += compare(version) }
    found += marks()
    if let was = base.folder?.coreData.versions, let now = current.coreData.versions {
      found += now.edits(
        since: was, base.name, at: current.configuration.coreData?.model.location)
    }
    return found.reportOrder
  }

  private var brokenVersions: Set<VersionNumber> {
    // Errors of these rules come from comparing manifests, so the files that they name are readable.
    let shared: Set<Rule> = [
      .fileName, .versionMismatch, .duplicateVersion, .versionOrder, .versionGap,
    ]
    let files = current.diagnostics.filter { $0.severity == .error && !shared.contains($0.rule) }
      .compactMap { $0.location.map { SourceFile(path: $0.file, bytes: []).name } }
    // If no manifest is malformed, the errors are about steps, and every version is known.
    guard current.isMalformed else { return [] }
    return Set(files.compactMap { $0.split(separator: ".y").first.flatMap { VersionNumber($0) } })
  }

  package var shippedVersions: [VersionNumber] { base.shippedNumbers.sorted() }

  /// Records in a lock the steps that were corrected since they shipped, as the base describes them.
  func note(stepsTo versions: [VersionNumber], in lock: inout SchemaLock) {
    let digests = Dictionary(shipped(), keyedBy: \.number).mapValues(\.digest)
    for version in current.versions where versions.contains(version.number) {
      guard let digest = digests[version.number], digest.edit(to: version) == .step else {
        continue
      }
      lock.note(digest, of: version.number)
    }
  }

  private func shipped() -> [Shipped] {
    let manifests = Dictionary(base.versions, keyedBy: \.number)
    var found = base.lock.entries.filter { base.isRelease || $0.state == .released }.map { entry in
      let manifest = manifests[entry.version]
      return Shipped(
        number: entry.version, digest: entry.digest, identity: entry.identity,
        checksum: entry.hashes?.checksum,
        version: manifest.flatMap { entry.digest.edit(to: $0) == nil ? $0 : nil })
    }
    if base.isRelease {
      let known = Set(found.map(\.number))
      for version in base.versions where !known.contains(version.number) {
        let identity = base.folder?.evolution?.identity(of: version.number)
        found.append(
          Shipped(
            number: version.number, digest: VersionDigest(version), identity: identity?.full,
            checksum: identity?.checksum, version: version))
      }
    }
    return found.sorted { $0.number < $1.number }
  }

  // MARK: Versions

  private func compare(_ shipped: Shipped) -> [Diagnostic] {
    let name = shipped.number.name
    let now = current.versions.first { $0.number == shipped.number }
    if let now {
      let isSame = isSameStore(shipped) ?? true
      switch shipped.digest.edit(to: now) {
      case nil where isSame: return []
      case nil: return [edited(shipped, now, .structure)]
      case .step: return [edited(shipped, now, isSame ? .step : .structure)]
      case .structure:
        // A change that affects neither stores nor steps is allowed after the release.
        if isSame, let was = shipped.version, case let edit = VersionEdit(from: was, to: now),
          edit.keepsRows
        {
          return notices(edit, from: was, to: now)
        }
      }
    }
    if let joined = joined(shipped) {
      return [
        Diagnostic(
          .shippedVersionRenumbered,
          "\(name) has shipped according to \(base.name), and is called \(joined.number.name) now: the lock "
            + "has another shipped \(name), which \(base.name) does not have; stores of both are recognised by their models",
          element: name, at: joined.location,
          help: [
            "if 'schemagen rebase' has joined two branches that each shipped a \(name), this is expected",
            "if the other \(name) never wrote a store: give \(joined.number.name) its number back, and the other \(name) the next number",
          ],
          severity: base.isRelease ? .note : .warning)
      ]
    }
    if let moved = renumbered(shipped) {
      return [
        Diagnostic(
          .shippedVersionRenumbered,
          "\(name) has shipped according to \(base.name), and is called \(moved.number.name) now",
          element: name, at: moved.location,
          help: [
            "give the version its number back: stores on people's devices have that version",
            "to add a new version after \(name), run 'schemagen new-version'",
          ])
      ]
    }
    guard let now else {
      return [
        Diagnostic(
          .shippedVersionMissing,
          "\(name) has shipped according to \(base.name), and its manifest is gone",
          element: name, at: SourceLocation(file: Path.join(current.path, "\(name).yaml")),
          help: [
            "stores on people's devices still have that version",
            restore(shipped.version?.fileName ?? "\(name).yaml"),
          ] + moved)
      ]
    }
    return [edited(shipped, now, .structure)]
  }

  /// Findings about an edit that keeps all rows, but may change how rows are read, or which builds can read them.
  private func notices(
    _ edit: VersionEdit, from was: SchemaVersion, to now: SchemaVersion
  ) -> [Diagnostic] {
    let configuration = current.configuration
    let renamed = edit.changes.filter { $0.kind == .enumCasesRenamed }.map { change in
      let row = change.classification
      return Diagnostic(
        row.rule, "'\(change.element)' (\(change.detail)): \(row.reason)", element: change.element,
        at: change.location, help: ["compare each value with the case that reads it"])
    }
    guard configuration.cloudKit == .private,
      configuration.cloud.oldest.map({ $0 <= now.number }) ?? true
    else { return renamed }
    let local = Set(configuration.cloud.local.map(\.value))
    return renamed
      + CloudRecords(now, local: local).contentChanges(
        since: CloudRecords(was, local: local), of: now, called: "this build of \(now.number.name)"
      ) { _ in
        ["first release an app that reads old and new values, or add a property with another name"]
      }
  }

  private func isSameStore(_ shipped: Shipped) -> Bool? {
    guard let was = shipped.identity,
      let now = current.evolution?.identity(of: shipped.number)
    else { return nil }
    return now.isSameStore(asOf: was, checksum: shipped.checksum)
  }

  private func edited(
    _ shipped: Shipped, _ now: SchemaVersion, _ part: VersionDigest.Part
  ) -> Diagnostic {
    let name = shipped.number.name
    // A malformed folder has no evolution, but the manifest alone still gives an identity.
    let isSame =
      isSameStore(shipped) ?? shipped.version.map { $0.ownIdentity == now.ownIdentity } ?? true
    var help: [String] = []
    var related: [Diagnostic.Related] = []
    if let version = shipped.version {
      let edit = VersionEdit(from: version, to: now)
      help += edit.descriptions.prefix(20).map { "changed: \($0)" }
      if edit.descriptions.count > 20 { help.append("and \(edit.descriptions.count - 20) more") }
      related = edit.changes.prefix(20).compactMap { change in
        change.location.map { .init("\(change.element) is here", at: $0) }
      }
    }
    if part == .step {
      // If the restored step would have errors again, restoring it does not help.
      let isRefused = base.folder?.evolution?.diagnostics(ofStepTo: shipped.number).hasErrors
      if isRefused != true { help.append(restore(now.fileName)) }
      return Diagnostic(
        .shippedStepEdited,
        "the step to \(name) has shipped according to \(base.name), and was edited", element: name,
        at: now.location, related: related,
        help: help + [SchemaLock.correction(of: shipped.number)])
    }
    help.append(restore(now.fileName))
    // Unless the version is marked as shipped, the next edit would change it again.
    if base.isRelease, base.commit != nil, currentLock?.released.contains(shipped.number) != true {
      let tag = ShellWord.quoted(String(base.name.prefix { $0 != " " }))
      help.append(
        "then mark the version as shipped: schemagen release --from-tag \(tag)\(ShellWord.schemas(current.path))"
      )
    }
    help.append(
      SchemaLock.nextPlace(
        newest: current.versions.last,
        shipped: Set(shippedVersions).union(currentLock?.released ?? []),
        isOfClasses: current.configuration.classes != nil))
    return Diagnostic(
      .shippedVersionEdited,
      "\(name) has shipped according to \(base.name), and was edited: "
        + SchemaLock.stake(isIdentity: !isSame),
      element: name, at: related.first?.location ?? now.location,
      related: related.filter { $0.location != related[0].location }, help: help)
  }

  private func renumbered(_ shipped: Shipped) -> SchemaVersion? {
    guard let version = shipped.version else { return nil }
    let text = version.unnumberedDigest
    let known = Set(base.lock.entries.map(\.version) + base.versions.map(\.number))
    return current.versions.first {
      !known.contains($0.number) && $0.unnumberedDigest == text
    }
  }

  /// The version with a shipped version's stores and a number that the base lacks. There is one if two branches each
  /// shipped a version with the old number, and the lock marks both.
  private func joined(_ shipped: Shipped) -> SchemaVersion? {
    guard let identity = shipped.identity, let evolution = current.evolution,
      let released = currentLock?.released, released.contains(shipped.number),
      evolution.identity(of: shipped.number)?
        .isSameStore(asOf: identity, checksum: shipped.checksum) == false
    else { return nil }
    let known = Set(base.lock.entries.map(\.version) + base.versions.map(\.number))
    return current.versions.first { version in
      released.contains(version.number) && !known.contains(version.number)
        && evolution.identity(of: version.number)?
          .isSameStore(asOf: identity, checksum: shipped.checksum) ?? false
    }
  }

  private func restore(_ file: String) -> String {
    let path = Path.join(current.path, file)
    guard let commit = base.commit else { return "restore \(file) from \(base.name)" }
    if let movedFrom = base.movedFrom {
      let old = ShellWord.quoted("\(commit.prefix(7)):./" + Path.join(movedFrom, file))
      return "restore \(file): git show \(old) > \(ShellWord.quoted(path))"
    }
    return "restore \(file): git checkout \(commit.prefix(7)) -- \(path)"
  }

  private var moved: [String] {
    base.movedTo.map {
      let option = ShellWord.schemas($0)
      return [
        "if the folder has moved to '\($0)', name the new folder\(option.isEmpty ? ": --schemas \($0)" : ":" + option)",
        "then update the hook and pipelines as well: schemagen hook install\(option)",
      ]
    } ?? []
  }

  // MARK: Marks

  /// Findings about versions whose manifest exists but whose mark is gone.
  private func marks() -> [Diagnostic] {
    guard let currentLock else { return [] }
    let present = Set(current.versions.map(\.number))
    let marked = Set(currentLock.entries.filter { $0.state == .released }.map(\.version))
    let lost = base.lock.entries.filter {
      $0.state == .released && !marked.contains($0.version) && present.contains($0.version)
    }.map(\.version)
    guard let last = lost.last else { return lostHashes(currentLock) }
    let names = lost.map(\.name).joined(separator: ", ")
    let path = Path.join(current.path, SchemaLock.fileName)
    let isGone = currentLock.entries.isEmpty
    return [
      Diagnostic(
        .releaseMarkRemoved,
        isGone
          ? "the lock is gone, and \(base.name) says that \(names) has shipped"
          : "the lock no longer says that \(names) has shipped, but \(base.name) does",
        element: last.name, at: SourceLocation(file: path),
        help: [
          restore(SchemaLock.fileName),
          "then run 'schemagen generate'",
          "or, without restoring the lock, mark \(last.name) as shipped again: 'schemagen release \(last.name)'",
        ])
    ] + lostHashes(currentLock)
  }

  private func lostHashes(_ currentLock: SchemaLock) -> [Diagnostic] {
    let path = Path.join(current.path, SchemaLock.fileName)
    let joined = Set(shipped().filter { self.joined($0) != nil }.map(\.number))
    return base.lock.entries.compactMap { entry in
      guard !joined.contains(entry.version), let hashes = entry.hashes, hashes.isProven,
        let now = currentLock.entries.first(where: { $0.version == entry.version }),
        now.state == .released, now.hashes != hashes
      else { return nil }
      let name = entry.version.name
      return Diagnostic(
        .releaseMarkRemoved,
        "a store has proven the hashes of \(name): the lock of \(base.name) has them, and this lock no longer does",
        element: name, at: SourceLocation(file: path),
        help: [restore(SchemaLock.fileName)])
    }
  }
}

extension Evolution {
  func identity(of number: VersionNumber) -> StructuralIdentity? {
    versions.first { $0.declared.number == number }?.identity
  }
}

extension SchemaVersion {
  fileprivate var fileName: String {
    location.map { SourceFile(path: $0.file, bytes: []).name } ?? "\(number.name).yaml"
  }

  /// The identity of the version alone, without hash modifiers that neighbouring versions require.
  fileprivate var ownIdentity: String? {
    AnalysisPipeline(history: [withoutStep]).run().identities.first?.full
  }

  fileprivate var unnumberedDigest: String {
    var version = self
    version.number = VersionNumber(0)
    return SchemaLock.digest(version)
  }
}
