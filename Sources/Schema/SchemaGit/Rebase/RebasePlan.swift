internal import Foundation
internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
internal import SchemaModel
internal import SchemaRendering
internal import SchemaWorkspace

/// Works out a rebase.
struct RebasePlan {
  /// One of our versions.
  struct Own {
    var old: VersionNumber
    var new: VersionNumber
    /// Its predecessor in our history, and in the joined one.
    var oldBefore: VersionNumber
    var newBefore: VersionNumber
    /// Whether it has shipped: then it takes up nothing of theirs, since stores are known by what it was.
    var isShipped = false
  }

  let path: String
  let sides: RebaseSides
  var theirNew: [VersionNumber] = []
  var own: [Own] = []
  var changes: [FileChange] = []
  var diagnostics: [Diagnostic] = []
  var sources: [String: String] = [:]
  var isRefused = false
  /// What is to stand in each file; nil for one that goes.
  var files: [String: [UInt8]?] = [:]
  /// The joined history's manifests.
  var joined: [VersionNumber: SourceFile] = [:]
  /// The version that joins the changes of both branches, where each has shipped its own.
  var joint: VersionNumber?
  /// Our versions of which theirs has the same stores.
  var alike: [VersionNumber] = []
  /// Our drafts of which theirs has everything.
  var settled: [VersionNumber] = []
  /// Our drafts that cannot be joined with theirs, and that the classes say.
  var left: [VersionNumber] = []
  /// Manifests of ours of which something is as theirs has it, since both changed it.
  var contested: Set<String> = []
  /// Files that a person has to resolve: nothing is generated from them.
  var unresolved: Set<String> = []
  /// How the first of their versions is placed after ours, where it is.
  var theirStep: TheirStep?
  /// The joined history, once everything is generated.
  var evolution: Evolution?
  /// The configuration of both.
  var configuration = Configuration()

  init(_ path: String, _ sides: RebaseSides) {
    self.path = path
    self.sides = sides
  }

  var ours: RebaseSides.Side { sides.ours }
  var theirs: RebaseSides.Side { sides.theirs }
  var base: RebaseSides.Side { sides.base }

  mutating func run(_ fileSystem: some FileSystem) throws(GitFailure) {
    try checkSides()
    guard !diagnostics.hasErrors else { return }
    configuration = try mergeConfiguration()
    try joinCommon()
    let added = addedVersions()
    if let shipped = shippedOfBoth(added) { return try joinShipped(shipped, of: added, fileSystem) }
    number(added)
    guard !isRefused else { return }
    if sides.operation == .none, own.isEmpty || isUpToDate {
      changes = []
      return
    }
    let start = self
    try finish(fileSystem)
    // Where classes are the models, they say what the branches come to, and comments in them still answer.
    guard diagnostics.hasErrors, !isRefused, configuration.classes != nil,
      !added.contains(where: { ours.lock?.released.contains($0) ?? false })
    else {
      return
    }
    var plain = start
    plain.own = []
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
        "what this branch and \(theirs.reference.name) did does not go together: the manifests are as \(theirs.reference.name) "
          + "has them, and the classes decide",
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
    for side in [ours, theirs, base] where side.isMalformed {
      let name = side.reference.name
      let broken = side.diagnostics.first { $0.severity == .error }
      let place = broken?.location.map { "\($0.file):\($0.line): " } ?? ""
      refuse(
        "'\(path)' has errors at \(name): \(place)\(broken?.message ?? "")",
        help: ["fix it in a commit on that branch, and try again"])
    }
    let proven = theirs.lock?.provenHashes ?? [:]
    for (number, hashes) in (ours.lock?.provenHashes ?? [:]).sorted(by: { $0.key < $1.key })
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
      try refuseEditedUserFiles()
    }
  }

  /// A replayed commit that edits a user file of an earlier one: that file has another name by now, and the edit
  /// would be lost with it.
  private mutating func refuseEditedUserFiles() throws(GitFailure) {
    do throws(FileSystemError) {
      try lookForEditedUserFiles()
    } catch {
      throw GitFailure("'\(error.path)' cannot be read: \(error.reason)")
    }
  }

  private mutating func lookForEditedUserFiles() throws(FileSystemError) {
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
}
