package import ManagedModels
internal import SchemaModel
internal import SchemaReporting

/// What an app's releases stored, according to a repository's tags.
package struct ReleasedModels: Sendable {
  /// A commit that was released.
  package struct Release: Sendable, Hashable {
    package var tags: [String]
    /// The full hash; empty if git lacks the commit.
    package var commit: String
    /// The commit's day, such as `2024-05-01`; empty if git lacks the commit.
    package var day: String
    /// Whether the commit is not an ancestor of HEAD, for example on another branch.
    package var isBeside = false

    package var name: String {
      tags.isEmpty ? String(commit.prefix(9)) : tags.map(\.visibleInOneLine).enumeration
    }

    package init(tags: [String], commit: String, day: String, isBeside: Bool = false) {
      self.tags = tags
      self.commit = commit
      self.day = day
      self.isBeside = isBeside
    }
  }

  /// Models that one or more releases stored.
  package struct Shape: Sendable {
    package var version: CommitVersion
    /// The releases, the oldest first.
    package var releases: [Release]
    /// The hashes of all versions that the last of these releases knows.
    package var known: [VersionHashes]
  }

  package struct Answer: Sendable {
    /// The different sets of models, in the order of their last releases.
    package var shapes: [Shape] = []
    /// Releases whose models are unknown, with the reason. Neighbours with the same reason are together.
    package var unclear: [(releases: [Release], reason: String)] = []

    fileprivate mutating func add(_ release: Release, _ reason: String) {
      if let last = unclear.last, last.reason == reason {
        unclear[unclear.count - 1].releases.append(release)
      } else {
        unclear.append(([release], reason))
      }
    }
  }

  package let commits: Int
  /// The tag or the hash of the oldest commit that was read, if older ones were left out.
  package let since: String?
  package let isShallow: Bool
  package let otherTags: [String]
  /// Tags on commits after HEAD, which were not read; the oldest first.
  package let laterTags: [String]
  private let lostTags: [String]
  /// What was not read: files that git lacks or that are too large, submodules, symbolic links.
  package let unread: [String]
  /// The versions of commits, and why some cannot be read. Commits with the same files share a part.
  private let parts: [(versions: [CommitVersion], troubles: [String])]
  /// The releases, the oldest first, each with the indices of its parts and the paths of its submodules.
  private let releases: [(release: Release, parts: [Int], submodules: [String])]

  package init(
    _ history: CommitHistory, since: GitRepository.Reference?, unread: [String],
    parts: [(versions: [CommitVersion], troubles: [String])],
    releases: [(release: Release, parts: [Int], submodules: [String])]
  ) {
    commits = releases.count
    self.since = since.map { $0.isTag ? $0.name : $0.commit }
    isShallow = history.isShallow
    otherTags = history.otherTags
    laterTags = history.laterTags
    lostTags = history.lostTags
    self.unread = unread
    self.parts = parts
    self.releases = releases
  }

  /// Releases on other branches that are newer than all releases among HEAD's ancestors.
  package var newerBeside: [Release] {
    Array(releases.map(\.release).reversed().prefix(while: \.isBeside).reversed())
  }

  /// What the releases of an app stored in one store.
  ///
  /// - Parameters:
  ///   - names: The names of the store's models, now or in some version.
  ///   - folders: The folders of the app, relative to the worktree's top. If several apps have such models, the folders
  ///     decide.
  ///   - versions: The names of the app's versions. If several versions store the same, these names decide.
  package func answer(
    for names: Set<String>, in folders: [String], called versions: Set<String> = []
  ) -> Answer {
    var answer = Answer()
    func isInside(_ path: String) -> Bool {
      folders.contains { $0.isEmpty || path == $0 || path.hasPrefix($0 + "/") }
    }
    for tag in lostTags {
      answer.add(
        Release(tags: [tag], commit: "", day: ""),
        "git does not have the tag's commit; 'git fetch --tags' may fetch it")
    }
    for (release, numbers, submodules) in releases {
      let known = numbers.flatMap { parts[$0].versions }
      let all = known.filter { $0.role == .current }
      func common(_ version: CommitVersion) -> Int {
        version.schema.models.count { names.contains($0.name) }
      }
      let alike = all.filter { common($0) > 0 }
      let inside = alike.filter { $0.schema.location.map { isInside($0.file) } ?? false }
      // Classes that no version lists are left out only in the app's folders. Elsewhere such classes may be this app's,
      // and the versions another app's.
      let listed = inside.filter { !$0.isLeftOver }
      let possible = inside.isEmpty ? alike : listed.isEmpty ? inside : listed
      let most = possible.map(common).max()
      var found: [CommitVersion] = []
      for version in possible where common(version) == most {
        if let place = found.firstIndex(where: { $0.hashes == version.hashes }) {
          if versions.contains(version.name), !versions.contains(found[place].name) {
            found[place] = version
          }
        } else {
          found.append(version)
        }
      }
      guard let version = found.first else {
        if let reason = numbers.flatMap({ parts[$0].troubles }).first {
          answer.add(release, reason)
        } else if let other = all.first {
          let models = other.schema.models.map { "'\($0.name)'" }.firstThree
          answer.add(release, "the release's models have other names: \(models)")
        } else if let submodule = submodules.first(where: isInside) {
          answer.add(
            release, "'\(submodule)' is a submodule, whose files are in another repository")
        }
        continue
      }
      guard found.count == 1 else {
        answer.add(
          release,
          "the release has \(found.map(\.name).enumeration), and nothing shows which of them the app uses"
        )
        continue
      }
      if let place = answer.shapes.firstIndex(where: { $0.version.hashes == version.hashes }) {
        // If a later release stores the same models again, the models move to its place, since a plan must not have
        // them twice.
        var shape = answer.shapes.remove(at: place)
        shape.releases.append(release)
        shape.version = version
        shape.known = known.map(\.hashes)
        answer.shapes.append(shape)
      } else {
        answer.shapes.append(
          Shape(version: version, releases: [release], known: known.map(\.hashes)))
      }
    }
    return answer
  }
}

extension [ReleasedModels.Release] {
  /// `1.0 (2024-03-01)`; `1.0 to 1.4 (5 releases, 2024-03-01 to 2024-09-12)`.
  package var named: String {
    guard let first, let last else { return "" }
    // If only some of the commits have tags, only commits with tags are named.
    let tagged = filter { !$0.tags.isEmpty }
    if !tagged.isEmpty, tagged.count < count { return tagged.named }
    guard count > 1 else { return first.name + (first.day.isEmpty ? "" : " (\(first.day))") }
    if first.day.isEmpty { return map(\.name).firstThree }
    let days = first.day == last.day ? first.day : "\(first.day) to \(last.day)"
    return count == 2
      ? "\(first.name) and \(last.name) (\(days))"
      : "\(first.name) to \(last.name) (\(count) \(tagged.isEmpty ? "commits" : "releases"), \(days))"
  }
}
