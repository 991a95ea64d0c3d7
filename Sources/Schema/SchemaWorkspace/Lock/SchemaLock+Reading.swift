package import SchemaEvolution
internal import SchemaManifest
package import SchemaModel

extension SchemaLock {
  package static func read(_ file: SourceFile) -> (lock: SchemaLock, diagnostics: [Diagnostic]) {
    let conflicts = LockReader.conflicts(in: file)
    guard conflicts.isEmpty else { return (SchemaLock(), conflicts) }
    var reader = LockReader(file: file)
    let lock = reader.read()
    reader.checkOrder()
    reader.checkSums()
    return (lock, reader.diagnostics.reportOrder)
  }

  /// Findings about released versions without a manifest.
  ///
  /// - Parameter numbers: The numbers of all manifests, including unreadable ones.
  func missing(among numbers: Set<VersionNumber>, lockPath: String) -> [Diagnostic] {
    entries.filter { $0.state == .released && !numbers.contains($0.version) }.map {
      Self.missing($0.version, lockPath)
    }
  }

  private static func missing(_ version: VersionNumber, _ lockPath: String) -> Diagnostic {
    Diagnostic(
      .shippedVersionMissing, "\(version.name) has shipped and its manifest is gone",
      element: version.name, at: SourceLocation(file: lockPath),
      help: ["restore the manifest from git: stores on people's devices still have that version"])
  }

  package func diagnostics(_ evolution: Evolution, lockPath: String) -> [Diagnostic] {
    let now = Dictionary(evolution.history.enumerated().map { ($1.number, ($0, $1)) }) { a, _ in a }
    return entries.filter { $0.state == .released }.compactMap { entry in
      guard let (index, version) = now[entry.version] else {
        return Self.missing(entry.version, lockPath)
      }
      let isSameStore = evolution.versions[index].identity
        .isSameStore(asOf: entry.identity, checksum: entry.hashes?.checksum)
      let edit = entry.digest.edit(to: version)
      guard edit != nil || !isSameStore else { return nil }
      if edit == .step, isSameStore {
        return Diagnostic(
          .shippedStepEdited, "the step to \(entry.version.name) has shipped and was edited",
          element: entry.version.name, at: version.location,
          help: ["restore the manifest from git", Self.correction(of: entry.version)])
      }
      return Diagnostic(
        .shippedVersionEdited,
        "\(entry.version.name) has shipped and was edited: "
          + Self.stake(isIdentity: !isSameStore),
        element: entry.version.name, at: version.location,
        help: [
          "restore the manifest from git",
          Self.nextPlace(
            newest: evolution.history.last, shipped: released,
            isOfClasses: evolution.configuration.classes != nil),
        ])
    } + draftsBetween(evolution)
  }

  /// Findings about versions that the lock lacks and that precede a shipped one.
  private func draftsBetween(_ evolution: Evolution) -> [Diagnostic] {
    guard let last = released.max() else { return [] }
    let known = Set(entries.map(\.version))
    return evolution.history.filter { version in
      version.number < last && version.identity != .shipped && !known.contains(version.number)
    }.map { version in
      let name = version.number.name
      return Diagnostic(
        .lockStateOrder,
        "\(name) is new, and comes before \(last.name), which has shipped: stores would have to migrate through \(name)",
        element: name, at: version.location,
        help: [
          "if devices have stores of \(name), write in its manifest: identity: shipped",
          "if not, give \(name) a number after \(last.name)",
        ])
    }
  }

