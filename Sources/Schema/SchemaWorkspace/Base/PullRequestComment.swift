internal import ManagedModels
internal import SchemaEvolution
internal import SchemaModel
internal import SchemaRendering
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
    addVersions(to: &parts)
    addFindings(to: &parts)
    addEdits(to: &parts)
    addGuide(to: &parts)
    let heading = isQuiet ? "" : "## What this change does to stored data\n\n"
    let footer = self.footer
    // Kept free for the sentence that says what is missing.
    let room = limit - heading.utf8.count - footer.utf8.count - 1_200
    let (texts, left) = parts.fit(room)
    return heading + (texts.first ?? "") + missing(left) + texts.dropFirst().joined() + footer
  }

  /// What is left out, and the commands that show it.
  private func missing(_ left: [CommentParts.Left]) -> String {
    guard let last = left.last?.words else { return "" }
    let list =
      left.count == 1
      ? last : left.dropLast().map(\.words).joined(separator: ", ") + " and " + last
    let diff = command.utf8.count > 600 ? "schemagen diff --against …" : command
    let ways: [(command: String, shows: String, kinds: Set<CommentParts.Kind>)] = [
      (
        diff + " --format markdown", "changes and findings",
        [.verdict, .error, .change, .finding, .edit]
      ),
      ("schemagen report", "diagrams, the plan and checksums", [.diagram, .plan, .version]),
      ("schemagen diff --store FILE", "a store", [.store]),
    ]
    let shown = ways.filter { way in left.contains { way.kinds.contains($0.kind) } }.map {
      "\($0.shows): \(MarkdownText.code($0.command))"
    }
    let help = shown.isEmpty ? "" : " To see \(shown.joined(separator: "; "))."
    return "> **Not everything fits in a comment.** Left out: \(list).\(help)\n\n"
  }

  private var footer: String {
    let bases = folders.map(\.report.base.name)
    guard !isQuiet, let base = bases.first else { return "" }
    return "<sub>Compared with \(text(base, 200)) by <code>schemagen diff</code>.</sub>\n"
  }

  // MARK: Verdicts

  /// Whether there is nothing that anybody has to look at.
  private var isQuiet: Bool {
    folders.allSatisfy { $0.report.isUnchanged && $0.report.errors.isEmpty }
      && steps.allSatisfy(\.isEmpty)
  }

  private enum Mark {
    case blocked, risky, fine

    var sign: String {
      switch self {
      case .blocked: "❌"
      case .risky: "⚠️"
      case .fine: "✅"
      }
    }
  }

  private func addVerdicts(to parts: inout CommentParts) {
    let all = verdicts
    let lines =
      isQuiet
      ? [(Mark.fine, quietLine)]
      : [Mark.blocked, .risky, .fine].flatMap { mark in all.filter { $0.0 == mark } }
    let bullet = lines.count > 1 ? "- " : ""
    parts.add(.verdict, rank: 0, "", lines.map { "\(bullet)\($0.0.sign) \($0.1)\n" })
  }

  private var quietLine: String {
    let base = folders.first.map { " since \(text($0.report.base.name, 200))" } ?? ""
    return "The schema has not changed\(base): nothing happens to stored data."
  }

  /// One line for each folder with errors, and for each step.
  private var verdicts: [(Mark, String)] {
    var lines: [(Mark, String)] = []
    for (folder, steps) in zip(folders, steps) {
      let report = folder.report
      let place = folders.count > 1 ? code(report.path) + ", " : ""
      let errors = report.errors.count
      let warnings = report.findings.count { $0.severity == .warning }
      let blocked =
        errors > 0
        ? "**Blocked: \(counted(errors, "error")).** "
        : warnings > 0 ? "\(counted(warnings, "warning")). " : ""
      let mark: Mark? = errors > 0 ? .blocked : warnings > 0 ? .risky : nil
      for (index, step) in steps.enumerated() {
        var (gravity, words) = verdict(step)
        let actions = step.lines.map { action($0, step, report) }.filter(\.isDuty)
        let duties = Action.Person.allCases.compactMap { person -> String? in
          let count = actions.count { $0.person == person }
          return count == 0 ? nil : "\(person.rawValue) \(count)"
        }
        if !duties.isEmpty {
          gravity = .risky
          words += ". Action required: \(duties.joined(separator: ", "))"
        }
        // Errors are the folder's, and told once.
        lines.append((mark ?? gravity, (index == 0 ? blocked : "") + "\(place)\(words)"))
      }
      guard steps.isEmpty else { continue }
      let name = folders.count > 1 ? code(report.path) + ": " : ""
      if errors > 0 {
        var rules: [String] = []
        for error in report.errors where !rules.contains(error.rule.title) {
          rules.append(error.rule.title)
        }
        let more = rules.count > 2 ? "; and more" : ""
        lines.append(
          (.blocked, blocked + name + text(rules.prefix(2).joined(separator: "; "), 300) + more))
      } else {
        let isKnown = report.isUnchanged && !report.isRemoved
        lines.append((isKnown ? .fine : .risky, name + noStep(report)))
      }
    }
    let missing = unmeasured.count(where: \.isStore)
    if missing > 0 {
      let verb = missing == 1 ? "was" : "were"
      lines.append(
        (.risky, "\(missing) of \(counted(storeCount ?? 0, "store")) \(verb) not measured"))
    }
    return lines
  }

  private func noStep(_ report: BaseReport) -> String {
    if report.isRemoved { return "the schema is gone" }
    return report.isUnchanged
      ? "no step changes"
      : "what changed is not known: the manifests it is compared with have errors"
  }

  /// `V10: 3 kept, 1 defaulted, **`Trip.notes` of 12 rows lost** in 2 of 5 stores`.
  private func verdict(_ step: ChangedStep) -> (Mark, String) {
    let name = "**\(step.number.name)**: "
    if step.state == .removed { return (.fine, name + "the draft is removed") }
    if step.step == nil {
      return (.fine, name + "the first version: no store is older, so no data changes")
    }
    guard !step.lines.isEmpty else { return (.fine, name + "no change") }
    let measured = step.lines.filter { ($0.measured?.outcome ?? .kept) >= .acknowledged }
      .sorted { $0.measured!.outcome > $1.measured!.outcome }
    let others = step.lines.filter { ($0.measured?.outcome ?? .kept) < .acknowledged }
    var words: [String] = []
    for effect in DataEffect.gravestFirst.reversed() {
      let lines = others.filter { $0.change.effect == effect }
      guard !lines.isEmpty else { continue }
      let count = "\(lines.count) \(effect.rawValue)"
      guard effect.isRisky else {
        words.append(count)
        continue
      }
      let elements = names(lines.map { code($0.change.element.description, 80) })
      let stores = lines.compactMap { $0.measured?.outcome == .kept ? $0.measured?.stores : nil }
      let isEmpty = stores.count == lines.count
      words.append(
        "**\(count): \(elements)**"
          + (isEmpty
            ? ", of which \(counted(stores.min() ?? 0, "store")) ha\(stores.min() == 1 ? "s" : "ve") no value"
            : ""))
    }
    let losses = measured.prefix(3).map(loss)
    words += losses
    if measured.count > losses.count {
      words.append("and **\(measured.count - losses.count) more** that lose values or fail")
    }
    let isRisky = !measured.isEmpty || others.contains { $0.change.effect.isRisky }
    return (isRisky ? .risky : .fine, name + words.joined(separator: ", "))
  }

  /// `**`Trip.notes` of 12 rows lost** in 2 of 5 stores`.
  private func loss(_ line: ChangedStep.Line) -> String {
    let element = code(line.change.element.description, 80)
    guard let measured = line.measured else { return element }
    let rows = measured.rows.map { counted($0, "row") }
    // Of a model rows go, of a property values.
    let what =
      rows.map { line.change.element.member == nil ? "\($0) of \(element)" : "\(element) of \($0)" }
      ?? element
    let stores = "in \(measured.stores) of \(counted(storeCount ?? 0, "store"))"
    switch measured.outcome {
    case .fails: return "**\(what) would fail** \(stores)"
    case .lost: return "**\(what) lost** \(stores)"
    default: return "**\(what) dropped** \(stores) (acknowledged)"
    }
  }

  private func names(_ names: [String]) -> String {
    let shown = names.prefix(3).joined(separator: ", ")
    return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
  }

  // MARK: Errors

  private func addErrors(to parts: inout CommentParts) {
    let errors = folders.flatMap(\.report.errors)
    guard !errors.isEmpty else { return }
    parts.add(
      CommentParts.Part(
        kind: .error,
        opening: "**Errors**, which the author has to resolve before this can be merged:\n\n",
        items: errors.enumerated().map { index, error in
          CommentParts.Item(rank: index < 10 ? 1 : 8, text: self.text(of: error))
        }))
  }

  private func text(of error: Diagnostic) -> String {
    let place = error.location.map { MarkdownText.place(shortened($0)) + ": " } ?? ""
    let page = "\(Basis.documentation)rules/\(error.rule.id).md"
    let help = error.help.prefix(6).map { help in
      "  - \(text(help.split(separator: "\n").joined(separator: " "), 300))\n"
    }
    return "- \(place)\(text(error.message, 600)) ([\(error.rule.id)](\(page)))\n" + help.joined()
  }

  private func shortened(_ location: SourceLocation) -> SourceLocation {
    var location = location
    location.file = location.file.shortened(to: 300)
    return location
  }

  // MARK: Steps

  private func add(_ steps: [ChangedStep], of report: BaseReport, to parts: inout CommentParts) {
    for step in steps where !step.lines.isEmpty {
      let place = folders.count > 1 ? code(report.path) + " " : ""
      let summary = step.summary.map { ": " + text($0, 200) } ?? ""
      let way = step.way.map { "*\($0)*\n\n" } ?? ""
      let table = MarkdownText.table(heads, [])
      // Nobody is to look for one loss among hundreds of new models.
      let isLong = step.lines.count > 20
      let kept = isLong ? step.lines.filter { $0.change.effect == .kept && !$0.isGrave } : []
      let shown =
        isLong ? step.lines.filter { $0.change.effect != .kept || $0.isGrave } : step.lines
      let title = "### \(place)\(step.number.name)\(summary)\n\n\(way)"
      parts.add(
        CommentParts.Part(
          kind: .change, opening: title + table,
          items: shown.map { CommentParts.Item(rank: rank($0), text: row($0, step, report)) }))
      parts.add(
        CommentParts.Part(
          kind: .change,
          // HTML, in which no Markdown is: nothing of the user's stands there.
          opening: (shown.isEmpty ? title : "")
            + "<details><summary>\(counted(kept.count, "change")) that keep\(kept.count == 1 ? "s" : "") all values"
            + "</summary>\n\n"
            + table,
          items: kept.map { CommentParts.Item(rank: rank($0), text: row($0, step, report)) },
          closing: "\n</details>\n"))
      addDiagram(of: step, report, to: &parts)
    }
  }

  private func addDiagram(
    of step: ChangedStep, _ report: BaseReport, to parts: inout CommentParts
  ) {
    guard let evolution = report.evolution else { return }
    var diagram: String?
    if let own = step.step {
      guard !own.routes.isEmpty else { return }
      diagram = MermaidDiagram.step(own, evolution)
    } else {
      diagram = MermaidDiagram.entities(evolution, at: 0)
    }
    let title = step.step == nil ? "The models" : "Where the values go"
    parts.add(
      CommentParts.Part(
        kind: .diagram,
        items: diagram.map {
          [CommentParts.Item(rank: 10, text: "\(title):\n\n```mermaid\n\($0)```\n")]
        } ?? [],
        impossible: diagram == nil ? 1 : 0))
  }

  private var heads: [String] {
    ["Data", "Element", "Change", "What happens to users' rows"]
      + (storeCount.map { ["In \(counted($0, "store"))"] } ?? []) + ["Action required"]
  }

  private func rank(_ line: ChangedStep.Line) -> Int {
    line.isGrave ? 3 : 3 + (DataEffect.gravestFirst.firstIndex(of: line.change.effect) ?? 0)
  }

  private func row(
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

  private func words(_ measured: ChangedStep.Measured) -> String {
    let outcome = measured.outcome.rawValue
    let rows = measured.rows.map { ": \(counted($0, "row")) in" } ?? " in"
    return
      "\(measured.outcome >= .acknowledged ? "**\(outcome)**" : outcome)\(rows) \(counted(measured.stores, "store"))"
  }

  /// What somebody has to do before a change may be released.
  private struct Action {
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

  private func action(
    _ line: ChangedStep.Line, _ step: ChangedStep, _ report: BaseReport
  ) -> Action {
    let change = line.change
    let wayOut = change.classification.wayOut
    if let finding = step.finding(change, in: report) {
      let way =
        finding.rule == .unconfirmedDrop
        ? "say under 'drops:' why it may go: nobody has confirmed it"
        : step.isOf(change, finding) ? wayOut ?? finding.help.first : finding.help.first
      let words = text(way ?? finding.message, 300)
      return finding.severity == .error ? .must(.author, words) : .should(.author, words)
    }
    if line.measured?.outcome == .fails {
      return .must(
        .author, text(wayOut ?? "change the manifest: the migration would fail on these rows", 300))
    }
    func confirmation(_ reason: String) -> Action {
      .must(.reviewer, "confirm it. The author's reason: \(text(reason, 300))")
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
    if change.effect.isRisky { return .must(.reviewer, "confirm it") }
    return change.effect == .converted ? .should(.reviewer, "check the new values") : Action()
  }

  // MARK: Stores

  private func addStores(to parts: inout CommentParts) {
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

  private func row(
    _ measurements: RowMeasurements, _ folder: Folder, _ steps: [ChangedStep]
  ) -> CommentParts.Item {
    var found: [(element: String, finding: RowMeasurements.Finding)] = []
    for step in steps {
      guard let from = step.step?.from else { continue }
      for line in step.lines {
        if let finding = measurements.finding(step: from, change: line.place) {
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
  private func addPlan(of report: BaseReport, to parts: inout CommentParts) {
    guard !isQuiet, let evolution = report.evolution, evolution.history.count > 1 else { return }
    let states = Dictionary(
      report.changes.map { ($0.number, $0.state) }, uniquingKeysWith: { first, _ in first })
    // The last ones are what a pull request is about.
    let first = max(0, evolution.history.count - 10)
    func name(_ index: Int) -> String {
      let number = evolution.history[index].number
      switch states[number] {
      case .added: return "**\(number.name) (new)**"
      case .edited: return "**\(number.name) (edited)**"
      case .removed, nil: return number.name
      }
    }
    var train = first > 0 ? "\(name(0)) → … \(counted(first, "step")) … → " : ""
    train += name(first)
    var reasons: [String] = []
    for step in evolution.steps.dropFirst(first) {
      train += " → *\(evolution.planned(step))* → \(name(step.to))"
      let hazards = evolution.stages(of: step).flatMap(\.barrierReasons)
      guard !hazards.isEmpty else { continue }
      let names = [step.from, step.to].map { evolution.history[$0].number.name }
      reasons.append(
        "- \(names[0]) → \(names[1]) is a barrier stage, so that people who skip releases get the same result as "
          + "people who do not:\n")
      reasons += hazards.prefix(3).map { "  - \(text(evolution.description(of: $0), 300))\n" }
    }
    let place = folders.count > 1 ? " of \(code(report.path))" : ""
    let list = reasons.isEmpty ? "" : "\n" + reasons.joined()
    parts.add(.plan, rank: 9, "**Migration plan**\(place): ", ["\(train)\n\(list)"])
  }

  private func addNext(to parts: inout CommentParts) {
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

  // MARK: Details

  private func addVersions(to parts: inout CommentParts) {
    let shown = zip(folders, steps).filter { !$0.1.isEmpty || !$0.0.report.errors.isEmpty }
      .map(\.0.report)
    let rows = shown.flatMap(versions)
    let heads = ["Version", "State", "How stores get there", "Checksum"]
    parts.add(
      .version, rank: 11,
      "<details><summary>\(counted(rows.count, "version")) and \(rows.count == 1 ? "its checksum" : "their checksums")"
        + "</summary>\n\nSwiftData recognises a store by the checksum of its version. That of a shipped version must "
        + "never change.\n\n"
        + MarkdownText.table(folders.count > 1 ? ["Folder"] + heads : heads, []),
      rows, "\n</details>\n")
  }

  /// A row for each version, the newest first.
  private func versions(of report: BaseReport) -> [String] {
    guard let evolution = report.evolution else { return [] }
    let states = Dictionary(
      report.changes.map { ($0.number, $0.state) }, uniquingKeysWith: { first, _ in first })
    let marks = Dictionary(report.lock.entries, keyedBy: \.version)
    let before = report.base.lock.hashes
    return evolution.history.indices.reversed().map { index in
      let version = evolution.history[index]
      let entry = marks[version.number]
      var state = entry?.state == .released ? "shipped" : "draft"
      if let change = states[version.number] {
        state += ", \(change == .added ? "new" : change.rawValue)"
      }
      let way = index == 0 ? "–" : evolution.planned(evolution.steps[index - 1])
      let now =
        evolution.identities[evolution.positions[index]].hashes?.checksum ?? entry?.hashes?.checksum
      let was = before[version.number]?.checksum
      var checksum = now.map { "`\($0.prefix(8))…`" } ?? "not known"
      if let was, let now, was != now { checksum = "`\(was.prefix(8))…` → **\(checksum)**" }
      if entry?.hashes?.isProven == true { checksum += ", proven by a store" }
      let cells = [version.number.name, state, way, checksum]
      let row = (folders.count > 1 ? [code(report.path)] : []) + cells
      return "| \(row.joined(separator: " | ")) |\n"
    }
  }

  /// Findings that are no errors, with what helps.
  private func addFindings(to parts: inout CommentParts) {
    let findings = folders.flatMap(\.report.findings).filter { $0.severity != .error }
    parts.add(
      .finding, rank: 12,
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
  private func addEdits(to parts: inout CommentParts) {
    var lines: [String] = []
    for folder in folders {
      let place = folders.count > 1 ? code(folder.report.path) + " " : ""
      for change in folder.report.changes where change.state == .edited {
        let name = place + change.number.name
        for edit in change.groups.flatMap(\.changes) {
          let detail = edit.detail.isEmpty ? "" : ": " + code(edit.detail, 300)
          lines.append(
            "- \(name) \(code(edit.element.description, 200)): \(text(edit.classification.title, 300))\(detail)\n"
          )
        }
        lines += change.steps.map { "- \(name) \(code($0, 200)): what the step does\n" }
      }
    }
    parts.add(
      .edit, rank: 13,
      "<details><summary>\(counted(lines.count, "edit")) of drafts since the base</summary>\n\n"
        + "The tables above show each step as a whole, as it is now. These parts of it are other than in the base:\n\n",
      lines, "\n</details>\n")
  }

  private func addGuide(to parts: inout CommentParts) {
    guard !isQuiet else { return }
    let docs = Basis.documentation
    let findings = folders.flatMap(\.report.findings).filter { $0.severity > .note }
    let rules = Set(findings.map(\.rule.id)).sorted().prefix(10).map {
      "[\($0)](\(docs)rules/\($0).md)"
    }
    var lines = [
      "- **kept**: all values stay.\n",
      "- **defaulted**: rows that users have get nil, a default or a `fill` in the property.\n",
      "- **converted**: new values are made of the old ones, as the manifest says.\n",
      "- **dropped**: values or rows are deleted, on every user's device.\n",
      "- **at risk**: the migration fails, or values are lost, as the manifest stands.\n",
    ]
    if storeCount != nil {
      lines += [
        "- In stores: **fails**: the migration, or the app when it reads the rows; **lost**: values go, and nobody has "
          + "acknowledged it; **acknowledged**: values go, as the author has acknowledged; unknown: rows do not show it; "
          + "handled: the manifest says what to do with them; kept: no row loses anything.\n"
      ]
    }
    lines.append(
      "- The engine is the part of SwiftData that migrates stores. It infers a **lightweight** step; a **custom** one also "
        + "runs generated code, or the app's. "
        + "**Through a bridge**: by a version that has old and new columns at once.\n")
    lines.append(
      "- To read: [all kinds of changes](\(docs)classification.md), [lint and shipped versions](\(docs)gate.md)"
        + (rules.isEmpty ? "" : ", " + rules.joined(separator: ", ")) + ".\n")
    parts.add(
      .guide, rank: 14, "<details><summary>How to read this</summary>\n\n", [lines.joined()],
      "\n</details>\n")
  }

  // MARK: Words

  private func text(_ text: String, _ limit: Int) -> String {
    MarkdownText.text(text.shortened(to: limit))
  }

  private func code(_ text: String, _ limit: Int = 200) -> String {
    MarkdownText.code(text.shortened(to: limit))
  }
}

/// A step to a version that was added or edited, or that comes after one: as it is now, with what stores say of it.
struct ChangedStep: Sendable {
  /// A change, its place among all of the step, and what stores say of it.
  struct Line: Sendable {
    var place: Int
    var change: SchemaChange
    var measured: Measured?

    /// Whether rows do not survive it as they are.
    var isGrave: Bool { (measured?.outcome ?? .kept) >= .acknowledged }
  }

  /// The gravest that stores say of a change.
  struct Measured: Sendable {
    var outcome: RowMeasurements.Outcome
    /// In all stores that say so; nil where they cannot be counted.
    var rows: Int64?
    var stores: Int
  }

  var number: VersionNumber
  var state: BaseReport.VersionChange.State?
  var summary: String?
  var way: String?
  /// Nil for a first version, and for one that is gone.
  var step: VersionStep?
  var lines: [Line]
  /// The manifest.
  private var file: String?

  static func all(of folder: PullRequestComment.Folder) -> [ChangedStep] {
    let report = folder.report
    let changes = Dictionary(report.changes, keyedBy: \.number)
    var found = report.changes.filter { $0.state == .removed }.map {
      ChangedStep(number: $0.number, state: .removed, summary: $0.summary, lines: [])
    }
    let history = report.evolution?.history ?? []
    for (index, version) in history.enumerated() {
      let step = index > 0 ? report.evolution?.steps[index - 1] : nil
      let before = index > 0 ? history[index - 1].number : VersionNumber(0)
      let isNeighbour = report.changes.contains {
        $0.number >= before && $0.number < version.number
      }
      guard changes[version.number] != nil || (step != nil && isNeighbour) else { continue }
      let change = changes[version.number]
      // A first version has no step: what is new in it is a change from nothing, an edit of it is none of data.
      let ranked =
        step?.changesByRisk
        ?? (change?.state == .added ? change?.groups.flatMap(\.changes) ?? [] : []).enumerated()
        .map { (place: $0.offset, change: $0.element) }
      found.append(
        ChangedStep(
          number: version.number, state: change?.state, summary: version.summary,
          way: step.flatMap { step in report.evolution?.planned(step) }, step: step,
          lines: ranked.map { place, change in
            Line(
              place: place, change: change,
              measured: step.flatMap { Measured(folder.measurements, $0.from, place) })
          }, file: version.location?.file))
    }
    return found.sorted { $0.number < $1.number }
  }

  /// Whether a finding says what the classification does.
  func isOf(_ change: SchemaChange, _ finding: Diagnostic) -> Bool {
    [change.ruleID, Rule.unacknowledgedDrop.id, Rule.unconfirmedDrop.id].contains(finding.rule.id)
  }

  /// The gravest finding about a change.
  func finding(_ change: SchemaChange, in report: BaseReport) -> Diagnostic? {
    return report.findings.filter { finding in
      // The same element may have changed in other steps as well.
      finding.path == change.element && (finding.location == nil || finding.location?.file == file)
        && (finding.severity == .error || finding.severity == .warning && isOf(change, finding))
    }.max { $0.severity < $1.severity }
  }
}

extension ChangedStep.Measured {
  /// Nil where no store says anything.
  init?(_ measurements: [RowMeasurements], _ step: Int, _ change: Int) {
    let findings = measurements.compactMap { $0.finding(step: step, change: change) }
    guard let gravest = findings.map(\.outcome).max() else { return nil }
    let same = findings.filter { $0.outcome == gravest }
    outcome = gravest
    stores = same.count
    rows = same.allSatisfy { $0.rows != nil } ? same.reduce(0) { $0 + ($1.rows ?? 0) } : nil
  }
}

extension Evolution {
  /// How the plan gets over a step, or that there is no plan.
  fileprivate func planned(_ step: VersionStep) -> String {
    if case .unplanned = kind(of: step) { return "not planned while there are errors" }
    return kind(of: step).description
  }
}

extension DataEffect {
  /// Whether values may go.
  fileprivate var isRisky: Bool { self == .atRisk || self == .dropped }
}
