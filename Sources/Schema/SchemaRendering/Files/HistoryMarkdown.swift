package import SchemaEvolution
internal import SchemaModel
internal import SchemaReporting

/// The history in Markdown, for people: `MIGRATIONS.md`, and each step alone.
package enum HistoryMarkdown {
  /// A change, and a further remark on it, as a sentence in Markdown.
  package typealias Line = (change: SchemaChange, remark: String?)

  /// The file of the whole history; nil if the configuration does not ask for one.
  static func file(_ evolution: Evolution) -> GeneratedFile? {
    guard let path = evolution.configuration.documentation else { return nil }
    let rows = evolution.history.indices.reversed().map { index in
      let version = evolution.history[index]
      let changes = index == 0 ? "initial version" : "\(evolution.steps[index - 1].changes.count)"
      return [
        version.number.name, MarkdownText.escaped(version.summary ?? ""), changes,
        evolution.way(to: index),
      ]
    }
    let head = "<!-- \(FileMark.everyManifest) -->\n\n# Migrations\n\n## Version history\n\n"
    let steps = evolution.steps.reversed().map { step in
      "\n" + self.step(step, step.changes.map { ($0, nil) }, evolution)
    }
    return GeneratedFile(
      kind: .documentation, path: path,
      contents: head + MarkdownText.table(["Version", "Summary", "Changes", "How"], rows)
        + steps.joined())
  }

  /// A step in Markdown: what changes and why, its stages, and where values go.
  package static func step(_ step: VersionStep, _ lines: [Line], _ evolution: Evolution) -> String {
    let new = step.new
    let names = (step.old.number.name, new.number.name)
    let summary = new.summary.map { ": \(MarkdownText.escaped($0))" } ?? ""
    var text = "## \(names.0) → \(names.1)\(summary)\n\n"
    text += lines.map { "- \(sentences($0))\n" }.joined()
    if lines.isEmpty { text += "No change that a manifest describes.\n" }
    for stage in step.stages {
      let kind = stage.isCustom ? "custom" : stage.isBarrier ? "a barrier stage" : "lightweight"
      text += "\n`\(stage.name(in: step))`: \(kind).\n"
      if stage.isBarrier { text += "\n\(StopReason.text(stage))\n" }
    }
    guard !step.routes.isEmpty else { return text }
    let routes = step.routes.map { route in
      let fallback =
        switch route.fallback {
        case .value(let value): MarkdownText.span(value).replacing("|", with: "\\|")
        case .dropped(let word): MarkdownText.escaped("dropped: \(word.text)")
        case nil: ""
        }
      return [route.from, route.to].map { $0.map { "`\($0)`" } ?? "(none)" } + [fallback]
    }
    return text + "\n"
      + MarkdownText.table(["\(names.0) field", "\(names.1) field", "Fallback"], routes)
  }

  /// What a change is, what becomes of values, and why.
  ///
  /// - Parameter showsBasis: Whether its rule and that rule's basis are included; else what becomes of values has
  ///   a line of its own.
  package static func sentences(_ line: Line, showsBasis: Bool = true) -> String {
    let change = line.change
    let detail = change.detail.isEmpty ? "" : " (\(MarkdownText.span(change.detail)))"
    let basis = change.classification.basis
    let acknowledgement =
      switch change.acknowledgement {
      case .reason(let reason): " Dropped because: \(MarkdownText.escaped(reason))."
      case .unconfirmed: " **Unconfirmed**: nobody has confirmed that it may go."
      case nil: ""
      }
    return
      "**`\(change.element)`**\(detail): \(change.classification.title).\(showsBasis ? " " : "\n")"
      + "*\(change.mechanism.rawValue), values \(change.effect.rawValue)*: "
      + MarkdownText.escaped(change.reason)
      + (showsBasis
        ? " (`\(change.ruleID)`, \(basis.markdown(docs: Basis.documentation)), \(basis.mark.rawValue))"
        : "") + ".\(acknowledgement)"
      + (line.remark.map { " \($0)" } ?? "")
  }
}
