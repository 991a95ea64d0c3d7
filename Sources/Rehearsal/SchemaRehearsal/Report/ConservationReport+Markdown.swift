internal import RehearsalHarness
internal import SchemaModel
internal import SchemaReporting

extension ConservationReport {
  /// For a pull request, or to be kept beside a release.
  func markdown() -> String {
    var text = "# Conservation report\n\n\(result.isSuccess ? "✅" : "❌") \(escaped(headline)).\n"
    if !failures.isEmpty {
      let rows = failures.map { failure in
        [
          place(failure), failure.kind.rawValue, failure.expected ?? "", failure.found ?? "",
          failure.note ?? "",
        ].map(cell)
      }
      text += "\n## Failures\n\n"
      text += MarkdownText.table(["Where", "What", "Expected", "Found", "Note"], rows)
    }
    if !tabled.isEmpty {
      let rows = tabled.map { [$0.failures.isEmpty ? "✅" : "❌", name($0)] + cells($0) }
      text += "\n## Paths\n\n"
      text += MarkdownText.table(["", "Path"] + Self.columns, rows, rightAlignedFrom: 2)
      text += "\nThe numbers count rows, then values; `–` was not checked.\n"
    }
    if !storeRows.isEmpty {
      let rows = storeRows.map { [$0.isGood ? "✅" : "❌"] + $0.cells.map(cell) }
      text += "\n## Stores\n\n"
      text += MarkdownText.table(
        [""] + Self.storeColumns.map { $0.prefix(1).uppercased() + $0.dropFirst() }, rows,
        rightAlignedFrom: 3)
    }
    for path in steps { text += details(path) }
    let paths = result.paths.filter { !tallies($0).isEmpty }
    if !paths.isEmpty {
      let rows = paths.map { path in
        [name(path), fallbacks(path).map(cell).joined(separator: "<br>")]
      }
      text += "\n## Fallbacks\n\n" + MarkdownText.table(["Path", "Values"], rows)
    }
    let reasons = skipped + result.limits + storeLimits
    if !reasons.isEmpty {
      text += "\n## Not shown\n\n"
      text += reasons.map { "- \(escaped($0))\n" }.joined()
    }
    return text
  }

  private func details(_ path: PathResult) -> String {
    guard !path.entities.isEmpty else { return "" }
    let lines = path.entities.map { entity in
      let notes = notes(entity)
      let what = notes.isEmpty ? "unchanged" : notes.map(cell).joined(separator: "<br>")
      return [cell(title(entity)), rows(ConservationTotals(entity)), what]
    }
    return "\n## \(name(path))\n\n"
      + MarkdownText.table(["Model", "Rows", "What happened"], lines)
  }

  /// Why checks were left out, with the paths.
  private var skipped: [String] {
    var paths: [String: [String]] = [:]
    for path in result.paths {
      for (check, outcome) in path.checks {
        guard case .skipped(let reason) = outcome else { continue }
        paths["\(check): \(reason)", default: []].append("\(name(path))")
      }
    }
    return paths.keys.sorted().map { "\($0) (\(counted(paths[$0]!.count, "path")))" }
  }

  private func cell(_ text: String) -> String {
    text.split(separator: "\n").map { escaped(String($0)) }.joined(separator: "<br>")
  }

  private func escaped(_ text: String) -> String {
    MarkdownText.escaped(text)
  }
}
