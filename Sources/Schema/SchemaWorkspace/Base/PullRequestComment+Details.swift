internal import SchemaEvolution
internal import SchemaModel
internal import SchemaReporting

/// What was found, and what is folded.
extension PullRequestComment {
  // MARK: Findings

  func addErrors(to parts: inout CommentParts) {
    let errors = folders.flatMap(\.report.errors)
    parts.add(
      CommentParts.Part(
        kind: .error,
        opening: "**Errors**, which the author has to resolve before this can be merged:\n",
        items: errors.enumerated().map { index, error in
          CommentParts.Item(rank: index < 10 ? 1 : 8, text: details(of: error))
        }))
  }

  func addFindings(to parts: inout CommentParts) {
    let findings = folders.flatMap(\.report.findings).filter { $0.severity != .error }
    parts.add(
      .finding, rank: 11,
      "<details><summary>\(counted(findings.count, "finding")) that do\(findings.count == 1 ? "es" : "") not block</summary>\n",
      findings.map(details), "\n</details>\n")
  }

  private func details(of finding: Diagnostic) -> String {
    func shortened(_ location: SourceLocation) -> SourceLocation {
      var location = location
      location.file = location.file.shortened(to: 300)
      return location
    }
    var finding = finding
    finding.message = finding.message.shortened(to: 600)
    finding.location = finding.location.map(shortened)
    finding.help = finding.help.prefix(6).map { $0.shortened(to: 1_000) }
    finding.related = finding.related.prefix(5).map {
      Diagnostic.Related($0.message.shortened(to: 300), at: shortened($0.location))
    }
    return MarkdownText.details(
      of: finding, page: "\(Basis.documentation)rules/\(finding.rule.id).md")
  }

  /// What the pull request edits in drafts: the tables show the whole steps as they are now.
  func addEdits(to parts: inout CommentParts) {
    var lines: [String] = []
    for report in folders.map(\.report) {
      let place = folders.count > 1 ? code(report.path) + " " : ""
      lines += report.edits.map { "- \(place)\(text($0, 800))\n" }
    }
    parts.add(
      .edit, rank: 12,
      "<details><summary>\(counted(lines.count, "edit")) of drafts since the base</summary>\n\n"
        + "The tables above show each step as a whole, as it is now. These parts of it are other than in the base:\n\n",
      lines, "\n</details>\n")
  }
}
