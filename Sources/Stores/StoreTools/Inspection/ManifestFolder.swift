package import ManagedModels
package import SchemaEvolution
internal import SchemaManifest
package import SchemaModel
package import SchemaWorkspace
package import StoreFormat

/// The app's versions with which stores are compared: those of a folder of manifests, or of a Core Data model.
package struct ManifestFolder: Sendable {
  package let path: String
  /// Nil for a Core Data model.
  package let evolution: Evolution?
  /// The versions that are released, according to the lock.
  package let released: Set<VersionNumber>
  /// The hashes that the lock has of released versions, in base64 by entity.
  let shipped: [VersionNumber: [String: String]]
  /// Every version that the engine sees, bridges included, in the order of the chain.
  package let candidates: [VersionCandidate]

  /// Nil if the manifests have errors.
  package init?(_ folder: SchemaFolder) {
    guard let evolution = folder.evolution else { return nil }
    path = folder.path
    self.evolution = evolution
    let lock = folder.lock
    let released = lock.released
    self.released = released
    shipped = lock.hashes.filter { released.contains($0.key) }.mapValues(\.entities)
    candidates = VersionCandidate.all(
      of: evolution, folder: path, proven: lock.provenHashes.mapValues(\.entities))
  }

  package init(_ model: CoreDataVersions) {
    path = model.path
    evolution = nil
    released = []
    shipped = [:]
    candidates = model.shipped.map { version in
      VersionCandidate(folder: model.path, name: version.name, model: version.model)
    }
  }

  package var history: [SchemaVersion] { evolution?.history ?? [] }

  package var enumValues: Set<StoredValue> {
    var values: Set<StoredValue> = []
    for type in history.flatMap(\.types) {
      guard case .enumeration(.some, let cases) = type.kind else { continue }
      values.formUnion(cases.flatMap { StepMeasurement.stored($0.storedText) ?? [] })
    }
    return values
  }

  var newest: String { history.last?.number.name ?? candidates.last?.name ?? "" }

  /// The steps from a candidate to the newest version, in order, as `V1 → V2: lightweight`.
  package func steps(from candidate: String) -> [String] {
    guard let evolution else {
      return candidate == newest || !candidates.contains { $0.name == candidate }
        ? [] : ["\(candidate) → \(newest): by Core Data, with a mapping model or an inferred one"]
    }
    return steps(after: candidate, evolution).map { "\($0.title): \(evolution.kind(of: $0))" }
  }

  private func number(of candidate: String, _ evolution: Evolution) -> VersionNumber? {
    zip(candidates, evolution.chain).first { $0.0.name == candidate }?.1.identifier
  }

  private func steps(after candidate: String, _ evolution: Evolution) -> [VersionStep] {
    guard let number = number(of: candidate, evolution) else { return [] }
    return evolution.steps.filter { $0.new.number > number }
  }

  /// What happens to stores of a retired candidate, in sentences; nil if the candidate is in the plan.
  package func retirement(of candidate: String) -> [String]? {
    guard let evolution else { return nil }
    let first = evolution.kept.history[0].number
    guard let number = number(of: candidate, evolution), number < first else { return nil }
    let through = evolution.configuration.retirement?.through
    return [
      "\(candidate) is retired: the plan begins with \(first.name), and the app leaves the store alone",
      through.map {
        "release \($0) of the app migrates the store: open the store with that release first"
      }
        ?? "an older release of the app, whose plan has \(candidate), migrates the store",
    ]
  }

  /// Why the plan crashes the app as soon as it migrates a store: two versions are equal to the engine. The findings
  /// are in the order of the versions. Opening a store of the newest version migrates nothing
  /// (docs/facts/migration.md#exceptions-need-an-old-store).
  var endings: [Diagnostic] {
    (evolution?.diagnostics ?? []).filter { [.emptyVersion, .duplicateIdentity].contains($0.rule) }
      .reportOrder
  }

  /// The rules that refuse the remaining steps, sorted. What the app does then depends on its existing code.
  func refusals(from candidate: String) -> [String] {
    guard let evolution else { return [] }
    let versions = steps(after: candidate, evolution).map(\.new.number.name)
    guard !versions.isEmpty else { return [] }
    let errors = (versions.flatMap { evolution.diagnostics(ofStepsAt: [$0]) } + endings)
      .filter { $0.severity == .error }
    return Set(errors.map(\.rule.id)).sorted()
  }

  /// The version of the manifests with a candidate's name; nil for a bridge.
  func version(named name: String) -> SchemaVersion? {
    history.first { $0.number.name == name }
  }
}
