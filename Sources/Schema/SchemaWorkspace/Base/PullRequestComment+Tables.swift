internal import SchemaEvolution
internal import SchemaModel
internal import SchemaRendering
internal import SchemaReporting

/// The tables of steps: what they do, what a person must do about it, and measurements in stores.
extension PullRequestComment {
  // MARK: Steps

  func add(_ steps: [ChangedStep], of report: BaseReport, to document: inout FittedDocument) {
    let heads: [Inline] =
      ["Data", "Element", "Change", "What happens to users' rows"]
      + (storeCount.map { ["In \(counted($0, "store"))"] } ?? []) + ["Action required"]
    for step in steps {
      let summary = step.summary.map { ": " + text($0, 200) } ?? ""
      let way: Document = step.way.map { [.paragraph("\("\($0)", .emphasis)")] } ?? []
      let rows = step.lines.map { line in
        let gravity = DataEffect.gravestFirst.firstIndex(of: line.change.effect) ?? 0
        return (rank: 3 + (line.isGrave ? 0 : gravity), item: row(line, step, report))
      }
      let name: Inline = "\(place(report, " "))\(step.number.name)\(summary)"
      document.add("change", rows) { rows in
        [.heading(name, level: 3)] + way + [.table(Table(heads, rows))]
      }
    }
  }

  private func row(_ line: ChangedStep.Line, _ step: ChangedStep, _ report: BaseReport) -> [Inline]
  {
    let change = line.change
    let detail = change.detail.isEmpty ? "" : ": " + code(change.detail, 300)
    var cells: [Inline] = [
      change.effect.inline, code(change.element),
      text(change.classification.title, 300) + detail, text(change.reason, 300),
    ]
    if storeCount != nil {
      cells.append(
        line.measured.map { measured in
          let rows = measured.rows.map { ": \(counted($0, "row")) in" } ?? " in"
          return "\(measured.outcome.inline)\(rows) \(counted(measured.stores, "store"))"
        } ?? "–")
    }
    return cells + [action(line, step, report).text]
  }

  /// What a person must do before a change may be released.
  struct Action {
    enum Person: String, CaseIterable { case author, reviewer }

    var person: Person?
    var isDuty = false
    var words: Inline = ""

    static func must(_ person: Person, _ words: Inline) -> Action {
      Action(person: person, isDuty: true, words: words)
    }

    var text: Inline {
      guard let person else { return "none" }
      return isDuty
        ? "\("\(person.rawValue) must:", .strong) \(words)" : "\(person.rawValue) should: \(words)"
    }
  }

  func action(_ line: ChangedStep.Line, _ step: ChangedStep, _ report: BaseReport) -> Action {
    let change = line.change
    let wayOut = change.classification.wayOut
    if let finding = step.finding(change, in: report) {
      let way =
        finding.rule == .unconfirmedDrop
        ? "confirm the removal: add a reason under 'drops:'"
        : step.isOf(change, finding) ? wayOut ?? finding.help.first : finding.help.first
      return Action(
        person: .author, isDuty: finding.severity == .error,
        words: text(way ?? finding.message, 300))
    }
    if line.measured?.outcome == .fails {
      return .must(
        .author, text(wayOut ?? "change the manifest: the migration would fail on these rows", 300))
    }
    let isUnapproved = report.losses.unapproved.contains {
      $0.version == step.number && $0.element == change.element
    }
    let duty: Inline =
      isUnapproved
      ? "review the loss, and approve it: \(code: "schemagen approve \(change.element)")"
      : "confirm it"
    let accepted = step.step?.accepted.first {
      $0.finding.path == change.element && $0.finding.rule.id == change.ruleID
    }
    var reason = accepted?.acceptance.reason
    if case .reason(let given)? = change.acknowledgement { reason = given }
    if let reason {
      return .must(
        .reviewer,
        duty + pair(line, step, report) + ". The author's reason: \(text(reason, 300))")
    }
    let functions = step.step?.userFunctions.filter { $0.element == change.element } ?? []
    if !functions.isEmpty {
      let names = functions.prefix(3).map { code($0.name, 80) }.joined(", ")
      return .must(.reviewer, "review \(names), the app's own code")
    }
    if change.effect.isRisky || isUnapproved { return .must(.reviewer, duty) }
    return change.effect == .converted
      ? Action(person: .reviewer, words: "check the new values") : Action()
  }

