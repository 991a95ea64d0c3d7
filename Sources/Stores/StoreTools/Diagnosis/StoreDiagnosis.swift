internal import Foundation
package import ManagedModels
internal import SchemaEvolution
internal import SchemaModel
package import StoreFormat

/// Why a store is of no version of the manifests: the nearest version and, entity by entity, what differs.
package struct StoreDiagnosis: Encodable, Sendable {
  /// One entity of the store or of the nearest version.
  package struct Entity: Encodable, Sendable {
    package enum Status: String, Encodable, Sendable {
      /// Its hash is the version's.
      case same
      case differs
      case storeOnly, versionOnly
      /// Its hash is another one, and the store has no model that says why.
      case unexplained
    }

    /// What the differences were found by.
    package enum Basis: String, Encodable, Sendable {
      /// The model that the store has of itself.
      case model
      /// Its hash: the same was made of the version's model under this name.
      case hash
    }

    /// As the store has it.
    package var name: String
    package var status: Status
    /// What the version calls it, where that is another name.
    package var versionName: String?
    /// What Core Data hashes.
    package var differences: [ModelComparison.Difference] = []
    package var basis: Basis?
    /// Why nothing more can be said; each a clause.
    package var reasons: [String] = []
  }

  /// A version that the store is of, and the app too.
  package struct Match: Encodable, Sendable {
    package var version: StoreMatch.Comparison
    /// What the app does to get from there to the newest version, in order.
    var steps: [String]
    /// What becomes of the store where the version has left the plan, in sentences.
    var retirement: [String]?
    /// The rules by which steps that the store has to take are refused.
    var refusals: [String] = []
    /// Why the plan ends the app that migrates the store: two of its versions are one to the engine.
    var crash: [String] = []
  }

  private let format = 1
  /// As the user named the store.
  package let path: String
  package let facts: StoreFacts
  package let folders: [ManifestFolder]
  package let matches: [Match]
  /// Where there is none, the version to compare the store with: the one whose number it has, if there is one.
  package let nearest: StoreMatch.Comparison?
  /// Another version that has more in common with the store than the one whose number it has.
  package let closest: StoreMatch.Comparison?
  /// How many versions there are.
  package let candidateCount: Int
  /// Of the nearest version and the store, by name; none where the store is recognised.
  package private(set) var entities: [Entity] = []
  /// The same of the closest version.
  package private(set) var closestEntities: [Entity] = []
  /// What tables, columns and unique indexes show, where not every difference was found; a line for each.
  package private(set) var tables: [String] = []
  /// The model that the store was written with; nil where not all of it is known.
  package private(set) var storeModel: ManagedModel?
  /// What an app does with a store that it does not recognise; nil where the store is nothing that an app opens.
  package private(set) var outcome: Outcome?
  /// What people can do, the likeliest first; none where the store is recognised.
  package private(set) var waysOut: [WayOut] = []

  private enum CodingKeys: String, CodingKey {
    case format
    case path = "store"
    case facts, matches, nearest, entities, tables, closest, closestEntities, outcome, waysOut
  }

  package init(path: String, facts: StoreFacts, folders: [ManifestFolder]) {
    self.path = path
    self.facts = facts
    self.folders = folders
    let match = StoreMatch(facts, candidates: folders.flatMap(\.candidates))
    // The lock knows the store, and an app that is made of the manifest now does not.
    let current = match.matches.filter { !Self.isEdited($0, facts) }
    matches = current.map { version in
      let name = version.candidate.name
      let folder = folders.first { $0.path == version.candidate.folder }
      var match = Match(
        version: version, steps: folder?.steps(from: name) ?? [],
        retirement: folder?.retirement(of: name))
      // A store that is of the newest version as well is not migrated.
      if let folder,
        !current.contains(where: {
          $0.candidate.folder == folder.path && $0.candidate.name == folder.newest
        })
      {
        match.refusals = folder.refusals(from: name)
        match.crash = folder.endings.map(\.message)
      }
      return match
    }
    nearest = current.isEmpty ? match.likeliest.first ?? match.nearest : nil
    closest = match.closest
    candidateCount = match.candidateCount
    if let nearest { examine(nearest) }
    if let closest { closestEntities = compared(with: closest).entities }
    outcome = findOutcome()
    waysOut = findWaysOut()
  }

  /// Whether a version that the store is of by the lock's hashes gives others now, beyond doubt.
  private static func isEdited(_ match: StoreMatch.Comparison, _ facts: StoreFacts) -> Bool {
    guard !match.isComputed, match.foreignHashes == [] else { return false }
    let model = match.candidate.model.model
    let made = model.versionHashes.entities
    let doubts = model.hashDoubts
    return facts.hashes.contains { made[$0] != $1 && doubts[$0] == nil }
  }

  /// Whether the store is of one of the versions.
  package var isRecognised: Bool { !matches.isEmpty }

  /// 0 where the store is of a version, 1 where it is of none, 2 where it is damaged, or the manifests refuse a step that
  /// it has to take.
  package var exitStatus: Int32 {
    if !facts.damage.isEmpty { return 2 }
    return matches.contains { !$0.refusals.isEmpty } ? 2 : isRecognised ? 0 : 1
  }

  /// The folder of a candidate.
  func folder(of candidate: StoreMatch.Candidate) -> ManifestFolder? {
    folders.first { $0.path == candidate.folder }
  }

  // MARK: Entity by entity

  private mutating func examine(_ nearest: StoreMatch.Comparison) {
    let comparison = compared(with: nearest)
    entities = comparison.entities
    storeModel = comparison.storeModel
    // Where every hash is the version's, only the tables are not.
    if entities.contains(where: { $0.status == .unexplained }) || facts.hashes.isEmpty
      || entities.allSatisfy({ $0.status == .same })
    {
      tables = nearest.tables
    }
  }

  private func compared(with version: StoreMatch.Comparison) -> EntityComparison {
    var comparison = EntityComparison(facts, version.candidate)
    comparison.run()
    return comparison
  }
}
