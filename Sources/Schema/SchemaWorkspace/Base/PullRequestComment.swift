internal import SchemaEvolution
internal import SchemaModel
internal import SchemaReporting

/// One Markdown comment in a pull request, for a reviewer who does not know SwiftData's rules.
///
/// GitHub allows 65,536 characters. What does not fit is left out, folded details first, and the comment says so.
/// Names, reasons and paths are untrusted: they cannot add markup or mention anyone.
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
    /// Whether the file is a store, or was meant to be a store.
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
  let steps: [[ChangedStep]]
  /// The number of stores, including those that cannot be measured; nil if stores were not requested.
  let storeCount: Int?

  /// - Parameters:
  ///   - command: The user's command, without `--format`.
  ///   - unmeasured: The files that could not be measured; nil if stores were not requested.
  package init(_ folders: [Folder], command: String, unmeasured: [Unmeasured]? = nil) {
    self.folders = folders
    self.command = command
    self.unmeasured = unmeasured ?? []
    steps = folders.map(ChangedStep.all)
    storeCount = unmeasured.map { files in
      Set(folders.flatMap(\.measurements).map(\.store)).count + files.count(where: \.isStore)
    }
  }

  package var gravestOutcome: RowMeasurements.Outcome? {
    steps.joined().flatMap(\.lines).compactMap(\.measured?.outcome).max()
  }

  /// The comment's text, with at most `limit` bytes.
  package func render(limit: Int = PullRequestComment.limit) -> String {
    let base = text(folders.first?.report.base.name ?? "", 200)
    guard !isQuiet else {
      let since: Inline = folders.isEmpty ? "" : " since \(base)"
      let quiet: Document = [
        .paragraph("✅ The schema has not changed\(since): nothing happens to stored data.")
      ]
      return quiet.markdown + "\n"
    }
    let findings = folders.flatMap(\.report.findings).map(shortened)
    let errors = findings.filter { $0.severity == .error }
    let others = findings.filter { $0.severity != .error }
    var document = FittedDocument()
    document.add("verdict", verdicts.map { (0, $0) }) { lines in
      [lines.count == 1 ? .paragraph(lines[0]) : .lines(lines, .bullets)]
    }
    document.add("error", errors.enumerated().map { ($0 < 10 ? 1 : 8, $1) }) { errors in
      let resolve: Inline =
        "\("Errors", .strong), which the author has to resolve before this can be merged:"
      return [.paragraph(resolve), .findings(errors)]
    }
    for (folder, steps) in zip(folders, steps) { add(steps, of: folder.report, to: &document) }
    addStores(to: &document)
    document.add("finding", others.map { (9, $0) }) { shown in
      let verb = others.count == 1 ? "does" : "do"
      return [
        .folded("\(counted(others.count, "finding")) that \(verb) not block", [.findings(shown)])
      ]
    }
    let edits = folders.flatMap { folder in
      folder.report.edits.map { "\(place(folder.report, " "))\(text($0, 800))" as Inline }
    }
    document.add("edit", edits.map { (10, $0) }) { shown in
      [
        .folded(
          "\(counted(edits.count, "edit")) of drafts since the base", [.lines(shown, .bullets)])
      ]
    }
    let page: Inline =
      "\("How to read this", to: Basis.documentation + "gate.md#a-comment-in-a-pull-request")"
    let command = command.utf8.count > 600 ? "schemagen diff --against …" : command
    return document.markdown(limit) { parts, left in
      let missing: Document =
        left.isEmpty
        ? []
        : [
          .paragraph(
            "\("Not everything fits in a comment.", .strong) Left out: \(left.joined(separator: ", ")). To see it, run \(code: command)"
          )
        ]
      return [.heading("What this change does to stored data")] + parts[0] + missing
        + parts.dropFirst().joined() + [
          .paragraph("Compared with \(base) by \(code: "schemagen diff"). \(page).")
        ]
    }
  }

  private func shortened(_ finding: Diagnostic) -> Diagnostic {
    var finding = finding
    finding.message = finding.message.shortened(toBytes: 600)
    if let file = finding.location?.file {
      finding.location?.file = file.shortened(toBytes: 300)
    }
    finding.help = finding.help.prefix(6).map { $0.shortened(toBytes: 1_000) }
    finding.related = finding.related.prefix(5).map { related in
      var related = related
      related.message = related.message.shortened(toBytes: 300)
      related.location.file = related.location.file.shortened(toBytes: 300)
      return related
    }
    return finding
  }

  // MARK: Words

  /// The path of the report's folder, followed by `end`. Empty if there is only one folder.
  func place(_ report: BaseReport, _ end: Inline) -> Inline {
    folders.count > 1 ? code(report.path) + end : ""
  }

  func text(_ text: String, _ limit: Int) -> Inline { Inline(text.shortened(toBytes: limit)) }

  func code(_ text: some CustomStringConvertible, _ limit: Int = 200) -> Inline {
    .code(text.description.shortened(toBytes: limit))
  }
}

extension String {
  fileprivate func shortened(toBytes limit: Int) -> String {
    utf8.count > limit ? self[..<utf8.index(startIndex, offsetBy: limit)] + "…" : self
  }
}