  /// Findings about hashes that differ from the manifests', for versions that are unchanged since generation.
  ///
  /// - Parameter isOfProven: Whether only proven hashes are checked. Other hashes are recomputed.
  func hashDiagnostics(
    _ evolution: Evolution, lockPath: String, isOfProven: Bool = false
  ) -> [Diagnostic] {
    let now = Dictionary(evolution.history.enumerated().map { ($1.number, $0) }) { a, _ in a }
    return entries.compactMap { entry in
      guard let index = now[entry.version], let hashes = entry.hashes,
        hashes.isProven || !isOfProven
      else { return nil }
      let identity = evolution.versions[index].identity
      // If the version was edited since, the lock has the hashes of its former state.
      guard identity.full == entry.identity else { return nil }
      let made = LockedHashes(made: identity)
      let names =
        made.entities.keys.filter {
          hashes.entities[$0] != nil && hashes.entities[$0] != made.entities[$0]
        } + hashes.entities.keys.filter { identity.doubts[$0] == nil && made.entities[$0] == nil }
      guard !names.isEmpty else { return nil }
      let name = entry.version.name
      return Diagnostic(
        .lockHashes,
        (hashes.isProven
          ? "the lock's hashes for \(name), proven by a store, are not those of its manifest"
          : "the lock's hashes for \(name) are not those of its manifest")
          + ": they differ in \(names.sorted().joined(separator: ", "))",
        element: name, at: SourceLocation(file: lockPath),
        help: hashes.isProven
          ? [
            "if no store has proven these hashes: git checkout HEAD -- \(lockPath)",
            "if a store has proven them, please report this, with the manifest: schemagen computes a wrong hash",
          ]
          : ["run 'schemagen generate': it writes the right hashes, and git shows what changed"],
        severity: hashes.isProven ? .warning : nil)
    }
  }

  static func correction(of version: VersionNumber) -> String {
    "if the step had to be corrected, say why in the manifest of \(version.name): '\(acceptance(of: version))'"
  }

  /// Advice on what the manifest needs in addition if a person answers a finding in a shipped step.
  static func answer(to rule: Rule, in version: VersionNumber) -> String {
    let page =
      [.ambiguousRename, .unacknowledgedDrop].contains(rule)
      ? Basis.documentation + "cookbook/bad-release.md#a-rename-that-shipped-as-a-removal"
      : "schemagen explain \(Rule.shippedStepEdited.id)"
    return
      "\(version.name) has shipped, so also say in its manifest why the step changes: '\(acceptance(of: version))' "
      + "(\(page))"
  }

  private static func acceptance(of version: VersionNumber) -> String {
    "accept: [{ rule: \(Rule.shippedStepEdited.id), element: \(version.name), reason: … }]"
  }

  /// Advice on where to make a change that was made in a shipped version.
  static func nextPlace(
    newest: SchemaVersion?, shipped: Set<VersionNumber>, isOfClasses: Bool
  ) -> String {
    if isOfClasses { return "make the change in the class, and run: schemagen snapshot" }
    if let newest, !shipped.contains(newest.number) {
      return "make the change in \(newest.number.name), which has not shipped"
    }
    return "make the change in a new version: 'schemagen new-version'"
  }

  /// The risk of an edit of a shipped version.
  static func stake(isIdentity: Bool) -> String {
    isIdentity
      ? "its stores would no longer be recognised (error 134504)"
      : "its generated code would no longer be what shipped"
  }
}

extension [Diagnostic] {
  /// Leaves out findings in steps at edited shipped versions. The edit causes these findings, and following their
  /// advice would be another edit.
  func withoutStepsAtEdits(_ evolution: Evolution?) -> [Diagnostic] {
    let edited = Set(filter { $0.rule == .shippedVersionEdited }.compactMap(\.element))
    guard let evolution, !edited.isEmpty else { return self }
    // The severity is not compared, since the configuration may have changed it.
    func key(_ diagnostic: Diagnostic) -> [String?] {
      [diagnostic.rule.id, diagnostic.element, diagnostic.message]
    }
    let resting = Set(evolution.diagnostics(ofStepsAt: edited).map(key))
    return filter { !resting.contains(key($0)) }
  }

  /// Adds to the help of errors in shipped steps what the manifest needs besides the answer, since the answer alone
  /// would be an edit that must be undone. The help of other findings in shipped steps is reduced to the acceptance.
  func namingCorrections(_ evolution: Evolution?, shipped: Set<VersionNumber>) -> [Diagnostic] {
    guard let evolution, !isEmpty else { return self }
    var helps: [Diagnostic: String] = [:]
    for version in evolution.history
    where shipped.contains(version.number) && !version.acceptsCorrection {
      for finding in evolution.diagnostics(ofStepTo: version.number) {
        helps[finding] = SchemaLock.answer(to: finding.rule, in: version.number)
      }
    }
    return map { finding in
      guard let help = helps[finding] else { return finding }
      var finding = finding
      let acceptance = finding.help.filter { $0.hasPrefix("to accept it") }
      if finding.severity == .error {
        finding.help.append(help)
      } else if finding.rule.severity != .error, !acceptance.isEmpty {
        finding.help =
          ["devices have run this step as it shipped: only a later step can change what it did"]
          + acceptance
      }
      return finding
    }
  }
}

