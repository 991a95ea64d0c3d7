package import SchemaEvolution
package import SchemaModel
internal import SchemaRendering
package import SchemaReporting

/// What changed between versions, for people and for machines.
package struct DiffReport: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case text, json, markdown
  }

  private let evolution: Evolution
  private let steps: [VersionStep]
  private let measurements: RowMeasurements?
  private let survey: FleetSurvey?
  private let terminal: TerminalText

  /// - Parameters:
  ///   - first: The first version to show; nil for the history's first.
  ///   - last: The last version to show; nil for the newest.
  ///   - measurements: A store's measurements of the changes; steps before its version are left out.
  ///   - survey: The counted stores of all users.
  package init(
    _ evolution: Evolution, from first: VersionNumber? = nil, to last: VersionNumber? = nil,
    measurements: RowMeasurements? = nil, survey: FleetSurvey? = nil,
    terminal: TerminalText = .plain
  ) {
    let first = measurements.map { max(first ?? $0.version, $0.version) } ?? first
    let steps = evolution.steps.filter { step in
      let isAfter = first.map { step.old.number >= $0 } ?? true
      let isBefore = last.map { step.new.number <= $0 } ?? true
      return isAfter && isBefore
    }
    self.init(evolution, steps, measurements: measurements, survey: survey, terminal: terminal)
  }

  init(
    _ evolution: Evolution, _ steps: [VersionStep], measurements: RowMeasurements? = nil,
    survey: FleetSurvey? = nil, terminal: TerminalText
  ) {
    self.evolution = evolution
    self.steps = steps
    self.measurements = measurements
    self.survey = survey
    self.terminal = terminal
  }

  package func render(_ format: Format) -> String {
    switch format {
    case .text: text()
    case .json: json()
    case .markdown: markdown()
    }
  }

  /// The gravest outcome of the shown changes in the store's rows; nil if none was measured.
  package var gravestOutcome: RowMeasurements.Outcome? {
    steps.flatMap { sorted($0) }.compactMap { $0.finding?.outcome }.max()
  }

  /// A change, and its measurement in the store's rows.
  private typealias Line = (change: SchemaChange, finding: RowMeasurements.Finding?)

  /// The step's changes, the gravest effect on data first.
  private func sorted(_ step: VersionStep) -> [Line] {
    step.changesByRisk.map {
      ($0.change, measurements?.finding(stepTo: step.new.number, change: $0.place))
    }
  }

  private func words(_ finding: RowMeasurements.Finding) -> String {
    let examples = finding.examples.isEmpty ? "" : " (\(finding.examples.joined(separator: ", ")))"
    return "\(finding.outcome.rawValue): \(finding.text)\(examples)"
  }

  // MARK: Text

  private func text() -> String {
    let head = heading.map { terminal.fitted($0) + "\n" }.joined()
    guard !steps.isEmpty else { return head }
    return head + (head.isEmpty ? "" : "\n") + steps.map(text).joined(separator: "\n")
  }

  /// The summary in one sentence: `V1 → V3, 4 changes: 1 dropped, 3 kept`.
  package var headline: String {
    guard let first = steps.first, let last = steps.last else {
      return "no pair of versions to compare"
    }
    let names = [first.old, last.new].map(\.number.name)
    let changes = steps.flatMap(\.changes)
    let effects = DataEffect.gravestFirst.compactMap { effect -> String? in
      let count = changes.count { $0.effect == effect }
      return count == 0 ? nil : "\(count) \(effect.rawValue)"
    }
    let found = steps.flatMap { sorted($0) }.compactMap { $0.finding?.outcome }
    let outcomes = Set(found).sorted(by: >).map { outcome in
      "\(found.count { $0 == outcome }) \(outcome.rawValue)"
    }
    return names.joined(separator: " → ")
      + (changes.isEmpty
        ? ", no changes"
        : ", \(counted(changes.count, "change")): "
          + effects.joined(separator: ", "))
      + (outcomes.isEmpty ? "" : "; on this store \(outcomes.joined(separator: ", "))")
  }

  /// Remarks on the store itself, and on the users left behind.
  private var heading: [String] {
    let store =
      measurements.map { measurements in
        ["\(measurements.store): of \(measurements.version.name)"]
          + measurements.notes.map { "note: \($0)" }
      } ?? []
    return store + [evolution.leftBehind(survey)].compactMap(\.self)
  }

  private func text(_ step: VersionStep) -> String {
    let kind = "  (\(evolution.kind(of: step)))"
    let title = step.heading
    let isShort = terminal.width.map { (title + kind).width <= $0 } ?? true
    var text =
      terminal.fitted(title, .bold) + (isShort ? kind : "\n" + terminal.fitted(kind)) + "\n"
    if step.changes.isEmpty { return text + "  no changes\n" }
    let lines = sorted(step)
    let rows = lines.map { change, _ in
      let detail = change.detail.isEmpty ? "" : ": \(change.detail)"
      return [
        change.effect.rawValue, change.mechanism.rawValue, change.element.description,
        "\(change.classification.title)\(detail) [\(change.ruleID)]",
      ]
    }
    let columns = TextColumns(rows, on: terminal, indent: 2)
    let room = columns.widths[0] + columns.widths[1] + 6
    // A sentence that began at the element would have no room on a narrow terminal.
    let isNarrow = terminal.width.map { $0 < 2 * room } ?? false
    let indent = String(repeating: " ", count: isNarrow ? 6 : room)
    func say(_ words: String, _ style: TerminalText.Style? = nil) {
      text += terminal.fitted(indent + words, style) + "\n"
    }
    for (row, line) in zip(rows, lines) {
      let change = line.change
      text += columns.lines(row, first: style(change.effect)).map { "  \($0)\n" }.joined()
      if change.effect != .kept || change.mechanism > .lightweight { say(change.reason, .faint) }
      switch change.acknowledgement {
      case .reason(let reason): say("acknowledged: \(reason)", .faint)
      case .unconfirmed: say("unconfirmed removal", .red)
      case nil: break
      }
      if let finding = line.finding {
        say("on this store, " + words(finding), finding.outcome >= .lost ? .boldRed : nil)
      }
    }
    for (older, mixed) in mixedDevices(of: step) {
      text += terminal.fitted("  devices with \(older), which share the records:") + "\n"
      let rows = mixed.map { [$0.verdict.rawValue, $0.element.description, words($0, older)] }
      let columns = TextColumns(rows, on: terminal, indent: 4)
      for (row, entry) in zip(rows, mixed) {
        text += columns.lines(row, first: style(entry.verdict)).map { "    \($0)\n" }.joined()
      }
    }
    for stage in step.stages where stage.isBarrier {
      text +=
        terminal.fitted(
          "  a barrier stage is inserted here, so that users who skip releases get the same result as users who do not:"
        ) + "\n"
      for hazard in stage.barrierReasons.prefix(5) {
        text += terminal.fitted("    \(hazard.description)") + "\n"
      }
    }
    return text
  }

  /// How devices with older versions and devices with the newer one read each other's records, the nearest first.
  private func mixedDevices(of step: VersionStep) -> [(older: String, verdicts: [MixedDevices])] {
    let all =
      [(from: step.old.number, verdicts: evolution.mixedDevices(of: step))]
      + evolution.distantDevices(of: step)
    return all.filter { !$0.verdicts.isEmpty }.map {
      ($0.from.name, $0.verdicts)
    }
  }

  private func style(_ effect: DataEffect) -> TerminalText.Style {
    switch effect {
    case .atRisk: .boldRed
    case .dropped: .red
    case .converted, .defaulted: .yellow
    case .kept: .green
    }
  }

  private func style(_ verdict: MixedDevices.Verdict) -> TerminalText.Style {
    switch verdict {
    case .refused: .boldRed
    case .undecodable: .red
    case .apart: .yellow
    case .unseen: .green
    }
  }

  /// What each of the two devices reads of the other's records.
  private func words(_ entry: MixedDevices, _ older: String) -> String {
    "\(older) \(entry.older); the newer one \(entry.newer)"
  }

  // MARK: JSON

  private struct Document: Encodable {
    var format = 1
    var pairs: [Pair]
    var store: Store?
    /// Present only if versions are retired.
    var retired: Left?
  }

  private struct Store: Encodable {
    var path: String
    var version: String
    var notes: [String]
    /// The gravest of all changes' outcomes.
    var outcome: RowMeasurements.Outcome?
  }

  struct Pair: Encodable {
    var from: String
    var to: String
    var summary: String?
    var mechanism: String
    var changes: [ChangeEntry]
    var stages: [StageEntry]
    /// Present only if the store syncs.
    var mixedDevices: [MixedEntry]?
  }

  /// How devices with the two versions read each other's records.
  struct MixedEntry: Encodable {
    /// The older version.
    var with: String
    var element: String
    var verdict: String
    var older: String
    var newer: String
  }

  struct StageEntry: Encodable {
    var name: String
    var from: String
    var to: String
    var kind: String
    var reasons: [String]
  }

  var pairs: [Pair] {
    steps.map { step in
      Pair(
        from: step.old.number.description,
        to: step.new.number.description,
        summary: step.new.summary, mechanism: step.mechanism.rawValue,
        changes: sorted(step).map { ChangeEntry($0.change, $0.finding) },
        stages: step.stages.map { self.entry($0, of: step) },
        mixedDevices: evolution.isMixed(step)
          ? mixedDevices(of: step).flatMap { older, verdicts in
            verdicts.map {
              MixedEntry(
                with: older, element: $0.element.description, verdict: $0.verdict.rawValue,
                older: $0.older, newer: $0.newer)
            }
          } : nil)
    }
  }

  private func json() -> String {
    let store = measurements.map {
      Store(
        path: $0.store, version: $0.version.description, notes: $0.notes,
        outcome: gravestOutcome)
    }
    let left = evolution.retired.isEmpty ? nil : Left(evolution, survey)
    return JSONText.encode(Document(pairs: pairs, store: store, retired: left))
  }

  private func entry(_ stage: Stage, of step: VersionStep) -> StageEntry {
    StageEntry(
      name: stage.name(in: step), from: stage.from.name,
      to: stage.to.name,
      kind: stage.isCustom ? "custom" : stage.isBarrier ? "stop" : "lightweight",
      reasons: stage.barrierReasons.map(\.description))
  }

  // MARK: Markdown

  /// The steps as `MIGRATIONS.md` has them, with the store's measurement of each change.
  private func markdown() -> String {
    let head = heading.map { MarkdownText.escaped($0) + "\n\n" }.joined()
    guard !steps.isEmpty else { return head + "No pair of versions to compare.\n" }
    return head
      + steps.map { step in
        let lines = sorted(step).map { change, finding in
          (change, finding.map { "On this store, " + MarkdownText.escaped(words($0)) + "." })
        }
        let text = HistoryMarkdown.step(step, lines, evolution)
        return mixedDevices(of: step).reduce(into: text) { text, devices in
          text += "\nDevices with \(devices.older) and with this version share their records:\n\n"
          text += MarkdownText.table(
            ["Verdict", "Element", devices.older, "The newer one"],
            devices.verdicts.map {
              [$0.verdict.rawValue, "`\($0.element)`"]
                + [$0.older, $0.newer].map(MarkdownText.escaped)
            })
        }
      }.joined(separator: "\n")
  }
}

