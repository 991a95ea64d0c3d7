internal import SchemaEvolution
internal import SchemaModel
internal import SchemaReporting

/// One Markdown comment in a pull request, for a reviewer who has never heard of SwiftData's rules.
///
/// GitHub takes 65,536 characters. What does not fit is left out, folded details first, and the comment says so. Names,
/// reasons and paths are untrusted: nothing in them is markup, and nobody is mentioned.
package struct PullRequestComment: Sendable {
  /// A folder of manifests, and the stores' measurements of its changes.
  package struct Folder: Sendable {
    package var report: BaseReport
    package var measurements: [RowMeasurements]

    package init(_ report: BaseReport, measurements: [RowMeasurements] = []) {
      self.report = report
      self.measurements = measurements
    }
  }

  /// A file among the stores that could not be measured.
  package struct Unmeasured: Sendable {
    package var name: String
    /// The reason as a clause: `it matches none of the versions`.
    package var reason: String
    /// Whether it is a store, or was meant to be one.
    package var isStore: Bool

    package init(name: String, reason: String, isStore: Bool) {
      self.name = name
      self.reason = reason
      self.isStore = isStore
    }
  }

  /// GitHub's limit, minus room for the marker of the job that writes the comment.
  package static let limit = 65_536 - 400

  let folders: [Folder]
  let unmeasured: [Unmeasured]
  let command: String
  /// The changed steps of each folder, in the folders' order.
  let steps: [[ChangedStep]]
  /// The number of stores, including those that cannot be measured; nil if stores were not requested.
  let storeCount: Int?

  /// - Parameters:
  ///   - command: The user's command, without `--format`.
  ///   - unmeasured: Files among the stores that were not measured; nil if stores were not requested.
  package init(_ folders: [Folder], command: String, unmeasured: [Unmeasured]? = nil) {
    self.folders = folders
    self.command = command
    self.unmeasured = unmeasured ?? []
    steps = folders.map(ChangedStep.all)
    storeCount = unmeasured.map { files in
      Set(folders.flatMap(\.measurements).map(\.store)).count + files.count(where: \.isStore)
    }
  }

  /// The gravest outcome that stores show for the changed steps; nil if none was measured.
  package var gravestOutcome: RowMeasurements.Outcome? {
    steps.joined().flatMap(\.lines).compactMap(\.measured?.outcome).max()
  }

  /// The comment's text, with at most `limit` bytes.
  package func render(limit: Int = PullRequestComment.limit) -> String {
    guard !isQuiet else {
      let base = folders.first.map { " since \(text($0.report.base.name, 200))" } ?? ""
      return "✅ The schema has not changed\(base): nothing happens to stored data.\n\n"
    }
    var parts = CommentParts()
    addVerdicts(to: &parts)
    let findings = folders.flatMap(\.report.findings)
    let errors = findings.filter { $0.severity == .error }
    parts.add(
      "error", "**Errors**, which the author has to resolve before this can be merged:\n",
      errors.enumerated().map { .init(rank: $0 < 10 ? 1 : 8, text: details(of: $1)) })
    for (folder, steps) in zip(folders, steps) { add(steps, of: folder.report, to: &parts) }
    addStores(to: &parts)
    let others = findings.filter { $0.severity != .error }
    parts.add(
      "finding",
      "<details><summary>\(counted(others.count, "finding")) that do\(others.count == 1 ? "es" : "") not block</summary>\n",
      others.map { .init(rank: 9, text: details(of: $0)) }, "\n</details>\n")
    let edits = folders.flatMap { folder in
      folder.report.edits.map { "- \(place(folder.report, " "))\(text($0, 800))\n" }
    }
    parts.add(
      "edit",
      "<details><summary>\(counted(edits.count, "edit")) of drafts since the base</summary>\n\n",
      edits.map { .init(rank: 10, text: $0) }, "\n</details>\n")
    let heading = "## What this change does to stored data\n\n"
    let page = "[How to read this](\(Basis.documentation)gate.md#a-comment-in-a-pull-request)"
    let base = text(folders.first?.report.base.name ?? "", 200)
    let footer =
      "<sub>Compared with \(base) by <code>schemagen diff</code>. \(page).</sub>\n"
    // Kept free for the sentence that says what is missing.
    let (texts, left) = parts.fit(limit - heading.utf8.count - footer.utf8.count - 1_000)
    let command = command.utf8.count > 600 ? "schemagen diff --against …" : command
    let missing =
      left.isEmpty
      ? ""
      : "> **Not everything fits in a comment.** Left out: \(left.joined(separator: ", ")). To see it, run "
        + "\(MarkdownText.code(command))\n\n"
    return heading + (texts.first ?? "") + missing + texts.dropFirst().joined() + footer
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

  // MARK: Words

  /// The report's folder if there are several, with `end` after it.
  func place(_ report: BaseReport, _ end: String) -> String {
    folders.count > 1 ? code(report.path) + end : ""
  }

  func text(_ text: String, _ limit: Int) -> String {
    MarkdownText.text(text.shortened(to: limit))
  }

  func code(_ text: String, _ limit: Int = 200) -> String {
    MarkdownText.code(text.shortened(to: limit))
  }
}
