package import SchemaGit
package import SchemaModel
package import SwiftSources

extension ReleasedModels {
  /// Reads the models of commits.
  ///
  /// - Parameters:
  ///   - scope: Which commits; with `releases`, those whose tags look like a release's.
  ///   - since: The oldest commit to read, by a tag or another name; nil for all.
  /// - Throws: `GitFailure`; also if there is no commit `since`.
  package init(
    of repository: GitRepository, _ scope: CommitHistory.Scope, since: String? = nil,
    conditions: BuildConditions, progress: WorkObserver? = nil
  ) throws(GitFailure) {
    let first = try since.map { name throws(GitFailure) in try repository.reference(name) }
    let history = try CommitHistory(of: repository, scope, with: first?.commit)
    var parts: [(versions: [CommitVersion], troubles: [String])] = []
    let models = try HistoryModels(
      history, CommitContents(repository, history), named: nil, conditions: conditions,
      progress: progress
    ) { parts.append(($0.versions, $0.troubles)) }
    var start = 0
    var releases: [(release: Release, parts: [Int])] = []
    if let first {
      guard let place = history.commits.firstIndex(where: { $0.id == first.commit }) else {
        throw GitFailure("'\(first.name)' is not among the commits that lead to HEAD")
      }
      start = place
    }
    for (place, commit) in history.commits.enumerated().dropFirst(start) {
      let names = (history.tags[place] ?? []).filter {
        CommitHistory.isRelease($0) || commit.id == first?.commit
      }
      releases.append(
        (
          Release(tags: names.isEmpty ? [history.shortID(place)] : names, day: commit.day),
          models.partsOfCommit[place]
        ))
    }
    self.init(
      history, since: first,
      unread: (models.unreadFiles + history.submodules + history.links).sorted(),
      parts: parts, releases: releases)
  }
}
