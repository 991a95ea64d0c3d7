internal import ManagedModels
internal import SchemaEvolution
internal import SchemaModel
internal import SchemaRendering
internal import SchemaReporting

/// What is folded.
extension PullRequestComment {
  /// Findings that are no errors, with what helps.
  func addFindings(to parts: inout CommentParts) {
    let findings = folders.flatMap(\.report.findings).filter { $0.severity != .error }
    parts.add(
      .finding, rank: 11,
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
    for report in folders.map(\.report) {
      let place = folders.count > 1 ? code(report.path) + " " : ""
      lines += report.edits.map { version, element, words in
        "- \(place)\(version.name) \(code(element, 200)): \(text(words, 600))\n"
      }
    }
    parts.add(
      .edit, rank: 12,
      "<details><summary>\(counted(lines.count, "edit")) of drafts since the base</summary>\n\n"
        + "The tables above show each step as a whole, as it is now. These parts of it are other than in the base:\n\n",
      lines, "\n</details>\n")
  }
}
