package import SchemaGit
package import SchemaModel
package import SwiftSources

extension ReleasedModels {
  /// - Parameters:
  ///   - scope: The commits to read; `releases` are those with a tag that looks like a release's.
  ///   - since: A tag or another name of the oldest commit to read; `nil` for all.
  /// - Throws: `GitFailure`, also if no commit has the name `since`.
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
    ) { part in
      // No store's hashes can confirm an assumption here, so it counts as a doubt.
      let versions = part.versions.map { version in
        var version = version
        if let assumption = version.assumption {
          version.doubts.append(CommitVersion.Doubt(assumption))
        }
        return version
      }
      parts.append((versions, part.troubles))
    }
    var submodules: [[String]] = []
    try history.walk(from: Set<String>()) { paths, change in
      if let isSubmodule = change.isSubmodule {
        if isSubmodule { paths.insert(change.path) } else { paths.remove(change.path) }
      }
    } _: { _, _, paths in
      submodules.append(paths.sorted())
    }
    var start = 0
    var releases: [(release: Release, parts: [Int], submodules: [String])] = []
    if let first {
      guard let place = history.commits.firstIndex(where: { $0.id == first.commit }) else {
        throw GitFailure("'\(first.name)' is not an ancestor of HEAD")
      }
      start = place
    }
    for (place, commit) in history.commits.enumerated().dropFirst(start) {
      let names = (history.tags[place] ?? []).filter {
        CommitHistory.isRelease($0) || commit.id == first?.commit
      }
      let release = Release(
        tags: names, commit: commit.id, day: commit.day, isBeside: history.beside.contains(place))
      releases.append((release, models.partsOfCommit[place], submodules[place]))
    }
    self.init(
      history, since: first,
      unread: (models.unreadFiles + history.submodules + history.links).sorted(),
      parts: parts, releases: releases)
  }
}
