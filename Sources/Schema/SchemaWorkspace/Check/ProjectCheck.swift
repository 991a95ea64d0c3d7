package import SchemaModel
package import SchemaReporting

/// The findings of `check` in a project: everything that must hold before a commit or a merge, as one list.
package struct ProjectCheck: Sendable {
  /// The purpose of the check, which decides the next step that the verdict names.
  package enum Occasion: Sendable, Equatable {
    case work
    case commit
    /// The change goes to this reference.
    case merge(String)
  }

  package let folders: [FolderCheck]
  package private(set) var findings: [Diagnostic]
  package private(set) var silenced: [SilencedFinding]
  package private(set) var sources: [String: String]
  package private(set) var isMalformed: Bool
  /// How many Swift files there are; nil if Swift was not read.
  package private(set) var swiftFiles: Int?
  /// The folders whose classes have changes that the newest manifest lacks.
  package private(set) var moved: [String] = []

  package init(_ folders: [FolderCheck]) {
    self.folders = folders
    findings = []
    silenced = folders.flatMap(\.silenced)
    sources = folders.reduce(into: [:]) { $0.merge($1.sources) { first, _ in first } }
    isMalformed = folders.contains(where: \.isMalformed)
    add(folders.flatMap(\.findings))
  }

  package mutating func add(
    _ found: [Diagnostic], silenced: [SilencedFinding], sources: [String: String], count: Int,
    moved: [String], isMalformed: Bool
  ) {
    self.silenced += silenced
    self.sources.merge(sources) { first, _ in first }
    self.moved += moved
    self.isMalformed = self.isMalformed || isMalformed
    swiftFiles = max(swiftFiles ?? 0, count)
    add(found)
  }

  /// Replaces a manifest's findings by a snapshot's. The snapshot's findings are located in the classes, where people
  /// answer them.
  ///
  /// - Parameters:
  ///   - said: All findings of the snapshot.
  ///   - manifest: The manifest that the snapshot would change, or nil if it would change nothing. An error in that
  ///     manifest is dropped if the snapshot does not find it, because a class already answers it.
  package mutating func replace(by said: [Diagnostic], answering manifest: String?) {
    let better = Dictionary(grouping: said, by: \.key).compactMapValues {
      $0.count == 1 ? $0[0] : nil
    }
    let counts = Dictionary(grouping: findings, by: \.key).mapValues(\.count)
    findings =
      findings.compactMap { finding in
        if counts[finding.key] == 1, var said = better[finding.key] {
          // In the step of a shipped version, the manifest's finding may be more severe than the snapshot's.
          let isLevelled = folders.contains { $0.judged.rules[finding.rule.id] != nil }
          if isLevelled || said.severity < finding.severity { said.severity = finding.severity }
          return said
        }
        let isAnswered =
          manifest != nil && finding.location?.file == manifest && finding.severity == .error
          && !said.contains { $0.key == finding.key }
        return isAnswered ? nil : finding
      }.reportOrder
  }

  package mutating func move(_ place: (Diagnostic) -> Diagnostic) {
    findings = findings.map(place).reportOrder
  }

  private mutating func add(_ found: [Diagnostic]) {
    struct Fact: Hashable {
      var rule: String
      var message: String
      var location: SourceLocation?
    }
    var told: Set<Fact> = []
    // Several checks report broken manifests, perhaps with different help.
    findings =
      (findings + found).filter {
        told.insert(Fact(rule: $0.rule.id, message: $0.message, location: $0.location)).inserted
      }.reportOrder
  }

  // MARK: The verdict

  /// The verdict if there are no findings. It lists what was checked.
  package var clean: String {
    let named = folders.filter { !$0.isRemoved }.map { folder in
      folder.path + (folder.newest.map { " \($0.number.name)" } ?? "")
    }
    let files = folders.reduce(0) { $0 + $1.current }
    let looked = [
      "\(named.isEmpty ? "no manifests" : named.joined(separator: ", "))",
      counted(files, "generated file"),
      swiftFiles.map { counted($0, "Swift file") } ?? "no Swift was read",
    ]
    return looked.joined(separator: ", ") + ": no findings"
  }

  /// The next step, which follows the counts in the verdict; empty if there is none.
  package func next(failsAt threshold: Diagnostic.Severity, _ occasion: Occasion) -> String {
    if isMalformed {
      return "not everything was checked; correct these files first, and run again: schemagen check"
    }
    let failing = findings.filter { $0.severity >= threshold }
    guard !failing.isEmpty else { return whenClean(occasion) }
    let add = occasion == .commit ? ", then 'git add' manifests and generated files" : ""
    if let folder = moved.first {
      return "run: schemagen snapshot\(ShellWord.schemas(folder))\(add)"
    }
    if failing.allSatisfy({ $0.rule == .editedGeneratedFile }) {
      let stale = folders.first { !$0.stale.isEmpty }?.path ?? "Schemas"
      return "run: schemagen generate\(ShellWord.schemas(stale))\(add)"
    }
    if failing.allSatisfy({ $0.rule == .unapprovedLoss }) {
      return "only approvals are missing; 'schemagen approve' lists them"
    }
    switch occasion {
    case .work: return "correct them, and run again: schemagen check"
    case .commit: return "correct them, 'git add' the files, and commit again"
    case .merge(let name):
      return "correct them, and run again: schemagen check --against \(ShellWord.quoted(name))"
    }
  }

  private func whenClean(_ occasion: Occasion) -> String {
    switch occasion {
    case .commit: return ""
    case .work: return "before a merge, run: schemagen check --against BRANCH"
    case .merge:
      guard let folder = folders.first(where: { $0.newest != nil && !$0.isReleased }),
        let version = folder.newest?.number.name
      else { return "" }
      return
        "when a build with \(version) is submitted to TestFlight or the App Store, run: "
        + "schemagen release \(version)\(ShellWord.schemas(folder.path))"
    }
  }
}
