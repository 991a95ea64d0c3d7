internal import Foundation
internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
package import SchemaModel
internal import SchemaRendering
package import SchemaWorkspace

/// Puts the versions that a branch added after those that another one added meanwhile.
///
/// Theirs stay as they are. Each of ours gets the next free number, and takes up what theirs changed: a three-way merge
/// of what ours was copied from, ours, and a copy of their newest. Everything is worked out from commits, also in the
/// middle of a `git merge` that stopped, and written at once or not at all.
package struct Rebase: Sendable {
  package struct Renumbering: Sendable, Equatable {
    package var old: VersionNumber
    package var new: VersionNumber
  }

  /// The folder of manifests, as the user named it.
  let path: String
  /// What the versions are put after, as messages call it: `origin/main`.
  package let theirName: String
  /// The versions that only the other branch has.
  package let theirVersions: [VersionNumber]
  /// Our versions with what they are called now; also those that keep their number.
  package let renumberings: [Renumbering]
  /// Our versions whose stores are those of a version of theirs, which stays in their place.
  package let alike: [VersionNumber]
  /// Our drafts of which the other branch has everything: they are gone.
  package let settled: [VersionNumber]
  /// Our drafts that could not be joined with theirs: the classes say what is in them.
  package let left: [VersionNumber]
  /// The new version with the changes of both, where each branch has shipped its own.
  package let joint: VersionNumber?
  /// Sorted by path; empty where it is refused.
  package let changes: [FileChange]
  package let diagnostics: [Diagnostic]
  /// For snippets: our manifests, and what became of them.
  package let sources: [String: String]
  /// Whether something is in the way that has to go first: a manifest with errors, a modified file.
  package let isRefused: Bool
  /// Commands that are left to run.
  package let nextSteps: [String]

  /// Works out what to write; nothing is written until `write(to:)`.
  ///
  /// - Parameters:
  ///   - path: The folder of manifests.
  ///   - onto: The reference whose versions stay; nil for what git is merging, or the remote's default branch.
  /// - Throws: `GitFailure` where git has no answer.
  package static func prepare(
    _ path: String, onto: String? = nil, fileSystem: some FileSystem
  ) throws(GitFailure) -> Rebase {
    let sides = try RebaseSides(path, onto: onto)
    var plan = RebasePlan(path, sides)
    try plan.run(fileSystem)
    return Rebase(
      path: path, theirName: sides.theirs.reference.name, theirVersions: plan.theirNew,
      renumberings: plan.own.map { Renumbering(old: $0.old, new: $0.new) }, alike: plan.alike,
      settled: plan.settled, left: plan.left, joint: plan.joint,
      changes: plan.isRefused ? [] : plan.changes,
      diagnostics: plan.diagnostics.reportOrder, sources: plan.sources, isRefused: plan.isRefused,
      nextSteps: try nextSteps(plan, fileSystem))
  }

  /// The commands that are left to run.
  private static func nextSteps(
    _ plan: RebasePlan, _ fileSystem: some FileSystem
  ) throws(GitFailure) -> [String] {
    let written = writtenPlaces(plan, fileSystem)
    let add = "git add --all -- " + written.map(ShellWord.quoted).joined(separator: " ")
    let snapshot = plan.configuration.classes == nil ? [] : ["schemagen snapshot"]
    let byHand = byHand(plan)
    guard plan.sides.operation != .none else {
      // The classes come with the merge only: the hook would take their changes for losses.
      return byHand + [
        add + " && git commit" + (snapshot.isEmpty ? "" : " --no-verify"),
        "git merge \(plan.theirName)",
        "if that stops at generated files or at the lock: schemagen rebase again",
      ] + snapshot
    }
    let repository = plan.sides.repository
    let settled = Set(
      (Array(plan.files.keys) + plan.changes.map(\.path)).compactMap { repository.path(of: $0) })
    let torn = try repository.unmerged().subtracting(settled).sorted().map(repository.shown)
    let resolve = torn.map { file in
      "resolve the conflict in \(file) so that it has the changes of both branches"
        + (file.hasSuffix(".swift") && !snapshot.isEmpty
          ? ", in the form of \(plan.newest?.name ?? "the newest version")" : "")
    }
    let others = torn.filter { file in !written.contains { file.isInside($0) } }
      .map { " " + ShellWord.quoted($0) }.joined()
    let end = plan.sides.operation == .merge ? "git commit" : "git rebase --continue"
    return (snapshot.isEmpty ? resolve + byHand : byHand.dropLast() + resolve + snapshot)
      + [add + others, end]
  }

  /// What is to be done before anything can be generated.
  private static func byHand(_ plan: RebasePlan) -> [String] {
    guard plan.diagnostics.hasErrors else { return [] }
    let files = plan.unresolved.sorted().map { "resolve \($0)" }
    return (files.isEmpty ? ["correct the errors above"] : files) + ["schemagen generate"]
  }

  /// The folder of manifests, and the files and folders outside of it that hold what was written or is edited next.
  private static func writtenPlaces(_ plan: RebasePlan, _ fileSystem: some FileSystem) -> [String] {
    let places = OutputLocations(folder: plan.path, configuration: plan.configuration).places
    var found = places.filter { folder in
      folder == plan.path || fileSystem.isFolder(folder)
        || plan.changes.contains { $0.path.isInside(folder) }
    }
    if let classes = plan.configuration.classes, !plan.contested.isEmpty || !plan.left.isEmpty {
      found.append(Path.join(plan.path, classes))
    }
    found += plan.changes.map(\.path)
    return found.enumerated().filter { index, place in
      !found.enumerated().contains { other, folder in
        place.isInside(folder) && (place != folder || other < index)
      }
    }.map(\.element)
  }

  /// Writes all changes or none.
  ///
  /// - Throws: `FileSystemError` of the first failure.
  package func write(to fileSystem: some FileSystem) throws(FileSystemError) {
    try changes.write(in: path, to: fileSystem)
  }
}

extension RebasePlan {
  /// The newest version of the joined history.
  fileprivate var newest: VersionNumber? { joined.keys.max() }
}
