internal import SchemaEvolution
internal import SchemaModel
package import StoreFormat

/// Why a store matches no version of the manifests: the nearest version, the differences, and possible remedies.
package struct StoreDiagnosis: Encodable, Sendable {
  /// A version of the manifests that matches the store.
  package struct Match: Encodable, Sendable {
    package var version: StoreMatch.Comparison
    var steps: [String]
    /// What happens to the store if the version is retired, in sentences.
    var retirement: [String]?
    /// The rules that refuse a step which the store must take.
    var refusals: [String] = []
    /// Why the app would crash when it migrates the store: the engine cannot distinguish two versions of the plan.
    var crash: [String] = []
  }

  private let format = 1
  package let path: String
  package let facts: StoreFacts
  package let folders: [ManifestFolder]
  package let matches: [Match]
  /// The version to compare with an unrecognised store: the version with the store's number, if there is one.
  package let nearest: StoreMatch.Comparison?
  /// Another version that has more in common with the store than `nearest`, which has the store's number.
  package let closest: StoreMatch.Comparison?
  package let candidateCount: Int
  /// What happens when an app opens the store. Nil if a version matches, or if Core Data did not write the store.
  package private(set) var outcome: Outcome?
  /// Possible remedies, the likeliest first; empty if the store is recognised.
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
    // An edited version matches by the lock's hashes, but an app built from the edited manifest would not recognise the
    // store.
    let current = match.matches.filter { !Self.isEdited($0, facts) }
    matches = current.map { version in
      let name = version.candidate.name
      let folder = folders.first { $0.path == version.candidate.folder }
      var match = Match(
        version: version, steps: folder?.steps(from: name) ?? [],
        retirement: folder?.retirement(of: name))
      // A store that also matches the newest version is not migrated.
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

  /// Whether a version that matches the store by the lock's hashes certainly has other hashes now.
  private static func isEdited(_ match: StoreMatch.Comparison, _ facts: StoreFacts) -> Bool {
    guard !match.isComputed, match.foreignHashes == [] else { return false }
    return !match.changedEntities(facts).isEmpty
  }

  package var isRecognised: Bool { !matches.isEmpty }

  /// 2 if the store is damaged or the manifests refuse a step that the store must take, 1 if no version matches, and 0
  /// if a version matches.
  package var exitStatus: Int32 {
    if !facts.damage.isEmpty { return 2 }
    return matches.contains { !$0.refusals.isEmpty } ? 2 : isRecognised ? 0 : 1
  }

  func folder(of candidate: VersionCandidate) -> ManifestFolder? {
    folders.first { $0.path == candidate.folder }
  }
}
