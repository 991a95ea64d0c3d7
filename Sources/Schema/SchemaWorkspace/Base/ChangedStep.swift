internal import SchemaEvolution
internal import SchemaModel

/// A step to or from a changed version, with its measurements in stores. A first version and a removed version have an
/// entry without a step.
struct ChangedStep: Sendable {
  /// A change, its index among all changes of the step, and its measurements in stores.
  struct Line: Sendable {
    var place: Int
    var change: SchemaChange
    var measured: Measured?

    /// Whether rows are lost or fail to migrate, according to the stores.
    var isGrave: Bool { (measured?.outcome ?? .kept) >= .acknowledged }
  }

  /// The gravest measurement of a change in stores.
  struct Measured: Sendable {
    var outcome: RowMeasurements.Outcome
    /// The rows in all stores with this outcome; nil if they cannot be counted.
    var rows: Int64?
    var stores: Int
  }

  var number: VersionNumber
  var state: BaseReport.VersionChange.State?
  var summary: String?
  var way: String?
  var step: VersionStep?
  var lines: [Line]
  var file: String?

  static let first = "the first version: no store is older, so no data changes"

  static func all(of folder: PullRequestComment.Folder) -> [ChangedStep] {
    let report = folder.report
    let changes = Dictionary(report.changes, keyedBy: \.number)
    var found = report.changes.filter { $0.state == .removed }.map {
      ChangedStep(number: $0.number, state: .removed, summary: $0.summary, lines: [])
    }
    let nothing = SchemaVersion(number: VersionNumber(0))
    for evolved in report.evolution?.versions ?? [] {
      let (version, step) = (evolved.declared, evolved.step)
      let before = step?.old.number ?? VersionNumber(0)
      let isNeighbour = report.changes.contains {
        $0.number >= before && $0.number < version.number
      }
      guard changes[version.number] != nil || (step != nil && isNeighbour) else { continue }
      let change = changes[version.number]
      // A first version has no step. If it is new, everything in it is listed as added. An edit of it changes no data.
      let ranked =
        step?.changesByRisk
        ?? (change?.state == .added ? SchemaDiffer().changes(from: nothing, to: version) : [])
        .enumerated().map { (place: $0.offset, change: $0.element) }
      found.append(
        ChangedStep(
          number: version.number, state: change?.state, summary: version.summary,
          way: step.flatMap { step in report.evolution?.planned(step) }, step: step,
          lines: ranked.map { place, change in
            Line(
              place: place, change: change,
              measured: step.flatMap { Measured(folder.measurements, $0.new.number, place) })
          }, file: version.location?.file))
    }
    return found.sorted { $0.number < $1.number }
  }

  /// Whether a finding repeats the change's classification.
  func isOf(_ change: SchemaChange, _ finding: Diagnostic) -> Bool {
    [change.ruleID, Rule.unacknowledgedDrop.id, Rule.unconfirmedDrop.id].contains(finding.rule.id)
  }

  func finding(_ change: SchemaChange, in report: BaseReport) -> Diagnostic? {
    return report.findings.filter { finding in
      // The same element may have changed in other steps, too.
      finding.path == change.element && (finding.location == nil || finding.location?.file == file)
        && (finding.severity == .error || finding.severity == .warning && isOf(change, finding))
    }.max { $0.severity < $1.severity }
  }
}

extension ChangedStep.Measured {
  init?(_ measurements: [RowMeasurements], _ version: VersionNumber, _ change: Int) {
    let findings = measurements.compactMap { $0.finding(stepTo: version, change: change) }
    guard let gravest = findings.map(\.outcome).max() else { return nil }
    let same = findings.filter { $0.outcome == gravest }
    outcome = gravest
    stores = same.count
    rows = same.allSatisfy { $0.rows != nil } ? same.reduce(0) { $0 + ($1.rows ?? 0) } : nil
  }
}

extension Evolution {
  func planned(_ step: VersionStep) -> String {
    if case .unplanned = kind(of: step) { return "not planned while there are errors" }
    return kind(of: step).description
  }
}

extension DataEffect {
  var isRisky: Bool { self == .atRisk || self == .dropped }
}
