internal import SchemaEvolution
internal import SchemaModel
internal import SchemaReporting

/// What was measured on stores, and the plan.
extension PullRequestComment {
  // MARK: Stores

  func addStores(to parts: inout CommentParts) {
    guard let storeCount else { return }
    var rows: [(name: String, item: CommentParts.Item)] = []
    for (folder, steps) in zip(folders, steps) {
      for measurements in folder.measurements {
        rows.append((measurements.store, row(measurements, folder, steps)))
      }
    }
    for file in unmeasured where file.isStore {
      let cells = [
        code(file.name, 300), "–", "**not measured**", text(file.reason, 300),
      ]
      rows.append(
        (file.name, CommentParts.Item(rank: 2, text: "| \(cells.joined(separator: " | ")) |\n")))
    }
    rows.sort { $0.name < $1.name }
    // Some stores before all changes, not all stores before any change.
    for place in rows.indices.filter({ rows[$0].item.rank == 2 }).dropFirst(10) {
      rows[place].item.rank = 7
    }
    let heads = ["Store", "Version", "Result", "What its rows say"]
    parts.add(
      CommentParts.Part(
        kind: .store,
        opening: "### \(counted(storeCount, "store"))\n\n" + MarkdownText.table(heads, []),
        items: rows.map(\.item)))
    parts.add(
      .store, rank: 7, "Not stores, so not measured:\n\n",
      unmeasured.filter { !$0.isStore }.map { "- \(code($0.name, 300)): \(text($0.reason, 300))\n" }
    )
  }

  func row(
    _ measurements: RowMeasurements, _ folder: Folder, _ steps: [ChangedStep]
  ) -> CommentParts.Item {
    var found: [(element: String, finding: RowMeasurements.Finding)] = []
    for step in steps {
      guard step.step != nil else { continue }
      for line in step.lines {
        if let finding = measurements.finding(stepTo: step.number, change: line.place) {
          found.append((line.change.element.description, finding))
        }
      }
    }
    let outcome = found.map(\.finding.outcome).max()
    let said = found.filter { $0.finding.outcome == outcome }
    var words = said.prefix(3).map { element, finding in
      let examples =
        finding.examples.isEmpty ? "" : " (\(finding.examples.joined(separator: ", ")))"
      return "\(code(element, 80)): \(text(finding.text + examples, 300))"
    }
    if said.count > 3 { words.append("and \(said.count - 3) more") }
    if found.isEmpty { words = ["no step that changed concerns its rows"] }
    words += measurements.notes.prefix(3).map { "note: " + text($0, 200) }
    let isGrave = (outcome ?? .kept) >= .acknowledged
    let result = outcome?.rawValue ?? "kept"
    let place = folders.count > 1 ? code(folder.report.path, 100) + " " : ""
    let cells = [
      code(measurements.store, 300), place + measurements.version.name,
      isGrave ? "**\(result)**" : result, words.joined(separator: "; "),
    ]
    return CommentParts.Item(
      rank: isGrave ? 2 : 7, text: "| \(cells.joined(separator: " | ")) |\n")
  }

  // MARK: The plan

  /// `V8 → *lightweight* → **V9 (new)**`, and why there are barrier stages.
  func addPlan(of report: BaseReport, to parts: inout CommentParts) {
    guard !isQuiet, let evolution = report.evolution, evolution.history.count > 1 else { return }
    let states = Dictionary(
      report.changes.map { ($0.number, $0.state) }, uniquingKeysWith: { first, _ in first })
    // The last ones are what a pull request is about.
    let first = max(0, evolution.history.count - 10)
    func name(_ number: VersionNumber) -> String {
      switch states[number] {
      case .added: return "**\(number.name) (new)**"
      case .edited: return "**\(number.name) (edited)**"
      case .removed, nil: return number.name
      }
    }
    var train =
      first > 0 ? "\(name(evolution.history[0].number)) → … \(counted(first, "step")) … → " : ""
    train += name(evolution.history[first].number)
    var reasons: [String] = []
    for step in evolution.steps.dropFirst(first) {
      train += " → *\(evolution.planned(step))* → \(name(step.new.number))"
      let hazards = step.stages.flatMap(\.barrierReasons)
      guard !hazards.isEmpty else { continue }
      reasons.append(
        "- \(step.title) is a barrier stage, so that people who skip releases get the same result as "
          + "people who do not:\n")
      reasons += hazards.prefix(3).map { "  - \(text($0.description, 300))\n" }
    }
    let place = folders.count > 1 ? " of \(code(report.path))" : ""
    let list = reasons.isEmpty ? "" : "\n" + reasons.joined()
    parts.add(.plan, rank: 9, "**Migration plan**\(place): ", ["\(train)\n\(list)"])
  }

  func addNext(to parts: inout CommentParts) {
    var lines: [String] = []
    for report in folders.map(\.report) {
      let place = folders.count > 1 ? " (\(code(report.path)))" : ""
      if let next = report.nextStep { lines.append("- **author**\(place): \(text(next, 300))\n") }
      guard report.errors.isEmpty, !report.changes.isEmpty, let current = report.current,
        !current.isReleased
      else { continue }
      let name = current.number.name
      lines.append(
        "- **whoever releases \(name)**\(place): run `schemagen rehearse` before, and "
          + "`schemagen release \(name)` when it ships\n")
    }
    parts.add(.plan, rank: 9, "**After the review**\n\n", lines)
  }
}
