internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel

/// A project's state: the newest version of each folder, changes since the last shipped one, pending decisions, and the
/// next step. At most ten lines.
package struct ProjectStatus: Sendable {
  /// How the app's classes and the newest manifest compare.
  package enum Classes: Sendable, Equatable {
    case generated
    /// The program that reads Swift is missing.
    case unread
    /// The classes cannot be understood.
    case refused
    case compared([String])
  }

  package struct Folder: Sendable {
    let check: FolderCheck
    let classes: Classes

    package init(_ check: FolderCheck, classes: Classes) {
      self.check = check
      self.classes = classes
    }
  }

  private static let most = 10

  private let folders: [Folder]

  package init(_ folders: [Folder]) { self.folders = folders }

  package var isMalformed: Bool {
    folders.contains { $0.check.isMalformed || $0.classes == .refused }
  }

  /// Several lines for a single folder, or one line for each of several folders.
  package var lines: [String] {
    guard folders.count != 1 else { return folders[0].lines }
    let all = folders.map(\.line)
    guard all.count > Self.most else { return all }
    return Array(all.prefix(Self.most - 1))
      + ["and \(all.count - Self.most + 1) more; name one of them: --schemas FOLDER"]
  }
}

extension ProjectStatus.Folder {
  private var path: String { check.path }
  private var option: String { ShellWord.schemas(path) }

  fileprivate var line: String {
    var parts = [isReadable ? version : "cannot be read"]
    if let last = lastShipped, !changes.isEmpty {
      parts.append("\(counted(changes.count, "change")) since \(last.number.name)")
    }
    return "\(path): \((parts + ["next: \(next)"]).joined(separator: "; "))"
  }

  fileprivate var lines: [String] {
    guard isReadable else {
      return check.isThere
        ? ["\(path): cannot be read", "  next: \(next)"]
        : [
          "\(path): there is no such folder",
          "  next: schemagen adopt SOURCES, for an app that has models; schemagen init, for a new one",
        ]
    }
    var lines = ["\(path): \(version)"]
    if let last = lastShipped, check.newest?.number != last.number {
      lines.append(
        "  since \(last.number.name): \(changes.isEmpty ? "no change" : changes.firstThree)")
    }
    switch classes {
    case .generated: break
    case .unread: lines.append("  classes: not read; schemagen-sources was not found")
    case .refused: lines.append("  classes: not compared, because of an error")
    case .compared(let said) where said.isEmpty:
      lines.append("  classes: they match the newest manifest")
    case .compared(let said):
      lines.append("  classes: not yet in the newest manifest: \(said.firstThree)")
    }
    if !questions.isEmpty { lines.append("  awaits an answer: \(questions.firstThree)") }
    if !approvals.isEmpty { lines.append("  awaits an approval: \(approvals.firstThree)") }
    lines.append(
      "  generated: "
        + (!check.stale.isEmpty
          ? "\(counted(check.stale.count, "file")) out of date"
          : check.isGenerated
            ? "\(counted(check.current, "file")), up to date" : "not compared, because of an error")
    )
    lines.append("  next: \(next)")
    return lines
  }

  // MARK: Words

  private var isReadable: Bool { !check.isMalformed && check.newest != nil }

  /// `V3 is the newest version and has not shipped; V2 has`
  private var version: String {
    guard let newest = check.newest?.number.name else { return "there is no version" }
    if check.findings.contains(where: { $0.rule == .missingLock && $0.severity == .error }) {
      return "\(newest) is the newest version; without the lock it is unknown what has shipped"
    }
    if check.isReleased { return "\(newest) is the newest version, and has shipped" }
    guard let last = lastShipped else {
      return "\(newest) is the newest version; no version is marked as shipped"
    }
    return "\(newest) is the newest version and has not shipped; \(last.number.name) has"
  }

  private var lastShipped: SchemaVersion? { check.lint.versions.last { !check.lint.isOpen($0) } }

  private var changes: [String] {
    guard let evolution = check.lint.evolution else { return [] }
    return evolution.steps.filter { check.lint.isOpen($0.new) }
      .flatMap(\.changes).map { "\($0.element) \($0.effect.rawValue)" }
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private var questions: [String] {
    check.findings.filter {
      $0.severity == .error && ![.unapprovedLoss, .editedGeneratedFile].contains($0.rule)
    }.map { "\($0.element.map { "\($0) " } ?? "")[\($0.rule.id)]" }
  }

  private var approvals: [String] {
    check.lint.losses.unapproved.map { "\($0.version.name) \($0.element)" }
  }

  private var next: String {
    if check.findings.contains(where: { $0.rule == .lockConflict }) {
      return "schemagen rebase\(option)"
    }
    if !isReadable || classes == .refused {
      return "schemagen check\(option) shows what to correct"
    }
    if case .compared(let said) = classes, !said.isEmpty { return "schemagen snapshot\(option)" }
    if !questions.isEmpty { return "schemagen check\(option) shows what to answer" }
    if !check.stale.isEmpty { return "schemagen generate\(option)" }
    if !approvals.isEmpty { return "ask whoever may approve: schemagen approve\(option)" }
    let version = check.newest?.number.name ?? ""
    if !check.isReleased {
      return
        "when its build goes to TestFlight or the App Store: schemagen release \(version)\(option)"
    }
    return classes == .generated
      ? "for a change: schemagen new-version\(option)"
      : "for a change: edit a class, then schemagen snapshot\(option)"
  }
}
