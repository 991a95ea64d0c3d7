package import SchemaEvolution
package import SchemaModel
internal import SchemaRendering

/// The history of a schema for viewing: a page for a browser, or one picture.
package struct HistoryReport: Sendable {
  let title: String
  let evolution: Evolution
  let findings: [Diagnostic]
  let lock: SchemaLock
  /// The releases of each version in words, by its name, as far as tags show them.
  let releases: [String: String]
  let measurements: RowMeasurements?
  let survey: FleetSurvey?
  /// The indices of the shown versions in the history.
  package let versions: ClosedRange<Int>
  let tracks: [ModelTrack]
  /// The changes to values in each step between the shown versions.
  let turnsOfSteps: [StepTurns]

  /// - Returns: Nil if no version is between `first` and `last`.
  package init?(
    title: String, _ evolution: Evolution, findings: [Diagnostic], lock: SchemaLock,
    releases: [String: String] = [:],
    from first: VersionNumber? = nil, to last: VersionNumber? = nil,
    measurements: RowMeasurements? = nil, survey: FleetSurvey? = nil
  ) {
    let shown = evolution.history.indices.filter { index in
      let number = evolution.history[index].number
      return first.map { number >= $0 } ?? true && last.map { number <= $0 } ?? true
    }
    guard let start = shown.first, let end = shown.last else { return nil }
    versions = start...end
    self.title = title
    self.evolution = evolution
    self.findings = findings
    self.lock = lock
    self.releases = releases
    self.measurements = measurements
    self.survey = survey
    tracks = evolution.tracks
    turnsOfSteps = evolution.steps[start..<end].map { StepTurns($0) }
  }

  var steps: [VersionStep] {
    Array(evolution.steps[versions.lowerBound..<versions.upperBound])
  }

  /// The last shown version, in Graphviz's language.
  package var dot: String {
    let newest = evolution.history[versions.upperBound]
    let models = counted(newest.models.count, "model")
    return EntityDiagram.dot(newest, title: "\(title), \(newest.number.name): \(models)")
  }
}

/// The changes of a step that do not keep values, indexed by element, since a report looks up every property in every
/// version.
struct StepTurns: Sendable {
  private let changes: [SchemaChange]
  // The indices of changes.
  private var byElement: [ElementPath: [Int]] = [:]
  private var byType: [String: [Int]] = [:]

  init(_ step: VersionStep) {
    changes = step.changes
    for (place, change) in changes.enumerated() where change.effect != .kept {
      byElement[change.element, default: []].append(place)
      if change.element.member != nil { byType[change.element.owner, default: []].append(place) }
    }
  }

  /// - Parameter type: An attribute's type; nil for a relationship, whose destination has its own changes.
  func of(_ element: ElementPath, _ type: TypeReference?) -> [SchemaChange] {
    var places = byElement[element] ?? []
    if let type, !byType.isEmpty {
      for name in type.description.split(whereSeparator: {
        !$0.isLetter && !$0.isNumber && $0 != "_"
      }) { places += byType[String(name)] ?? [] }
    }
    return Set(places).sorted().map { changes[$0] }
  }
}