extension SchemaVersion {
  fileprivate var acceptsCorrection: Bool {
    acceptances.contains {
      $0.rule.value == Rule.shippedStepEdited.id && $0.element == number.name
    }
  }
}

/// Reads the lock's YAML.
private struct LockReader {
  private struct Read {
    var entry: SchemaLock.Entry
    var place: SourceLocation
    var state: SourceLocation?
    var sum: Located<String>
  }

  let file: SourceFile
  private(set) var diagnostics: [Diagnostic] = []
  private var entries: [Read] = []

  init(file: SourceFile) { self.file = file }

  // MARK: Conflicts

  static func conflicts(in file: SourceFile) -> [Diagnostic] {
    MergeConflict.all(in: file).map { conflict in
      Diagnostic(
        .lockConflict, conflict.message, at: conflict.place,
        help: [
          "run 'schemagen rebase': it keeps the other branch's versions, and puts yours after them",
          "if only one branch changed versions: keep that branch's side whole, and run 'schemagen generate'",
        ])
    }
  }

  // MARK: YAML

  mutating func read() -> SchemaLock {
    var lock = SchemaLock()
    let (node, problems) = YAMLReader.read(file)
    guard problems.isEmpty, let node else {
      for problem in problems {
        fail(
          .lockUnreadable, "the lock cannot be read: \(problem.message)", problem.location,
          help: "restore the lock: git checkout HEAD -- \(file.path)")
      }
      if problems.isEmpty { fail(.lockUnreadable, "the lock is empty", nil) }
      return lock
    }
    let format = node["format"]?.scalar?.text
    guard format == String(SchemaLock.format) else {
      fail(
        .lockFormat,
        "the lock's format is \(format.map { "'\($0)'" } ?? "missing"); this schemagen knows \(SchemaLock.format)",
        node["format"]?.location ?? node.location,
        help:
          "another release of schemagen wrote the lock: use that release, or restore the lock from git"
      )
      return lock
    }
    guard case .sequence(let versions)? = node["versions"]?.content else {
      fail(.lockUnreadable, "'versions' is missing", node.location)
      return lock
    }
    entries = versions.compactMap { entry($0) }
    lock.entries = entries.map(\.entry)
    guard let generated = node["generated"] else { return lock }
    lock.folders = list(generated, "folders")
    lock.documentation = list(generated, "documentation").first
    lock.owned = list(generated, "owned")
    return lock
  }

  private mutating func entry(_ node: YAMLNode) -> Read? {
    let keys = ["version", "state", "identity", "structure", "step", "sum"]
    let missing = keys.filter { node[$0]?.scalar?.text.isEmpty ?? true }
    guard missing.isEmpty, let number = node["version"], let state = node["state"] else {
      let which = missing.map { "'\($0)'" }.joined(separator: ", ")
      let name = node["version"]?.scalar.map { "the entry of \($0.text)" } ?? "an entry"
      fail(.lockEntry, "\(name) is incomplete: \(which) is missing", node.location)
      return nil
    }
    func text(_ key: String) -> String { node[key]?.scalar?.text ?? "" }
    guard let version = VersionNumber(text("version")) else {
      fail(.lockEntry, "'\(text("version"))' is not a version number", number.location)
      return nil
    }
    guard let known = SchemaLock.State(rawValue: text("state")) else {
      fail(.lockEntry, "'\(text("state"))' is neither draft nor released", state.location)
      return nil
    }
    let said = ["checksum", "hashes", "uncertain", "proof"].compactMap { node[$0] }
    let hashes = hashes(node)
    guard said.isEmpty || hashes != nil else {
      fail(
        .lockEntry,
        "the hashes of \(version) are incomplete: each is 32 bytes in base64, and they need either a "
          + "'checksum', perhaps with 'proof: store', or a list 'uncertain'", said.first?.location)
      return nil
    }
    let production = node["production"].map { $0.scalar?.text ?? "" }
    let isDigest =
      production.map { $0.utf8.count == 64 && $0.allSatisfy { "0123456789abcdef".contains($0) } }
      ?? true
    guard isDigest else {
      fail(
        .lockEntry, "the entry of \(version) has a 'production' that is not a SHA-256",
        node["production"]?.location)
      return nil
    }
    return Read(
      entry: SchemaLock.Entry(
        version: version, state: known, identity: text("identity"),
        digest: VersionDigest(structure: text("structure"), step: text("step")),
        hashes: hashes, production: production),
      place: number.location, state: state.location,
      sum: Located(text("sum"), at: node["sum"]?.location))
  }

