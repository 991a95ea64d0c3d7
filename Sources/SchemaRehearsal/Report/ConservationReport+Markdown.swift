internal import RehearsalHarness

extension ConservationReport {
  /// For a pull request, or to be kept beside a release.
  func markdown() -> String {
    var text = "# Conservation report\n\n\(result.isSuccess ? "✅" : "❌") \(escaped(headline)).\n"
    if !failures.isEmpty {
      text += "\n## Failures\n\n| Where | What | Expected | Found | Note |\n|---|---|---|---|---|\n"
      for failure in failures {
        let cells = [
          place(failure), failure.kind.rawValue, failure.expected ?? "", failure.found ?? "",
          failure.note ?? "",
        ]
        text += "| \(cells.map(cell).joined(separator: " | ")) |\n"
      }
    }
    if !result.paths.isEmpty {
      text += "\n## Paths\n\n| | Path | \(Self.columns.joined(separator: " | ")) |\n"
      text += "|---|---|" + Self.columns.map { _ in "---:|" }.joined() + "\n"
      for path in result.paths {
        let mark = path.failures.isEmpty ? "✅" : "❌"
        text +=
          "| \(mark) | \(name(path)) | \(cells(path).joined(separator: " | ")) |\n"
      }
      text += "\nNumbers are of rows, then of values; `–` was not looked at.\n"
    }
    for path in steps { text += details(path) }
    let reasons = skipped
    if !reasons.isEmpty || !result.limits.isEmpty {
      text += "\n## Not shown\n\n"
      text += (reasons + result.limits).map { "- \(escaped($0))\n" }.joined()
    }
    return text
  }

  private func details(_ path: PathResult) -> String {
    guard !path.entities.isEmpty else { return "" }
    var text =
      "\n## \(name(path))\n\n| Model | Rows | What became of it |\n|---|---|---|\n"
    for entity in path.entities {
      let notes = notes(entity)
      let what = notes.isEmpty ? "all as it was" : notes.map(cell).joined(separator: "<br>")
      text +=
        "| \(cell(title(entity))) | \(rows(ConservationTotals(entity))) | \(what) |\n"
    }
    return text
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
    return paths.keys.sorted().map { "\($0) (\(count(paths[$0]!.count, "path")))" }
  }

  private func cell(_ text: String) -> String {
    escaped(text).replacing("\n", with: "<br>")
  }

  private func escaped(_ text: String) -> String {
    String(text.flatMap { "\\`*_[]<>|#".contains($0) ? ["\\", $0] : [$0] })
  }
}
