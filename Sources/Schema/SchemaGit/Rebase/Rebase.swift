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
package struct Rebase {
  /// One of our versions.
  package struct Own {
    package var old: VersionNumber
    package var new: VersionNumber
    /// Its predecessor in our history, and in the joined one.
    var oldBefore: VersionNumber
    var newBefore: VersionNumber
    /// Whether it has shipped: then it takes up nothing of theirs, since stores are known by what it was.
    var isShipped = false
  }

  /// The folder of manifests, as the user named it.
  let path: String
  let sides: RebaseSides
  /// The versions that only the other branch has.
  package internal(set) var theirNew: [VersionNumber] = []
  /// Our versions with what they are called now; also those that keep their number.
  package internal(set) var own: [Own] = []
  /// Sorted by path; empty where it is refused.
  package internal(set) var changes: [FileChange] = []
  package internal(set) var diagnostics: [Diagnostic] = []
  /// For snippets: our manifests, and what became of them.
  package internal(set) var sources: [String: String] = [:]
  /// Whether something is in the way that has to go first: a manifest with errors, a modified file.
  package internal(set) var isRefused = false
  /// What is to stand in each file; nil for one that goes.
  var files: [String: [UInt8]?] = [:]
  /// The joined history's manifests.
  var joined: [VersionNumber: SourceFile] = [:]
  /// The version that joins the changes of both branches, where each has shipped its own.
  package internal(set) var joint: VersionNumber?
  /// Our versions of which theirs has the same stores: it stays in their place.
  package internal(set) var alike: [VersionNumber] = []
  /// Our drafts of which theirs has everything: they are gone.
  package internal(set) var settled: [VersionNumber] = []
  /// Our drafts that could not be joined with theirs: the classes say what is in them.
  package internal(set) var left: [VersionNumber] = []
  /// Files that a person has to resolve: nothing is generated from them.
  var unresolved: Set<String> = []
  /// Commands that are left to run.
  package private(set) var nextSteps: [String] = []
  /// How the first of their versions is placed after ours, where it is.
  var theirStep: Own?
  /// The joined history, once everything is generated.
  var evolution: Evolution?
  /// The configuration of both.
  var configuration = Configuration()

  /// Works out what to write; nothing is written until `write(to:)`.
  ///
  /// - Parameters:
  ///   - path: The folder of manifests.
  ///   - onto: The reference whose versions stay; nil for what git is merging, or the remote's default branch.
  /// - Throws: `GitFailure` where git has no answer.
  package init(
    _ path: String, onto: String? = nil, fileSystem: some FileSystem
  ) throws(GitFailure) {
    self.path = path
    sides = try RebaseSides(path, onto: onto)
    try run(fileSystem)
    if isRefused { changes = [] }
    diagnostics = diagnostics.reportOrder
    nextSteps = try stepsLeft(fileSystem)
  }

  /// Writes all changes or none.
  ///
  /// - Throws: `FileSystemError` of the first failure.
  package func write(to fileSystem: some FileSystem) throws(FileSystemError) {
    try changes.write(in: path, to: fileSystem)
  }

  /// What the versions are put after, as messages call it: `origin/main`.
  package var theirName: String { theirs.reference.name }
  var ours: RebaseSides.Side { sides.ours }
  var theirs: RebaseSides.Side { sides.theirs }
  var base: RebaseSides.Side { sides.base }

  private mutating func run(_ fileSystem: some FileSystem) throws(GitFailure) {
    try checkSides()
    guard !diagnostics.hasErrors else { return }
    configuration = try mergeConfiguration()
    var plain = self
    try joinCommon()
    let added = addedVersions()
    if let shipped = shippedOfBoth(added) { return try joinShipped(shipped, of: added, fileSystem) }
    number(added)
    guard !isRefused else { return }
    if sides.operation == .none, own.isEmpty || isUpToDate {
      changes = []
      return
    }
    try finish(fileSystem)
    // Where classes are the models, they say what the branches come to, and comments in them still answer.
    guard diagnostics.hasErrors, !isRefused, configuration.classes != nil,
      !added.contains(where: { ours.lock.released.contains($0) })
    else {
      return
    }
    plain.theirNew = theirNew
    plain.joined = theirs.manifests
    plain.left = own.map(\.old)
    try plain.finish(fileSystem)
    guard !plain.diagnostics.hasErrors else { return }
    let files = (own.isEmpty ? base.numbers : own.map(\.old)).reversed()
      .compactMap { ours.manifests[$0]?.path }
    let reasons = diagnostics.filter { $0.severity == .error }.map {
      "in the way is: \($0.message)"
    }
    plain.diagnostics.append(
      Diagnostic(
        .rebaseConflict,
        "what this branch and \(theirName) did does not go together: the manifests are as \(theirName) has them, and the classes decide",
        at: files.first.map { SourceLocation(file: $0) },
        help: reasons.prefix(3) + [
          "write in the classes what is right, and run: schemagen snapshot",
          "answers that no comment in a class has are in this branch's commit: git show HEAD:"
            + (files.first ?? ""),
        ], severity: .warning))
    self = plain
  }

  /// From numbers to files.
  mutating func finish(_ fileSystem: some FileSystem) throws(GitFailure) {
    try mergeOwn()
    guard !isRefused else { return }
    do throws(FileSystemError) {
      placeManifests()
      try renameUserFiles(configuration)
      try refuseResolvedFiles(fileSystem)
      placeLock()
      try generate(configuration, fileSystem)
    } catch {
      throw GitFailure("'\(error.path)' cannot be read: \(error.reason)")
    }
  }

  // MARK: What is in the way

  mutating func refuse(_ message: String, help: [String]) {
    isRefused = true
    diagnostics.append(Diagnostic(.notRebased, message, at: nil, help: help))
  }

  private mutating func checkSides() throws(GitFailure) {
    for side in [ours, theirs, base] {
      guard let trouble = side.trouble else { continue }
      let place = trouble.location.map { "\($0.file):\($0.line): " } ?? ""
      refuse(
        "'\(path)' has errors at \(side.reference.name): \(place)\(trouble.message)",
        help: ["fix it in a commit on that branch, and try again"])
    }
    let proven = theirs.lock.provenHashes
    for (number, hashes) in ours.lock.provenHashes.sorted(by: { $0.key < $1.key })
    where base.numbers.contains(number) && proven[number].map({ $0 != hashes }) ?? false {
      refuse(
        "the two branches have proven different hashes of \(number.name)",
        help: [
          "one of the two stores is not of \(number.name): take its hashes out of that branch's lock with git"
        ])
    }
    if ours.numbers.isEmpty || theirs.numbers.isEmpty || base.numbers.isEmpty {
      let empty = [ours, theirs, base].filter(\.numbers.isEmpty).map(\.reference.name)
      refuse(
        "'\(path)' has no manifests at \(empty.joined(separator: ", ")): there is nothing to join",
        help: ["where two branches began a folder each, take one of them: git checkout --theirs"])
    }
    if sides.operation == .none {
      let owned = Path.join(path, userFolder)
      let modified = try sides.repository.modified(below: [path, owned])
      if let first = modified.first {
        let more = modified.count > 1 ? " and \(modified.count - 1) more" : ""
        refuse(
          "'\(first)'\(more) is not committed: it would be lost, or be taken for the branch's version",
          help: ["commit or stash it: git stash --include-untracked"])
      }
    }
    if sides.operation == .merge {
      let edited = try sides.repository.editedSinceMerge(
        below: [path, Path.join(path, userFolder)])
      if let first = edited.first {
        refuse(
          "'\(first)' was edited after the merge began: the branches' contents would replace it",
          help: [
            "undo it, and make the edit again after the rebase: git checkout HEAD -- '\(first)'"
          ])
      }
    }
    if sides.operation == .rebase {
      // A commit that works on an older one's version would be taken for work on theirs of that number.
      let edited = base.numbers.filter { number in
        ours.manifests[number].map { $0.bytes != base.manifests[number]?.bytes } ?? true
      }
      if let first = edited.first {
        refuse(
          "the commit that git replays changes \(first.name), which an earlier one added",
          help: [
            "git rebase --abort, then merge instead: git merge \(theirs.reference.name)",
            "or make the branch's commits one first: git rebase --interactive",
          ])
      }
      do throws(FileSystemError) {
        try refuseEditedUserFiles()
      } catch {
        throw GitFailure("'\(error.path)' cannot be read: \(error.reason)")
      }
    }
  }

  /// A replayed commit that edits a user file of an earlier one: that file has another name by now, and the edit
  /// would be lost with it.
  private mutating func refuseEditedUserFiles() throws(FileSystemError) {
    let folder = Path.join(path, userFolder)
    for name in try base.tree.list(folder) ?? [] where name.hasSuffix(".swift") {
      let file = Path.join(folder, name)
      let before = try base.tree.read(file, limit: OutputLocations.readLimit)
      guard try ours.tree.read(file, limit: OutputLocations.readLimit) != before else { continue }
      refuse(
        "the commit that git replays edits '\(file)', which an earlier one added",
        help: [
          "git rebase --abort, then merge instead: git merge \(theirs.reference.name)",
          "or make the branch's commits one first: git rebase --interactive",
        ])
    }
  }

  private var userFolder: String {
    ours.configuration.map { ConfigurationReader().read($0).configuration.owned }
      ?? Configuration().owned
  }

  // MARK: What is left to do

  /// The commands that are left to run.
  private func stepsLeft(_ fileSystem: some FileSystem) throws(GitFailure) -> [String] {
    let written = writtenPlaces(fileSystem)
    let add = "git add --all -- " + written.map(ShellWord.quoted).joined(separator: " ")
    let snapshot = configuration.classes == nil ? [] : ["schemagen snapshot"]
    guard sides.operation != .none else {
      // The classes come with the merge only: the hook would take their changes for losses.
      return byHand + [
        add + " && git commit" + (snapshot.isEmpty ? "" : " --no-verify"),
        "git merge \(theirName)",
        "if that stops at generated files or at the lock: schemagen rebase again",
      ] + snapshot
    }
    let repository = sides.repository
    let settled = Set(
      (Array(files.keys) + changes.map(\.path)).compactMap { repository.path(of: $0) })
    let torn = try repository.unmerged().subtracting(settled).sorted().map(repository.shown)
    let resolve = torn.map { file in
      "resolve the conflict in \(file) so that it has the changes of both branches"
        + (file.hasSuffix(".swift") && !snapshot.isEmpty
          ? ", in the form of \(joined.keys.max()?.name ?? "the newest version")" : "")
    }
    let others = torn.filter { file in !written.contains { file.isInside($0) } }
      .map { " " + ShellWord.quoted($0) }.joined()
    let end = sides.operation == .merge ? "git commit" : "git rebase --continue"
    return (snapshot.isEmpty ? resolve + byHand : byHand.dropLast() + resolve + snapshot)
      + [add + others, end]
  }

  /// What is to be done before anything can be generated.
  private var byHand: [String] {
    guard diagnostics.hasErrors else { return [] }
    let files = unresolved.sorted().map { "resolve \($0)" }
    return (files.isEmpty ? ["correct the errors above"] : files) + ["schemagen generate"]
  }

  /// The folder of manifests, and the files and folders outside of it that hold what was written or is edited next.
  private func writtenPlaces(_ fileSystem: some FileSystem) -> [String] {
    let places = OutputLocations(folder: path, configuration: configuration).places
    var found = places.filter { folder in
      folder == path || fileSystem.isFolder(folder)
        || changes.contains { $0.path.isInside(folder) }
    }
    if let classes = configuration.classes, !left.isEmpty {
      found.append(Path.join(path, classes))
    }
    found += changes.map(\.path)
    return found.enumerated().filter { index, place in
      !found.enumerated().contains { other, folder in
        place.isInside(folder) && (place != folder || other < index)
      }
    }.map(\.element)
  }
}
