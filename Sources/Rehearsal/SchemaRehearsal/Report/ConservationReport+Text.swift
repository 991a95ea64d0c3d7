internal import RehearsalHarness
internal import SchemaModel
internal import SchemaReporting

extension ConservationReport {
  /// The report for a terminal: one line for each path, then details, without the headline.
  func text() -> String {
    var text =
      tabled.isEmpty
      ? ""
      : table(
        ["path"] + Self.columns, tabled.map { ($0.failures.isEmpty, [name($0)] + cells($0)) })
    if !storeRows.isEmpty {
      text += (text.isEmpty ? "" : "\n") + table(Self.storeColumns, storeRows)
    }
    for path in steps { text += details(path) }
    text += fallbackText()
    text += failureText()
    let limits = result.limits + storeLimits
    if !limits.isEmpty {
      text += "\nnot shown:\n" + limits.map { terminal.fitted("  \($0)") + "\n" }.joined()
    }
    // Without a table the first part would begin with an empty line.
    return (text + "\n" + totalText()).trimmingPrefix("\n").description
  }

  // MARK: Table

  private func table(_ heads: [String], _ all: [(isGood: Bool, cells: [String])]) -> String {
    // Columns in which nothing ever happens only push the others apart.
    let rows = all.map(\.cells)
    let shown = heads.indices.filter { column in
      column == 0 || rows.contains { !["·", "", "–"].contains($0[column]) }
    }
    let lines = ([heads] + rows).map { row in shown.map { row[$0] } }
    let columns = TextColumns(lines, rightAlignedFrom: 1, on: terminal, indent: 2)
    return columns.groups.map { group in
      let padded = lines.map { line in
        let cells = columns.padded(line)
        return group.map { cells[$0] }.joined(separator: "  ")
      }
      var text = "  " + styled(padded[0], .faint) + "\n"
      for (isGood, line) in zip(all.map(\.isGood), padded.dropFirst()) {
        text += styled(isGood ? "✓ " : "✗ ", isGood ? .green : .boldRed) + line + "\n"
      }
      return text
    }.joined(separator: "\n")
  }

  // MARK: Details

  private func details(_ path: PathResult) -> String {
    let interesting = path.entities.filter { !notes($0).isEmpty }
    guard !interesting.isEmpty else { return "" }
    var text = "\n" + styled("\(name(path))", .bold) + "\n"
    for entity in interesting {
      text += "  \(title(entity)): \(rows(ConservationTotals(entity))) rows\n"
      text += notes(entity).map { terminal.fitted("    \($0)") + "\n" }.joined()
    }
    return text
  }

  /// The fallbacks on every path: those of a path of several versions are not the sum of its steps'.
  private func fallbackText() -> String {
    let paths = result.paths.filter { !tallies($0).isEmpty }
    guard !paths.isEmpty else { return "" }
    return "\nfallbacks:\n"
      + paths.map { path in
        "  \(name(path))\n" + fallbacks(path).map { terminal.fitted("    \($0)") + "\n" }.joined()
      }.joined()
  }

  private func failureText() -> String {
    guard !failures.isEmpty else { return "" }
    var text = "\n"
    for failure in failures {
      let (place, kind) = ("\(place(failure)): ", failure.kind.rawValue)
      let isShort = terminal.width.map { (place + kind).width <= $0 } ?? true
      text +=
        (isShort ? styled(place, .bold) : terminal.fitted(place, .bold) + "\n  ")
        + styled(kind, .boldRed) + "\n"
      for (name, value) in [
        ("expected", failure.expected), ("found", failure.found), ("note", failure.note),
      ] {
        guard let value, !value.isEmpty else { continue }
        let room = terminal.width.map { max(20, $0 - 13) } ?? .max
        let lines = value.split(separator: "\n", omittingEmptySubsequences: false)
          .flatMap { $0.visible.wrapped(to: room) }
        let label = name + ":" + String(repeating: " ", count: 10 - name.count)
        let indent = "\n  " + String(repeating: " ", count: label.count)
        text += "  \(styled(label, .faint))\(lines.joined(separator: indent))\n"
      }
    }
    return text
  }

  private func totalText() -> String {
    let totals = totals
    let values = [
      (totals.preserved, "preserved"), (totals.converted, "converted"),
      (totals.defaulted, "defaulted"), (totals.filled, "filled"), (totals.new, "new"),
      (totals.dropped - totals.unconfirmed, "dropped, with a reason"),
      (totals.unconfirmed, "dropped, unconfirmed"), (totals.failed, "wrong"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let seconds = Int((result.seconds * 10).rounded())
    let memory = result.paths.compactMap(\.peakMemory).max().map {
      ", at most \(($0 + 0x8_0000) / 0x10_0000) MiB in a migration"
    }
    return terminal.fitted(
      "all paths together: \(counted(totals.rows, "row")); values: "
        + (values.isEmpty ? "none" : values.joined(separator: ", "))
        + "; \(seconds / 10).\(seconds % 10) s\(memory ?? "")") + "\n"
  }

  private func styled(_ text: String, _ style: TerminalText.Style) -> String {
    terminal.styled(text, style)
  }
}
