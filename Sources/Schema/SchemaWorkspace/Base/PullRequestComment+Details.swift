internal import ManagedModels
internal import SchemaEvolution
internal import SchemaModel
internal import SchemaRendering
internal import SchemaReporting

/// What is folded.
extension PullRequestComment {
  func addVersions(to parts: inout CommentParts) {
    let shown = zip(folders, steps).filter { !$0.1.isEmpty || !$0.0.report.errors.isEmpty }
      .map(\.0.report)
    let rows = shown.flatMap(versions)
    let heads = ["Version", "State", "How stores get there", "Checksum"]
    parts.add(
      .version, rank: 11,
      "<details><summary>\(counted(rows.count, "version")) and \(rows.count == 1 ? "its checksum" : "their checksums")"
        + "</summary>\n\nSwiftData recognises a store by the checksum of its version. That of a shipped version must "
        + "never change.\n\n"
        + MarkdownText.table(folders.count > 1 ? ["Folder"] + heads : heads, []),
      rows, "\n</details>\n")
  }

  /// A row for each version, the newest first.
  func versions(of report: BaseReport) -> [String] {
    guard let evolution = report.evolution else { return [] }
    let states = Dictionary(
      report.changes.map { ($0.number, $0.state) }, uniquingKeysWith: { first, _ in first })
    let marks = Dictionary(report.lock.entries, keyedBy: \.version)
    let before = report.base.lock.hashes
    return evolution.history.indices.reversed().map { index in
      let version = evolution.history[index]
      let entry = marks[version.number]
      var state = entry?.state == .released ? "shipped" : "draft"
      if let change = states[version.number] {
        state += ", \(change == .added ? "new" : change.rawValue)"
      }
      let way = index == 0 ? "–" : evolution.planned(evolution.steps[index - 1])
      let now =
        evolution.identities[evolution.positions[index]].checksum ?? entry?.hashes?.checksum
      let was = before[version.number]?.checksum
      var checksum = now.map { "`\($0.prefix(8))…`" } ?? "not known"
      if let was, let now, was != now { checksum = "`\(was.prefix(8))…` → **\(checksum)**" }
      if entry?.hashes?.isProven == true { checksum += ", proven by a store" }
      let cells = [version.number.name, state, way, checksum]
      let row = (folders.count > 1 ? [code(report.path)] : []) + cells
      return "| \(row.joined(separator: " | ")) |\n"
    }
  }

  /// Findings that are no errors, with what helps.
  func addFindings(to parts: inout CommentParts) {
    let findings = folders.flatMap(\.report.findings).filter { $0.severity != .error }
    parts.add(
      .finding, rank: 12,
      "<details><summary>\(counted(findings.count, "finding")) that do\(findings.count == 1 ? "es" : "") not block</summary>\n",
      findings.map { finding in
        var finding = finding
        finding.message = finding.message.shortened(to: 600)
        finding.location = finding.location.map(shortened)
        finding.help = finding.help.prefix(6).map { $0.shortened(to: 1_000) }
        finding.related = finding.related.prefix(5).map {
          Diagnostic.Related($0.message.shortened(to: 300), at: shortened($0.location))
        }
        return MarkdownText.details(of: finding)
      }, "\n</details>\n")
  }

  /// What the pull request edits in drafts: the tables show the whole steps as they are now.
  func addEdits(to parts: inout CommentParts) {
    var lines: [String] = []
    for folder in folders {
      let place = folders.count > 1 ? code(folder.report.path) + " " : ""
      for change in folder.report.changes where change.state == .edited {
        let name = place + change.number.name
        for edit in change.groups.flatMap(\.changes) {
          let detail = edit.detail.isEmpty ? "" : ": " + code(edit.detail, 300)
          lines.append(
            "- \(name) \(code(edit.element.description, 200)): \(text(edit.classification.title, 300))\(detail)\n"
          )
        }
        lines += change.steps.map { "- \(name) \(code($0, 200)): what the step does\n" }
      }
    }
    parts.add(
      .edit, rank: 13,
      "<details><summary>\(counted(lines.count, "edit")) of drafts since the base</summary>\n\n"
        + "The tables above show each step as a whole, as it is now. These parts of it are other than in the base:\n\n",
      lines, "\n</details>\n")
  }

  func addGuide(to parts: inout CommentParts) {
    guard !isQuiet else { return }
    let docs = Basis.documentation
    let findings = folders.flatMap(\.report.findings).filter { $0.severity > .note }
    let rules = Set(findings.map(\.rule.id)).sorted().prefix(10).map {
      "[\($0)](\(docs)rules/\($0).md)"
    }
    var lines = [
      "- **kept**: all values stay.\n",
      "- **defaulted**: rows that users have get nil, a default or a `fill` in the property.\n",
      "- **converted**: new values are made of the old ones, as the manifest says.\n",
      "- **dropped**: values or rows are deleted, on every user's device.\n",
      "- **at risk**: the migration fails, or values are lost, as the manifest stands.\n",
    ]
    if storeCount != nil {
      lines += [
        "- In stores: **fails**: the migration, or the app when it reads the rows; **lost**: values go, and nobody has "
          + "acknowledged it; **acknowledged**: values go, as the author has acknowledged; unknown: rows do not show it; "
          + "handled: the manifest says what to do with them; kept: no row loses anything.\n"
      ]
    }
    lines.append(
      "- The engine is the part of SwiftData that migrates stores. It infers a **lightweight** step; a **custom** one also "
        + "runs generated code, or the app's. "
        + "**Through a bridge**: by a version that has old and new columns at once.\n")
    lines.append(
      "- To read: [all kinds of changes](\(docs)classification.md), [lint and shipped versions](\(docs)gate.md)"
        + (rules.isEmpty ? "" : ", " + rules.joined(separator: ", ")) + ".\n")
    parts.add(
      .guide, rank: 14, "<details><summary>How to read this</summary>\n\n", [lines.joined()],
      "\n</details>\n")
  }
}
