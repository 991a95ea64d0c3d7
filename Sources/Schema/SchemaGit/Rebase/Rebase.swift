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
  /// Sorted by path; empty where there are errors.
  package let changes: [FileChange]
  package let diagnostics: [Diagnostic]
  /// For snippets: our manifests, and what became of them.
  package let sources: [String: String]
  /// Whether something other than a conflict is in the way: a manifest with errors, a modified file.
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
      renumberings: plan.own.map { Renumbering(old: $0.old, new: $0.new) },
      changes: plan.diagnostics.hasErrors ? [] : plan.changes,
      diagnostics: plan.diagnostics.reportOrder, sources: plan.sources, isRefused: plan.isRefused,
      nextSteps: nextSteps(sides, path))
  }

  /// The commands that are left to run.
  private static func nextSteps(_ sides: RebaseSides, _ path: String) -> [String] {
    switch sides.operation {
    case .none:
      [
        "git add --all -- \(path) && git commit",
        "git merge \(sides.theirs.reference.name)",
        "if that stops at generated files or at the lock: schemagen rebase again",
      ]
    case .merge: ["git add --all -- \(path)", "git commit"]
    case .rebase: ["git add --all -- \(path)", "git rebase --continue"]
    }
  }

  /// Writes all changes or none.
  ///
  /// - Throws: `FileSystemError` of the first failure.
  package func write(to fileSystem: some FileSystem) throws(FileSystemError) {
    try changes.write(in: path, to: fileSystem)
  }
}
