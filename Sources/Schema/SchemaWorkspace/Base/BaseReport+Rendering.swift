internal import SchemaEvolution
internal import SchemaModel
package import SchemaReporting

extension BaseReport {
  // MARK: Text

  /// The steps that changed as `schemagen diff` shows them, then what else changed, the findings and what is next.
  package func text(on terminal: TerminalText = .plain) -> String {
    var lines = ["\(path), compared with \(base.name)"]
    let steps = changedSteps.compactMap(\.step)
    if let evolution, !steps.isEmpty {
      lines += [
        "", String(DiffReport(evolution, steps, terminal: terminal).render(.text).dropLast()),
      ]
    }
    let others = changedSteps.filter { $0.step == nil }.map { step in
      step.state == .removed
        ? "\(step.number.name): the draft is removed"
        : "\(step.number.name): the first version: no store is older, so no data changes"
    }
    if !others.isEmpty || !edits.isEmpty {
      lines += [""] + (others + edits).map { terminal.fitted($0) }
    }
    let report = TextReport(sources: sources, terminal: terminal).render(findings)
    if !report.isEmpty { lines += ["", String(report.dropLast())] }
    var next = isUnchanged && errors.isEmpty ? ["no step changes"] : []
    // A draft that the base has as well is no change, and its step is still to come.
    if isUnchanged, let current, !current.isReleased, evolution?.history.count ?? 0 > 1 {
      next.append(
        "\(current.number.name) is in \(base.name) as it is here: 'schemagen diff' shows its step")
    }
    if let nextStep { next.append("next: \(nextStep)") }
    if !next.isEmpty { lines += [""] + next.map { terminal.fitted($0) } }
    return lines.map { $0 + "\n" }.joined()
  }

  private var changedSteps: [ChangedStep] { ChangedStep.all(of: PullRequestComment.Folder(self)) }

  /// The differences of drafts from the base, one line each.
  var edits: [String] {
    changes.flatMap { change in
      (change.edit?.descriptions ?? []).map { "\(change.number.name), edited: \($0)" }
    }
  }

  /// The last line of the text.
  package var headline: String {
    func count(_ number: Int, _ noun: String) -> String {
      number == 0 ? "no \(noun)s" : counted(number, noun)
    }
    let added = changedSteps.filter { $0.state == .added }.flatMap(\.lines)
    let number = added.count + edits.count
    let versions = changes.isEmpty ? "" : "\(count(changes.count, "version")), "
    return
      "\(path): \(versions)\(count(number, "change")) since \(base.name), \(count(errors.count, "error"))"
  }

  // MARK: JSON

  private struct Document: Encodable {
    var format = 1
    var folder: String
    var base: BaseEntry
    var current: String?
    var versions: [VersionEntry]
    /// The changed steps, as `schemagen diff` shows them.
    var pairs: [DiffReport.Pair]
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
    var edits: [ChangeEntry]
    var steps: [String]
  }

  package var json: String {
    let steps = changedSteps.compactMap(\.step)
    return JSONText.encode(
      Document(
        folder: path,
        base: BaseEntry(name: base.name, commit: base.commit, isRelease: base.isRelease),
        current: current?.number.description,
        versions: changes.map { change in
          VersionEntry(
            version: change.number.description, state: change.state.rawValue,
            summary: change.summary,
            edits: (change.edit?.changes ?? []).map { ChangeEntry($0) },
            steps: change.edit?.steps ?? [])
        },
        pairs: evolution.map { DiffReport($0, steps, terminal: .plain).pairs } ?? [],
        findings: findings.map { FindingEntry($0) }, outdatedFiles: outdatedFiles))
  }
}
