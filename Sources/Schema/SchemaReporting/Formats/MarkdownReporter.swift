package import SchemaModel

/// Writes a table of findings and, folded, their remedies, for `$GITHUB_STEP_SUMMARY`.
struct MarkdownReporter {
  let report: Report
  /// The most bytes of the report. GitHub refuses a step's summary with more than a mebibyte.
  var limit = 1_048_576

  func render() -> String {
    let documentation = Dictionary(
      uniqueKeysWithValues: report.rules.map { ($0.id, $0.documentation) })
    var text = "## schemagen: \(headline)\n"
    // Kept free for the closing tag and the sentence that says what is missing.
    let room = limit - 256
    var missing = 0
    var size = text.utf8.count

    /// Adds as many blocks as fit, in order, below a heading.
    func add(_ blocks: some Sequence<String>, below heading: String) {
      text += heading
      size += heading.utf8.count
      var isFull = false
      for block in blocks {
        isFull = isFull || size + block.utf8.count > room
        if isFull {
          missing += 1
        } else {
          text += block
          size += block.utf8.count
        }
      }
    }

    guard !report.findings.isEmpty else { return text }
    add(
      report.findings.lazy.map { row($0, documentation: documentation[$0.rule.id] ?? nil) },
      below: "\n" + MarkdownText.table(["Severity", "Rule", "Element", "Place", "Message"], []))
    let missingRows = missing
    let detailed = report.findings.filter { !$0.help.isEmpty || !$0.related.isEmpty }
    if !detailed.isEmpty, missing == 0 {
      add(
        detailed.lazy.map {
          MarkdownText.details(
            of: $0, page: documentation[$0.rule.id] ?? nil, path: report.relativePath)
        },
        below: "\n<details>\n<summary>What to do</summary>\n")
      text += "\n</details>\n"
    }
    if missing > 0 {
      let what = missingRows > 0 ? "of the findings" : "of the ways out"
      text += "\n**\(missing) \(what) did not fit here.** A text report shows them all.\n"
    }
    return text
  }

  private var headline: String {
    let parts = [
      (report.count(.error), "error", "errors"), (report.count(.warning), "warning", "warnings"),
      (report.count(.note), "note", "notes"),
      (report.accepted.count, "accepted", "accepted"),
    ]
    let shown = parts.compactMap { count, one, many in
      count == 0 ? nil : "\(count) \(count == 1 ? one : many)"
    }
    return report.findings.isEmpty
      ? (["no findings"] + shown).joined(separator: ", ") : shown.joined(separator: ", ")
  }

  private func row(_ finding: Diagnostic, documentation: String?) -> String {
    let cells = [
      "\(mark(of: finding.severity)) \(finding.severity.rawValue)",
      MarkdownText.rule(finding, documentation),
      finding.element.map(MarkdownText.code) ?? "",
      finding.location.map(place) ?? "",
      MarkdownText.text(finding.message),
    ]
    return "| \(cells.joined(separator: " | ")) |\n"
  }

  private func place(_ location: SourceLocation) -> String {
    MarkdownText.place(location, path: report.relativePath)
  }

  private func mark(of severity: Diagnostic.Severity) -> String {
    switch severity {
    case .note: "ℹ️"
    case .warning: "⚠️"
    case .error: "❌"
    }
  }
}

extension MarkdownText {
  /// A location as code: `V9.yaml:7:5`.
  package static func place(_ location: SourceLocation, path: (String) -> String = { $0 }) -> String
  {
    code("\(path(location.file)):\(location.line):\(location.column)")
  }

  /// A finding's rule, as a link if it has a page.
  fileprivate static func rule(_ finding: Diagnostic, _ page: String?) -> String {
    let id = text(finding.rule.id)
    return page.map { "[\(id)](\(target($0)))" } ?? id
  }

  /// A finding with its related places and its remedies.
  ///
  /// - Parameters:
  ///   - page: The page of its rule; nil for a rule without one.
  ///   - path: Maps a location's path to the one to show.
  package static func details(
    of finding: Diagnostic, page: String?, path: (String) -> String = { $0 }
  ) -> String {
    var text = "\n**\(rule(finding, page))**"
    if let location = finding.location { text += " " + place(location, path: path) }
    text += ": \(self.text(finding.message))\n"
    if !finding.related.isEmpty { text += "\n" }
    for related in finding.related {
      text += "- \(place(related.location, path: path)): \(self.text(related.message))\n"
    }
    // As code: many ways out are lines to be copied.
    for help in finding.help { text += "\n" + block(help) }
    return text
  }
}