  /// Nil if the entry has no hashes, or if they are inconsistent.
  private func hashes(_ node: YAMLNode) -> LockedHashes? {
    let proof = node["proof"]?.scalar?.text
    guard node["proof"] == nil || proof == "store" else { return nil }
    var entities: [String: String] = [:]
    if case .mapping(let entries)? = node["hashes"]?.content {
      for entry in entries { entities[entry.key] = entry.value.scalar?.text ?? "" }
    }
    return LockedHashes(
      checksum: node["checksum"]?.scalar?.text, entities: entities,
      uncertain: list(node, "uncertain"), isProven: proof != nil)
  }

  private func list(_ node: YAMLNode, _ key: String) -> [String] {
    guard case .sequence(let values)? = node[key]?.content else { return [] }
    return values.compactMap { $0.scalar?.text }
  }

  // MARK: The lock's contents

  /// Reports versions that occur twice, out of order, or have shipped after one that has not.
  mutating func checkOrder() {
    var first: [VersionNumber: SourceLocation] = [:]
    var draft: Read?
    for (index, read) in entries.enumerated() {
      let version = read.entry.version
      if let place = first[version] {
        diagnostics.append(
          Diagnostic(
            .lockDuplicate, "\(version.name) is listed twice: two branches each added it",
            element: version.name, at: read.place,
            related: [.init("the other entry is here", at: place)],
            help: [
              "restore the other branch's lock, and run 'schemagen rebase': it renumbers your version"
            ]))
        continue
      }
      first[version] = read.place
      if index > 0, entries[index - 1].entry.version > version {
        fail(
          .lockOrder, "\(version.name) is listed after \(entries[index - 1].entry.version.name)",
          read.place, element: version.name)
      }
      if read.entry.state == .draft {
        draft = draft ?? read
      } else if let draft {
        diagnostics.append(
          Diagnostic(
            .lockStateOrder,
            "\(version.name) has shipped, and \(draft.entry.version.name) before it has not",
            element: version.name, at: read.state,
            related: [
              .init("\(draft.entry.version.name) is a draft", at: draft.state ?? draft.place)
            ],
            help: [
              "users who install \(version.name) migrate through every version before it: restore the "
                + "lock from git, and run 'schemagen release \(version.name)'"
            ]))
      }
    }
  }

  mutating func checkSums() {
    for read in entries {
      let name = read.entry.version.name
      if read.entry.sum != read.sum.value {
        fail(
          .lockEdited, "the entry of \(name) does not match its checksum: it was edited",
          read.sum.location, element: name,
          help: restore + "; only 'schemagen generate' and 'schemagen release' write it")
      } else if read.entry.hashes?.hasOwnChecksum == false {
        fail(
          .lockEdited, "the checksum of \(name) is not that of its hashes: it was edited",
          read.place, element: name)
      }
    }
  }

  private var restore: String { "restore the lock: git checkout HEAD -- \(file.path)" }

  private mutating func fail(
    _ rule: Rule, _ message: String, _ location: SourceLocation?, element: String? = nil,
    help: String? = nil
  ) {
    diagnostics.append(
      Diagnostic(
        rule, message, element: element, at: location ?? SourceLocation(file: file.path),
        help: [help ?? restore]))
  }
}

extension YAMLNode {
  fileprivate subscript(key: String) -> YAMLNode? { entry(key)?.value }
}