  /// A remark on possible new names of a dropped element, and the number of rows whose values a rename would keep.
  private func pair(
    _ line: ChangedStep.Line, _ step: ChangedStep, _ report: BaseReport
  ) -> Inline {
    let version = report.evolution?.history.first { $0.number == step.number }
    let names = version?.drops.first { $0.element.value == line.change.element }?.notCarriedTo ?? []
    guard !names.isEmpty else { return "" }
    let list = names.map { code($0.value, 80) }.firstThree
    let rows = line.measured?.rows.map { "\(counted($0, "row")): " } ?? ""
    return "; \(rows)\(list) could be its new name, but does not get its values"
  }

  // MARK: Stores

  func addStores(to document: inout FittedDocument) {
    guard let storeCount else { return }
    var rows: [(name: String, isGrave: Bool, cells: [Inline])] = []
    for (folder, steps) in zip(folders, steps) {
      rows += folder.measurements.map { row($0, folder.report, steps) }
    }
    for file in unmeasured where file.isStore {
      rows.append((file.name, true, ["–", "\("not measured", .strong)", text(file.reason, 300)]))
    }
    rows.sort { $0.name < $1.name }
    // The first ten stores with a grave result have priority over the changes, which have priority over other stores.
    var first = 10
    let items = rows.map { name, isGrave, cells in
      if isGrave { first -= 1 }
      return (rank: isGrave && first >= 0 ? 2 : 8, item: [code(name, 300)] + cells)
    }
    document.add("store", items) { rows in
      [
        .heading("\(counted(storeCount, "store"))", level: 3),
        .table(Table(["Store", "Version", "Result", "Effect on its rows"], rows)),
      ]
    }
    let others = unmeasured.filter { !$0.isStore }.map {
      (rank: 8, item: "\(code($0.name, 300)): \(text($0.reason, 300))" as Inline)
    }
    document.add("other file", others) { files in
      [
        .paragraph("These files are not stores, so they were not measured:"),
        .lines(files, .bullets),
      ]
    }
  }

  private func row(
    _ measurements: RowMeasurements, _ report: BaseReport, _ steps: [ChangedStep]
  ) -> (name: String, isGrave: Bool, cells: [Inline]) {
    let found = steps.flatMap { step in
      step.lines.compactMap { line in
        step.step.flatMap { measurements.finding(stepTo: $0.new.number, change: line.place) }
          .map { (element: line.change.element, finding: $0) }
      }
    }
    let outcome = found.map(\.finding.outcome).max() ?? .kept
    let said = found.filter { $0.finding.outcome == outcome }
    var words: [Inline] = said.prefix(3).map { element, finding in
      let examples =
        finding.examples.isEmpty ? "" : " (\(finding.examples.joined(separator: ", ")))"
      return "\(code(element, 80)): \(text(finding.text + examples, 300))"
    }
    if said.count > 3 { words.append("and \(said.count - 3) more") }
    if found.isEmpty { words = ["no changed step affects its rows"] }
    words += measurements.notes.prefix(3).map { "note: \(text($0, 200))" }
    return (
      measurements.store, outcome >= .acknowledged,
      [
        "\(place(report, " "))\(measurements.version.name)", outcome.inline, words.joined("; "),
      ]
    )
  }
}

extension RowMeasurements.Outcome {
  var inline: Inline {
    let style: Inline.Style = self >= .acknowledged ? .bad : self >= .unknown ? .warning : .good
    return "\("\(rawValue)", style)"
  }
}
