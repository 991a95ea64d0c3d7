internal import SchemaEvolution
internal import SchemaModel
package import SchemaReporting

extension BaseReport {
  // MARK: Text

  /// The signs at the beginning of lines: the console output of the Ritualist Schema Migration Guide, or the same in words.
  private struct Signs {
    var usesEmoji: Bool

    func line(_ emoji: String, _ text: String) -> String {
      (usesEmoji ? emoji + " " : "") + "[Schema Detection] " + text + "\n"
    }

    func head(_ emoji: String, _ text: String) -> String {
      (usesEmoji ? emoji + " " : "") + text + "\n"
    }

    func sign(_ sign: Sign) -> String { usesEmoji ? sign.emoji : sign.rawValue }
  }

  /// - Parameters:
  ///   - usesEmoji: Whether it has signs that terminals show; without it, plain words.
  ///   - terminal: Where it is shown.
  package func text(usesEmoji: Bool = false, terminal: TerminalText = .plain) -> String {
    let signs = Signs(usesEmoji: usesEmoji)
    var text = signs.line("🔍", "\(path): checking for model changes since \(base.name)...")
    for change in changes { text += self.text(change, signs) }
    let report = TextReport(sources: sources, terminal: terminal)
    let others = findings.filter { $0.severity != .error }
    if !others.isEmpty {
      text += signs.head("⚠️ ", "NOTES:") + indented(report.render(others))
    }
    if !errors.isEmpty {
      text += signs.head("🎯", "ACTION REQUIRED:") + indented(report.render(errors))
    } else if isUnchanged {
      text += signs.line("✅", "Models match \(base.name) - nothing to do")
    } else {
      text += signs.line("✅", "No problems found")
    }
    if let nextStep { text += signs.head("🔧", "NEXT: \(nextStep)") }
    if let current {
      let state = current.isReleased ? "released" : "draft"
      text += signs.line("📋", "Current schema version: \(current.number.name) (\(state))")
      // A draft that the base has as well is no change, and its step is still to come.
      if isUnchanged, !current.isReleased, evolution?.history.count ?? 0 > 1 {
        text += signs.line(
          "📋",
          "\(current.number.name) is in \(base.name) as it is here: 'schemagen diff' shows its step"
        )
      }
    }
    if !errors.isEmpty || !changes.isEmpty {
      text += signs.line("📖", "Need help? See " + reading.joined(separator: ", "))
    }
    return text
  }

  /// The last line of the text.
  package func headline(usesEmoji: Bool) -> String {
    func count(_ number: Int, _ noun: String) -> String {
      number == 0 ? "no \(noun)s" : counted(number, noun)
    }
    let number = changes.reduce(0) { sum, change in
      sum + change.steps.count + change.groups.reduce(0) { $0 + $1.changes.count }
    }
    let versions = changes.isEmpty ? "" : "\(count(changes.count, "version")), "
    let text =
      "Complete: \(versions)\(count(number, "change")) since \(base.name), \(count(errors.count, "error"))"
    return String(Signs(usesEmoji: usesEmoji).line("🔍", text).dropLast())
  }

  private func text(_ change: VersionChange, _ signs: Signs) -> String {
    let summary = change.summary.map { ": \($0)" } ?? ""
    let way = change.way.map { " (\($0))" } ?? ""
    let title =
      switch change.state {
      case .added: "NEW VERSION"
      case .edited: "DRAFT EDITED"
      case .removed: "DRAFT REMOVED"
      }
    var text = signs.line("🚨", "\(title) \(change.number.name)\(summary)\(way)")
    for group in change.groups {
      text += "   \(group.title.uppercased()) DETECTED:\n"
      for change in group.changes {
        text += "      \(signs.sign(group.sign)) \(describe(change))\n"
      }
    }
    for step in change.steps { text += "   \(signs.sign(.changed)) \(step): what the step does\n" }
    return text
  }

  /// A change with what becomes of the data.
  private func describe(_ change: SchemaChange) -> String {
    let detail = change.detail.isEmpty ? "" : " (\(change.detail))"
    let word =
      switch change.acknowledgement {
      case .reason(let reason): ", acknowledged: \(reason)"
      case .unconfirmed: ", unconfirmed"
      case nil: ""
      }
    return "\(change.element): \(change.classification.title)\(detail) - data "
      + change.effectWords + word
  }

  private func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { $0.isEmpty ? "\n" : "   \($0)\n" }.joined()
  }

  // MARK: JSON

  private struct Document: Encodable {
    var format = 1
    var folder: String
    var base: BaseEntry
    var current: String?
    var versions: [VersionEntry]
    var findings: [FindingEntry]
    var outdatedFiles: Int
  }

  private struct BaseEntry: Encodable {
    var name: String
    var commit: String?
    var isRelease: Bool
  }

  private struct VersionEntry: Encodable {
    var version: String
    var state: String
    var summary: String?
    var way: String?
    var changes: [ChangeEntry]
    var steps: [String]
  }

  private struct FindingEntry: Encodable {
    var rule: String
    var severity: String
    var message: String
    var element: String?
    var file: String?
    var line: Int?
    var column: Int?
    var help: [String]
  }

  package var json: String {
    JSONText.encode(
      Document(
        folder: path,
        base: BaseEntry(name: base.name, commit: base.commit, isRelease: base.isRelease),
        current: current?.number.description,
        versions: changes.map { change in
          VersionEntry(
            version: change.number.description, state: change.state.rawValue,
            summary: change.summary, way: change.way,
            changes: change.groups.flatMap(\.changes).map { ChangeEntry($0) }, steps: change.steps)
        },
        findings: findings.map { finding in
          FindingEntry(
            rule: finding.rule.id, severity: finding.severity.rawValue, message: finding.message,
            element: finding.element, file: finding.location?.file, line: finding.location?.line,
            column: finding.location?.column, help: finding.help)
        }, outdatedFiles: outdatedFiles))
  }
}
