internal import ManagedModels
internal import SchemaModel

/// What an app's releases stored, as a repository's tags tell it.
package struct ReleasedModels: Sendable {
  /// A commit that was released.
  package struct Release: Sendable, Hashable {
    /// Its tags, sorted; without any, the beginning of its hash.
    package var tags: [String]
    /// `2024-05-01`
    package var day: String

    package var name: String { tags.enumeration }

    package init(tags: [String], day: String) {
      self.tags = tags
      self.day = day
    }
  }

  /// Models that one release or several stored.
  package struct Shape: Sendable {
    package var version: CommitVersion
    /// The releases, the oldest first.
    package var releases: [Release]
  }

  /// What a store's releases stored, and what cannot be told.
  package struct Answer: Sendable {
    /// Each set of hashes once, in the order in which its last release came.
    package var shapes: [Shape] = []
    /// Releases whose models cannot be told, with the reason.
    package var unclear: [(release: Release, reason: String)] = []
  }

  /// The number of commits that were looked at.
  package let commits: Int
  /// The tag or the hash of the oldest commit that was looked at, if older ones were left out.
  package let since: String?
  /// Whether the clone lacks older commits.
  package let isShallow: Bool
  /// Tags that look like no release's, sorted.
  package let otherTags: [String]
  /// What was not read: files that git lacks or that are too large, submodules, symbolic links.
  package let unread: [String]
  /// The versions of commits, and why some cannot be read: once for all commits with the same files.
  private let parts: [(versions: [CommitVersion], troubles: [String])]
  /// The releases, the oldest first, each with the places of its parts.
  private let releases: [(release: Release, parts: [Int])]

  /// - Parameters:
  ///   - history: The commits that were looked at.
  ///   - since: The oldest one, if older ones were left out.
  ///   - unread: Files that were not read, with submodules and symbolic links.
  ///   - parts: Their versions, and why some cannot be read.
  ///   - releases: The releases, the oldest first, each with the places of its parts.
  package init(
    _ history: CommitHistory, since: GitRepository.Reference?, unread: [String],
    parts: [(versions: [CommitVersion], troubles: [String])],
    releases: [(release: Release, parts: [Int])]
  ) {
    commits = history.commits.count
    self.since = since.map { $0.isTag ? $0.name : $0.commit }
    isShallow = history.isShallow
    otherTags = history.otherTags
    self.unread = unread
    self.parts = parts
    self.releases = releases
  }

  /// What the releases of one store had in it.
  ///
  /// - Parameters:
  ///   - names: The names of the store's models, now or in some version.
  ///   - folders: The folders of the app, relative to the worktree's top: they decide between apps with such models.
  package func answer(for names: Set<String>, in folders: [String]) -> Answer {
    var answer = Answer()
    for (release, numbers) in releases {
      let all = numbers.flatMap { parts[$0].versions }.filter { $0.role == .current }
      func common(_ version: CommitVersion) -> Int {
        version.schema.models.count { names.contains($0.name) }
      }
      let alike = all.filter { common($0) > 0 }
      let inside = alike.filter { version in
        folders.contains { folder in
          folder.isEmpty || version.schema.location?.file.hasPrefix(folder + "/") ?? false
        }
      }
      let possible = inside.isEmpty ? alike : inside
      let most = possible.map(common).max()
      var found: [CommitVersion] = []
      for version in possible
      where common(version) == most && !found.contains(where: { $0.hashes == version.hashes }) {
        found.append(version)
      }
      guard let version = found.first else {
        if let reason = numbers.flatMap({ parts[$0].troubles }).first {
          answer.unclear.append((release, reason))
        } else if let other = all.first {
          let models = other.schema.models.map { "'\($0.name)'" }.firstThree
          answer.unclear.append((release, "its models have other names: \(models)"))
        }
        continue
      }
      guard found.count == 1 else {
        answer.unclear.append(
          (release, "it has \(found.map(\.name).enumeration), and nothing says which is the app's"))
        continue
      }
      if let place = answer.shapes.firstIndex(where: { $0.version.hashes == version.hashes }) {
        // What a later release stored again comes later: no plan may have it twice.
        var shape = answer.shapes.remove(at: place)
        shape.releases.append(release)
        shape.version = version
        answer.shapes.append(shape)
      } else {
        answer.shapes.append(Shape(version: version, releases: [release]))
      }
    }
    return answer
  }
}

extension [ReleasedModels.Release] {
  /// `1.0 (2024-03-01)`; `1.0 to 1.4 (5 releases, 2024-03-01 to 2024-09-12)`.
  package var named: String {
    guard let first, let last else { return "" }
    guard count > 1 else { return "\(first.name) (\(first.day))" }
    let days = first.day == last.day ? first.day : "\(first.day) to \(last.day)"
    return count == 2
      ? "\(first.name) and \(last.name) (\(days))"
      : "\(first.name) to \(last.name) (\(count) releases, \(days))"
  }
}
