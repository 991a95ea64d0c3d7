package import SchemaEvolution
package import SchemaModel
internal import SchemaRendering
package import SchemaReporting

/// What changed between versions, for people and for machines.
package struct DiffReport: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case text, json, markdown
  }

  /// A change, and its measurement in the store's rows.
  struct Line: Sendable {
    var change: SchemaChange
    var finding: RowMeasurements.Finding?
  }

  /// A step with its changes, the gravest effect on data first. `mixed` says how devices with an older version and
  /// devices with the newer version read each other's records, the nearest older version first.
  struct Step: Sendable {
    let step: VersionStep
    let lines: [Line]
    let mixed: [(older: String, verdicts: [MixedDevices])]
    let syncs: Bool

    init(_ step: VersionStep, _ evolution: Evolution, _ measurements: RowMeasurements? = nil) {
      self.step = step
      lines = step.changesByRisk.map {
        Line(
          change: $0.change,
          finding: measurements?.finding(stepTo: step.new.number, change: $0.place))
      }
      syncs = evolution.isMixed(step)
      mixed =
        ([(from: step.old.number, verdicts: evolution.mixedDevices(of: step))]
        + evolution.distantDevices(of: step)).filter { !$0.verdicts.isEmpty }
        .map { ($0.from.name, $0.verdicts) }
    }
  }

  let evolution: Evolution
  let steps: [Step]
  let measurements: RowMeasurements?
  let survey: FleetSurvey?

  /// - Parameter measurements: A store's measurements of the changes. Steps before the store's version are left out.
  package init(
    _ evolution: Evolution, from first: VersionNumber? = nil, to last: VersionNumber? = nil,
    measurements: RowMeasurements? = nil, survey: FleetSurvey? = nil
  ) {
    let first = measurements.map { max(first ?? $0.version, $0.version) } ?? first
    let steps = evolution.steps.filter { step in
      let isAfter = first.map { step.old.number >= $0 } ?? true
      let isBefore = last.map { step.new.number <= $0 } ?? true
      return isAfter && isBefore
    }
    self.init(evolution, steps, measurements: measurements, survey: survey)
  }

  init(
    _ evolution: Evolution, _ steps: [VersionStep], measurements: RowMeasurements? = nil,
    survey: FleetSurvey? = nil
  ) {
    self.evolution = evolution
    self.steps = steps.map { Step($0, evolution, measurements) }
    self.measurements = measurements
    self.survey = survey
  }

  package func render(_ format: Format, on terminal: TerminalText = .plain) -> String {
    switch format {
    case .text: document().text(on: terminal)
    case .json: JSONText.encode(self)
    case .markdown: document(withRoutes: true).markdown
    }
  }

  package var gravestOutcome: RowMeasurements.Outcome? {
    steps.flatMap(\.lines).compactMap { $0.finding?.outcome }.max()
  }

  /// The summary in one sentence: `V1 → V3, 4 changes: 1 dropped, 3 kept`.
  package var headline: String {
    guard let first = steps.first?.step, let last = steps.last?.step else {
      return "no pair of versions to compare"
    }
    let names = [first.old, last.new].map(\.number.name)
    let lines = steps.flatMap(\.lines)
    let effects = DataEffect.gravestFirst.compactMap { effect -> String? in
      let count = lines.count { $0.change.effect == effect }
      return count == 0 ? nil : "\(count) \(effect.rawValue)"
    }
    let found = lines.compactMap { $0.finding?.outcome }
    let outcomes = Set(found).sorted(by: >).map { outcome in
      "\(found.count { $0 == outcome }) \(outcome.rawValue)"
    }
    return names.joined(separator: " → ")
      + (lines.isEmpty
        ? ", no changes"
        : ", \(counted(lines.count, "change")): " + effects.joined(separator: ", "))
      + (outcomes.isEmpty ? "" : "; on this store \(outcomes.joined(separator: ", "))")
  }

  // MARK: Document

  /// Facts about the store itself and the users left behind, followed by the steps.
  ///
  /// - Parameter withRoutes: Whether to show where each value comes from.
  func document(withRoutes: Bool = false) -> Document {
    var document: Document = []
    if let measurements {
      document.append(
        .lines(
          ["\(measurements.store): of \(measurements.version.name)"]
            + measurements.notes.map { "note: \($0)" }))
    }
    if let left = evolution.leftBehind(survey) { document.append(.paragraph("\(left)")) }
    for step in steps {
      document += HistoryDocument.step(
        step.step, step.lines.map { ($0.change, $0.remark) }, evolution)
      if withRoutes { document += HistoryDocument.routes(step.step) }
      for (older, verdicts) in step.mixed {
        document += [
          .paragraph("Devices with \(older) that share the records:"),
          .table(
            Table(
              ["Verdict", "Element", "What they read"],
              verdicts.map {
                [
                  $0.verdict.inline, .code($0.element),
                  "\(older) \($0.older); the newer one \($0.newer)",
                ]
              })),
        ]
      }
    }
    return document
  }
}

extension DiffReport.Line {
  var remark: Inline? {
    finding.map { finding in
      let examples =
        finding.examples.isEmpty ? "" : " (\(finding.examples.joined(separator: ", ")))"
      let words: Inline = "on this store, \(finding.outcome.rawValue): \(finding.text)\(examples)"
      return finding.outcome >= .lost ? "\(words, .bad)" : words
    }
  }
}

extension MixedDevices.Verdict {
  fileprivate var inline: Inline {
    switch self {
    case .refused, .undecodable: "\("\(rawValue)", .bad)"
    case .apart: "\("\(rawValue)", .warning)"
    case .unseen: "\("\(rawValue)", .good)"
    }
  }
}

extension DataEffect {
  static let gravestFirst: [DataEffect] = [.atRisk, .dropped, .converted, .defaulted, .kept]
}

extension VersionStep {
  /// A change, and its index among all changes of the step.
  typealias Ranked = (place: Int, change: SchemaChange)

  var changesByRisk: [Ranked] {
    DataEffect.gravestFirst.flatMap { effect in
      changes.enumerated().filter { $0.element.effect == effect }.map { ($0.offset, $0.element) }
    }
  }
}
