internal import SchemaEvolution
internal import SchemaModel
internal import SchemaReporting

/// One Markdown comment in a pull request, for a reviewer who has never heard of SwiftData's rules.
///
/// GitHub takes 65,536 characters. What does not fit is left out, folded details first, and the comment says so. Names,
/// reasons and paths are anyone's: nothing in them is markup, and nobody is mentioned.
package struct PullRequestComment: Sendable {
  /// A folder of manifests, and what stores say of the changes in it.
  package struct Folder: Sendable {
    package var report: BaseReport
    package var measurements: [RowMeasurements]

    package init(_ report: BaseReport, measurements: [RowMeasurements] = []) {
      self.report = report
      self.measurements = measurements
    }
  }

  /// A file among the stores that has nothing to say of the changes.
  package struct Unmeasured: Sendable {
    package var name: String
    /// As a clause: `it matches none of the versions`.
    package var reason: String
    /// Whether it is a store, or was meant to be one.
    package var isStore: Bool

    package init(name: String, reason: String, isStore: Bool) {
      self.name = name
      self.reason = reason
      self.isStore = isStore
    }
  }

  /// GitHub's limit, less what a marker of the job that writes the comment may have.
  package static let limit = 65_536 - 400

  let folders: [Folder]
  let unmeasured: [Unmeasured]
  let command: String
  /// The folders' steps that changed, in the same order.
  let steps: [[ChangedStep]]
  /// How many stores there are, also such as cannot be measured; nil where nobody asked.
  let storeCount: Int?

  /// - Parameters:
  ///   - command: What the user ran, without `--format`.
  ///   - unmeasured: What lies among the stores and was not measured; nil where nobody asked for stores.
  package init(_ folders: [Folder], command: String, unmeasured: [Unmeasured]? = nil) {
    self.folders = folders
    self.command = command
    self.unmeasured = unmeasured ?? []
    steps = folders.map(ChangedStep.all)
    storeCount = unmeasured.map { files in
      Set(folders.flatMap(\.measurements).map(\.store)).count + files.count(where: \.isStore)
    }
  }

  /// The gravest of what the stores' rows say of the steps that changed; nil where none was measured.
  package var gravestOutcome: RowMeasurements.Outcome? {
    steps.joined().flatMap(\.lines).compactMap(\.measured?.outcome).max()
  }

  /// The comment's text, with at most so many bytes.
  package func render(limit: Int = PullRequestComment.limit) -> String {
    var parts = CommentParts()
    addVerdicts(to: &parts)
    addErrors(to: &parts)
    for (folder, steps) in zip(folders, steps) { add(steps, of: folder.report, to: &parts) }
    addStores(to: &parts)
    for folder in folders { addPlan(of: folder.report, to: &parts) }
    addNext(to: &parts)
    addFindings(to: &parts)
    addEdits(to: &parts)
    let heading = isQuiet ? "" : "## What this change does to stored data\n\n"
    let footer = self.footer
    // Kept free for the sentence that says what is missing.
    let room = limit - heading.utf8.count - footer.utf8.count - 1_200
    let (texts, left) = parts.fit(room)
    return heading + (texts.first ?? "") + missing(left) + texts.dropFirst().joined() + footer
  }

  /// What is left out, and the command that shows it; one for each store.
  func missing(_ left: [CommentParts.Left]) -> String {
    guard let last = left.last?.words else { return "" }
    let list =
      left.count == 1
      ? last : left.dropLast().map(\.words).joined(separator: ", ") + " and " + last
    let diff = command.utf8.count > 600 ? "schemagen diff --against …" : command
    let ways =
      [MarkdownText.code(diff)]
      + (left.contains { $0.kind == .store } ? ["`schemagen diff --store FILE`"] : [])
    return
      "> **Not everything fits in a comment.** Left out: \(list). To see it, run \(ways.joined(separator: ", or "))\n\n"
  }

  private var footer: String {
    let bases = folders.map(\.report.base.name)
    guard !isQuiet, let base = bases.first else { return "" }
    let page = "[How to read this](\(Basis.documentation)gate.md#a-comment-in-a-pull-request)"
    return "<sub>Compared with \(text(base, 200)) by <code>schemagen diff</code>. \(page).</sub>\n"
  }

  // MARK: Words

  func text(_ text: String, _ limit: Int) -> String {
    MarkdownText.text(text.shortened(to: limit))
  }

  func code(_ text: String, _ limit: Int = 200) -> String {
    MarkdownText.code(text.shortened(to: limit))
  }
}
