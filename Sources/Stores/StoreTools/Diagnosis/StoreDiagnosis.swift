internal import SchemaEvolution
internal import SchemaModel
package import StoreFormat

/// Why a store is of no version of the manifests: the nearest version, what differs, and what people can do.
package struct StoreDiagnosis: Encodable, Sendable {
  /// A version that the store is of, and the app too.
  package struct Match: Encodable, Sendable {
    package var version: StoreMatch.Comparison
    /// What the app does to get from there to the newest version, in order.
    var steps: [String]
    /// What becomes of the store where the version has left the plan, in sentences.
    var retirement: [String]?
    /// The rules by which steps that the store has to take are refused.
    var refusals: [String] = []
    /// Why opening would crash the app: two of its versions are the same to the engine.
    var crash: [String] = []
  }

  private let format = 1
  /// The store's path as the user gave it.
  package let path: String
  package let facts: StoreFacts
  package let folders: [ManifestFolder]
  package let matches: [Match]
  /// The version to compare the store with if there is no match: the one whose number it has, if there is one.
  package let nearest: StoreMatch.Comparison?
  /// Another version that has more in common with the store than the one whose number it has.
  package let closest: StoreMatch.Comparison?
  package let candidateCount: Int
  /// What an app does with a store that it does not recognise; nil where the store is nothing that an app opens.
  package private(set) var outcome: Outcome?
  /// What people can do, the likeliest first; none where the store is recognised.
  package private(set) var waysOut: [WayOut] = []

  private enum CodingKeys: String, CodingKey {
    case format
    case path = "store"
    case facts, matches, nearest, closest, outcome, waysOut
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
    outcome = findOutcome()
    waysOut = findWaysOut()
  }

  /// Whether a version that the store is of by the lock's hashes gives others now, beyond doubt.
  private static func isEdited(_ match: StoreMatch.Comparison, _ facts: StoreFacts) -> Bool {
    guard !match.isComputed, match.foreignHashes == [] else { return false }
    return !match.changedEntities(facts).isEmpty
  }

  package var isRecognised: Bool { !matches.isEmpty }

  /// 0 where the store is of a version, 1 where it is of none, 2 where it is damaged, or the manifests refuse a step that
  /// it has to take.
  package var exitStatus: Int32 {
    if !facts.damage.isEmpty { return 2 }
    return matches.contains { !$0.refusals.isEmpty } ? 2 : isRecognised ? 0 : 1
  }

  func folder(of candidate: VersionCandidate) -> ManifestFolder? {
    folders.first { $0.path == candidate.folder }
  }
}