extension DataEffect {
  /// All effects, those that endanger data most first.
  static let gravestFirst: [DataEffect] = [.atRisk, .dropped, .converted, .defaulted, .kept]
}

extension VersionStep {
  /// A change, and its place among all of the step.
  typealias Ranked = (place: Int, change: SchemaChange)

  /// The step's changes, the gravest effect on data first.
  var changesByRisk: [Ranked] {
    DataEffect.gravestFirst.flatMap { effect in
      changes.enumerated().filter { $0.element.effect == effect }.map { ($0.offset, $0.element) }
    }
  }
}

/// A change in a report for machines.
struct ChangeEntry: Encodable {
  var rule: String
  var element: String
  var title: String
  var detail: String?
  var mechanism: String
  var effect: String
  var reason: String
  var basis: String
  var certainty: String
  /// The reason, or `unconfirmed`.
  var acknowledgement: String?
  var file: String?
  var line: Int?
  var column: Int?
  /// The store's measurement; only with a store, and for changes that concern rows.
  var store: RowMeasurements.Finding?

  init(_ change: SchemaChange, _ finding: RowMeasurements.Finding? = nil) {
    store = finding
    let basis = change.classification.basis
    rule = change.ruleID
    element = change.element.description
    title = change.classification.title
    detail = change.detail.isEmpty ? nil : change.detail
    mechanism = change.mechanism.rawValue
    effect = change.effect.rawValue
    reason = change.reason
    self.basis = basis.text
    certainty = basis.mark.rawValue
    acknowledgement = change.acknowledgement?.text
    file = change.location?.file
    line = change.location?.line
    column = change.location?.column
  }
}
