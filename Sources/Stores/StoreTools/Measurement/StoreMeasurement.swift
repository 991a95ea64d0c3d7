package import Foundation
internal import ManagedModels
package import SchemaEvolution
package import SchemaModel
internal import SchemaReporting
package import SchemaWorkspace
internal import StoreFormat

/// Compares the changes between versions with the rows of a store, which is only read.
package enum StoreMeasurement {
  /// What a store's rows show about the changes from its version on.
  ///
  /// - Parameters:
  ///   - wanted: The version to use if several match.
  ///   - proven: By version, the hashes that a store has proven.
  ///   - choice: The end of a note that several versions match, which says how to choose one.
  /// - Throws: `StoreError` if the file is not a store or cannot be read, `StoreRefusal` if no version matches.
  package static func measure(
    storeAt url: URL, named name: String, in evolution: Evolution, from wanted: VersionNumber?,
    proven: [VersionNumber: LockedHashes] = [:], choice: String = ": choose one with '--from'",
    progress: WorkObserver? = nil
  ) throws -> RowMeasurements {
    let candidates = VersionCandidate.all(
      of: evolution, folder: "", proven: proven.mapValues(\.entities))
    let models = VersionModel.history(of: evolution)
    let counting: StoreFacts.Counting = { progress?("counting rows", $0, $1) }
    return try StoreFacts.examine(url, counting: counting) { facts, survey in
      let (index, others) = try version(of: facts, candidates, evolution, wanted)
      let version = evolution.history[index]
      try survey.adopt(facts.model ?? models[index].model)
      var measurements = RowMeasurements(
        store: name, version: version.number,
        notes: facts.damage.map { "damaged: \($0.visibleInOneLine)" })
      if !others.isEmpty {
        let names = others.map(\.name).joined(separator: " or ")
        measurements.notes.append(
          "the store may also be \(names), because the engine cannot distinguish these versions\(choice)"
        )
      }
      measurements.notes += orphans(in: version, survey)
      let graph = evolution.graph
      let total = evolution.steps.dropFirst(index).reduce(0) { $0 + $1.changes.count }
      var done = 0
      for (place, step) in evolution.steps.enumerated().dropFirst(index) {
        let measure = StepMeasurement(
          step: step, place: place, graph: graph, start: index, survey: survey)
        measurements.findings[step.new.number] = step.changes.map { change in
          progress?("measuring changes", done, total)
          done += 1
          return measure.finding(change)
        }
      }
      return measurements
    }.answers
  }

  /// The index of the store's version, and the other versions if several are equal. The earliest is used, so that the
  /// rows are compared with all later changes.
  private static func version(
    of facts: StoreFacts, _ candidates: [VersionCandidate], _ evolution: Evolution,
    _ wanted: VersionNumber?
  ) throws -> (index: Int, others: [VersionNumber]) {
    let match = StoreMatch(facts, candidates: candidates)
    let names = match.likeliest.filter { !$0.candidate.isBridge }.map(\.candidate.name)
    let found = evolution.history.indices.filter {
      names.contains(evolution.history[$0].number.name)
    }
    if let index = found.first(where: { evolution.history[$0].number == wanted }) {
      return (index, [])
    }
    if let index = found.first {
      return (index, found.dropFirst().map { evolution.history[$0].number })
    }
    if let bridge = match.matches.first {
      throw StoreRefusal(
        reason:
          "a migration was interrupted: the store is at the bridge '\(bridge.candidate.name)'",
        details: ["open the store with the app, which continues the migration, and measure again"])
    }
    throw StoreRefusal(
      reason: "it matches none of the versions", details: ["'schemagen inspect' shows what differs"]
    )
  }

  /// Notes on links to missing rows, which do not depend on changes.
  private static func orphans(in version: SchemaVersion, _ survey: StoreSurvey) -> [String] {
    version.models.flatMap { model in
      model.properties.compactMap { property -> String? in
        guard property.relationship?.cardinality.isMany == false,
          let tally = try? survey.orphans(of: model.name, by: property.name), tally.rows > 0
        else { return nil }
        return
          "'\(model.name).\(property.name)' leads to no row in \(CountWords.rows(tally.rows)) ("
          + CountWords.names(tally.examples).joined(separator: ", ") + ")"
      }
    }
  }
}

/// Words for numbers of rows.
enum CountWords {
  static func rows(_ count: Int64) -> String { count == 1 ? "1 row" : "\(count) rows" }

  /// `3 of 12 rows hold`. `one` is the verb for one row, `several` for several rows.
  static func part(_ count: Int64, of total: Int64, _ one: String, _ several: String) -> String {
    count == 0 ? "no row \(one)" : "\(count) of \(rows(total)) \(count == 1 ? one : several)"
  }

  static func names(_ rows: [ObjectID]) -> [String] { rows.map { "\($0.entity) \($0.key)" } }
}
