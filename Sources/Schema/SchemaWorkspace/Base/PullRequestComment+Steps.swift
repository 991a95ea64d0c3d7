internal import SchemaEvolution
internal import SchemaModel
internal import SchemaRendering
internal import SchemaReporting

/// What a step does, and what somebody has to do about it.
extension PullRequestComment {
  func add(_ steps: [ChangedStep], of report: BaseReport, to parts: inout CommentParts) {
    for step in steps where !step.lines.isEmpty {
      let place = folders.count > 1 ? code(report.path) + " " : ""
      let summary = step.summary.map { ": " + text($0, 200) } ?? ""
      let way = step.way.map { "*\($0)*\n\n" } ?? ""
      parts.add(
        CommentParts.Part(
          kind: .change,
          opening: "### \(place)\(step.number.name)\(summary)\n\n\(way)"
            + MarkdownText.table(heads, []),
          items: step.lines.map { CommentParts.Item(rank: rank($0), text: row($0, step, report)) }))
      addDiagram(of: step, to: &parts)
    }
  }

  private func addDiagram(of step: ChangedStep, to parts: inout CommentParts) {
    guard let own = step.step, !own.routes.isEmpty else { return }
    let diagram = MermaidDiagram.step(own)
    parts.add(
      CommentParts.Part(
        kind: .diagram,
        items: diagram.map {
          [CommentParts.Item(rank: 10, text: "Where the values go:\n\n```mermaid\n\($0)```\n")]
        } ?? [],
        impossible: diagram == nil ? 1 : 0))
  }

  var heads: [String] {
    ["Data", "Element", "Change", "What happens to users' rows"]
      + (storeCount.map { ["In \(counted($0, "store"))"] } ?? []) + ["Action required"]
  }

  func rank(_ line: ChangedStep.Line) -> Int {
    line.isGrave ? 3 : 3 + (DataEffect.gravestFirst.firstIndex(of: line.change.effect) ?? 0)
  }

  func row(
    _ line: ChangedStep.Line, _ step: ChangedStep, _ report: BaseReport
  ) -> String {
    let change = line.change
    let effect = change.effect.rawValue
    let detail = change.detail.isEmpty ? "" : ": " + code(change.detail, 300)
    var cells = [
      change.effect.isRisky ? "**\(effect)**" : effect, code(change.element.description, 200),
      text(change.classification.title, 300) + detail, text(change.reason, 300),
    ]
    if storeCount != nil { cells.append(line.measured.map(words) ?? "–") }
    cells.append(action(line, step, report).text)
    return "| \(cells.joined(separator: " | ")) |\n"
  }

  func words(_ measured: ChangedStep.Measured) -> String {
    let outcome = measured.outcome.rawValue
    let rows = measured.rows.map { ": \(counted($0, "row")) in" } ?? " in"
    return
      "\(measured.outcome >= .acknowledged ? "**\(outcome)**" : outcome)\(rows) \(counted(measured.stores, "store"))"
  }

  /// What somebody has to do before a change may be released.
  struct Action {
    enum Person: String, CaseIterable { case author, reviewer }

    /// Nil for nobody.
    var person: Person?
    var isDuty = false
    /// In Markdown.
    var words = ""

    static func must(_ person: Person, _ words: String) -> Action {
      Action(person: person, isDuty: true, words: words)
    }

    static func should(_ person: Person, _ words: String) -> Action {
      Action(person: person, words: words)
    }

    var text: String {
      guard let person else { return "nobody" }
      return isDuty
        ? "**\(person.rawValue) must:** \(words)" : "\(person.rawValue) should: \(words)"
    }
  }

  func action(
    _ line: ChangedStep.Line, _ step: ChangedStep, _ report: BaseReport
  ) -> Action {
    let change = line.change
    let wayOut = change.classification.wayOut
    if let finding = step.finding(change, in: report) {
      let way =
        finding.rule == .unconfirmedDrop
        ? "confirm the removal: add a reason under 'drops:'"
        : step.isOf(change, finding) ? wayOut ?? finding.help.first : finding.help.first
      let words = text(way ?? finding.message, 300)
      return finding.severity == .error ? .must(.author, words) : .should(.author, words)
    }
    if line.measured?.outcome == .fails {
      return .must(
        .author, text(wayOut ?? "change the manifest: the migration would fail on these rows", 300))
    }
    let isUnapproved = report.losses.unapproved.contains {
      $0.version == step.number && $0.element == change.element
    }
    let duty =
      isUnapproved
      ? "look at the loss, and approve it: \(code("schemagen approve \(change.element)"))"
      : "confirm it"
    func confirmation(_ reason: String) -> Action {
      .must(
        .reviewer,
        duty + (pair(line, step, report) ?? "") + ". The author's reason: \(text(reason, 300))")
    }
    if case .reason(let reason)? = change.acknowledgement { return confirmation(reason) }
    let accepted = step.step?.accepted.first {
      $0.finding.path == change.element && $0.finding.rule.id == change.ruleID
    }
    if let accepted { return confirmation(accepted.acceptance.reason) }
    let functions = step.step?.userFunctions.filter { $0.element == change.element } ?? []
    if !functions.isEmpty {
      let names = functions.prefix(3).map { code($0.name, 80) }.joined(separator: ", ")
      return .must(.reviewer, "read \(names), the app's own code")
    }
    if change.effect.isRisky || isUnapproved { return .must(.reviewer, duty) }
    return change.effect == .converted ? .should(.reviewer, "check the new values") : Action()
  }

  /// What is new and could be what goes under another name, with the rows whose values it would have kept; nil for
  /// nothing.
  private func pair(
    _ line: ChangedStep.Line, _ step: ChangedStep, _ report: BaseReport
  ) -> String? {
    let version = report.evolution?.history.first { $0.number == step.number }
    let names = version?.drops.first { $0.element.value == line.change.element }?.notCarriedTo ?? []
    guard !names.isEmpty else { return nil }
    let list = names.map { code($0.value, 80) }.firstThree
    let rows = line.measured?.rows.map { "\(counted($0, "row")): " } ?? ""
    return "; \(rows)\(list) could be its new name, and gets none of its values"
  }
}
