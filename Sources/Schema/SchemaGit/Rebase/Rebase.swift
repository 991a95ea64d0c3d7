internal import Foundation
internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
package import SchemaModel
internal import SchemaProcesses
package import SchemaWorkspace

/// Puts the versions that a branch added after the versions that another branch has added in the meantime.
///
/// The other branch's versions (theirs) stay. Each version of this branch (ours) gets the next free number, and the
/// other branch's changes are merged into it with `git merge-file`. Everything is computed from commits, also during a
/// stopped `git merge`.
package struct Rebase {
  /// A version that this branch added.
  package struct Own {
    package var old: VersionNumber
    package var new: VersionNumber
    /// The predecessors in our history and in the merged one.
    var oldBefore: VersionNumber
    var newBefore: VersionNumber
    /// Whether the version has shipped and gets another number, because the other branch has shipped versions, too.
    /// Such a version stays as stores have it.
    var isShipped: Bool
  }

  let path: String
  let sides: RebaseSides
  package private(set) var theirNew: [VersionNumber] = []
  /// Our versions with their new numbers, including those that keep their number.
  package private(set) var own: [Own] = []
  package internal(set) var changes: [FileChange] = []
  package internal(set) var diagnostics: [Diagnostic] = []
  package internal(set) var sources: [String: String] = [:]
  /// Whether something must be resolved first: a manifest with errors, a modified file.
  package private(set) var isRefused = false
  /// Our drafts whose changes the other branch has completely. They are removed.
  package private(set) var settled: [VersionNumber] = []
  /// Our drafts that could not be merged with their versions. The contents of these drafts come from the classes.
  package private(set) var left: [VersionNumber] = []
  package private(set) var nextSteps: [String] = []
  /// The new contents of each file; nil for a file to remove.
  var files: [String: [UInt8]?] = [:]
  private(set) var joined: [VersionNumber: SourceFile] = [:]
  /// Files that a person must resolve. Nothing is generated from them.
  private(set) var unresolved: Set<String> = []
  var evolution: Evolution?
  private(set) var configuration = Configuration()

  /// Determines what to write; `write(to:)` writes it.
  ///
  /// - Parameter onto: The reference whose versions stay. Nil for what git is merging, or for the remote's default
  ///   branch.
  package init(
    _ path: String, onto: String? = nil, fileSystem: some FileSystem
  ) throws(GitFailure) {
    self.path = path
    sides = try RebaseSides(path, onto: onto)
    try run(fileSystem)
    if isRefused { changes = [] }
    diagnostics = diagnostics.reportOrder
    nextSteps = stepsLeft(fileSystem)
  }

  package func write(to fileSystem: some FileSystem) throws(FileSystemError) {
    try changes.write(in: path, to: fileSystem)
  }

  /// The reference that our versions are put after, for messages: `origin/main`.
  package var theirName: String { theirs.reference.name }
  var ours: RebaseSides.Side { sides.ours }
  var theirs: RebaseSides.Side { sides.theirs }
  var base: RebaseSides.Side { sides.base }

  private mutating func run(_ fileSystem: some FileSystem) throws(GitFailure) {
    try checkSides()
    guard !isRefused else { return }
    try mergeConfiguration()
    let known = Set(base.numbers)
    theirNew = theirs.numbers.filter { !known.contains($0) }
    number()
    let isUpToDate =
      theirNew.isEmpty
      && base.numbers.allSatisfy { theirs.manifests[$0]?.bytes == base.manifests[$0]?.bytes }
    guard !isRefused, sides.operation != .none || !(own.isEmpty || isUpToDate) else { return }
    var plain = self
    try joinManifests()
    try finish(fileSystem)
    let errors = diagnostics.filter { $0.severity == .error }
    guard !own.contains(where: \.isShipped) else { return refuseLosses(errors) }
    // In code first, the classes contain the result of the merge, and their comments still answer questions.
    guard !errors.isEmpty, !isRefused, configuration.classes != nil else { return }
    plain.joined = theirs.manifests
    plain.left = own.map(\.old)
    plain.own = []
    try plain.finish(fileSystem)
    guard !plain.diagnostics.hasErrors else { return }
    let file = (own.map(\.old).last ?? base.numbers.last).flatMap { ours.manifests[$0]?.path }
    plain.diagnostics.append(
      Diagnostic(
        .rebaseConflict,
        "the changes of this branch and \(theirName) conflict: the manifests are now those of \(theirName), and the classes decide what of this branch still applies",
        at: file.map { SourceLocation(file: $0) },
        help: errors.prefix(3).map { "the conflict: \($0.message)" } + [
          "correct the classes, and run: schemagen snapshot",
          "answers that are in no class's comments are in this branch's commit: git show HEAD:"
            + (file ?? ""),
        ], severity: .warning))
    self = plain
  }

  // MARK: What is in the way

  mutating func refuse(_ message: String, help: [String]) {
    isRefused = true
    diagnostics.append(Diagnostic(.notRebased, message, at: nil, help: help))
  }

  private mutating func checkSides() throws(GitFailure) {
    for side in [ours, theirs, base] {
      if let trouble = side.trouble {
        let place = trouble.location.map { "\($0.file):\($0.line): " } ?? ""
        refuse(
          "'\(path)' has errors at \(side.reference.name): \(place)\(trouble.message)",
          help: ["fix the error in a commit on that branch, and try again"])
      } else if side.numbers.isEmpty {
        refuse(
          "'\(path)' has no manifests at \(side.reference.name): there is nothing to rebase",
          help: [
            "if each branch created its own folder, take one of the folders: git checkout --theirs"
          ])
      }
    }
    let proven = theirs.lock.provenHashes
    for (number, hashes) in ours.lock.provenHashes.sorted(by: { $0.key < $1.key })
    where base.numbers.contains(number) && proven[number].map({ $0 != hashes }) ?? false {
      refuse(
        "the two branches have proven different hashes for \(number.name)",
        help: [
          "one of the branches has the hashes of a store that is not \(number.name)'s: use git to remove the hashes "
            + "from that branch's lock"
        ])
    }
    let owned = Path.join(
      path,
      ours.configuration.map { ConfigurationReader().read($0).configuration.owned }
        ?? Configuration().owned)
    switch sides.operation {
    case .none, .merge:
      guard let first = try sides.edited(below: [path, owned]) else { return }
      refuse(
        sides.operation == .none
          ? "'\(first)' is not committed: it would be lost, or be treated as the branch's version"
          : "'\(first)' was edited after the merge began: the branches' contents would replace it",
        help: [
          sides.operation == .none
            ? "commit or stash the file: git stash --include-untracked"
            : "undo the edit, and make it again after the rebase: git checkout HEAD -- '\(first)'"
        ])
    case .rebase:
      // If the commit changes a version that an earlier commit added, git would apply the change to the other branch's
      // version with that number.
      var common = base.numbers.compactMap { base.manifests[$0]?.path }
      common += try base.swiftFiles(in: owned).sorted().map { Path.join(owned, $0) }
      for file in common where try ours.bytes(file) != base.bytes(file) {
        return refuse(
          "the commit that git replays edits '\(file)', which an earlier commit added",
          help: [
            "git rebase --abort, then merge instead: git merge \(theirName)",
            "or first squash the branch's commits into one: git rebase --interactive",
          ])
      }
    }
  }

  // MARK: Numbers

  private mutating func number() {
    let released = ours.lock.released
    let theirReleased = theirNew.contains { theirs.lock.released.contains($0) }
    guard var last = (theirNew + base.numbers).max() else { return }
    for number in ours.numbers where !base.numbers.contains(number) {
      // A version that both branches have unchanged was merged before.
      let (their, our) = (theirs.versions[number], ours.versions[number])
      if let their, let our, SchemaLock.digest(their) == SchemaLock.digest(our) { continue }
      guard let before = ours.numbers.last(where: { $0 < number }) else {
        return refuse(
          "\(number.name) is older than every version that both branches have",
          help: ["give the version a number by hand"])
      }
      let part =
        before.successors.firstIndex(of: number)
        ?? (number.major != before.major ? 2 : number.minor != before.minor ? 1 : 0)
      let new = theirNew.isEmpty ? number : last.successors[part]
      let isShipped = new != number && released.contains(number)
      if isShipped, !theirReleased {
        return refuse(
          "\(number.name) has shipped from this branch, and no new version of \(theirName) has: "
            + "\(number.name) cannot become \(new.name)",
          help: [otherWay])
      }
      own.append(
        Own(old: number, new: new, oldBefore: before, newBefore: last, isShipped: isShipped))
      last = new
    }
  }

  /// The command that puts the other branch's versions after this branch's.
  private var otherWay: String {
    (sides.operation == .merge ? "git merge --abort; " : "")
      + "git switch \(ShellWord.quoted(theirName)); schemagen rebase --onto BRANCH, where BRANCH is this branch's name"
  }

  /// Refuses the rebase if a version shipped from this branch loses data of a version shipped from the other branch,
  /// unless one of the branches has removed the element itself.
  private mutating func refuseLosses(_ errors: [Diagnostic]) {
    let shipped = own.filter(\.isShipped)
    guard !isRefused, !shipped.isEmpty else { return }
    var reasons = errors.map(\.message)
    if let evolution {
      func key(_ loss: Loss) -> String { "\(loss.element) \(loss.rule)" }
      let known = Set(
        [ours, theirs].flatMap { $0.evolution?.losses(ofShipped: Set($0.numbers)) ?? [] }.map(key))
      let released = Set(base.numbers + theirNew + shipped.map(\.new))
      reasons += evolution.losses(ofShipped: released).filter { loss in
        let drops = evolution.history.first { $0.number == loss.version }?.drops ?? []
        return released.contains(loss.version) && !known.contains(key(loss))
          && !drops.contains { $0.element.value == loss.element }
      }.map { "\($0.element): \($0.words)" }
    }
    guard !reasons.isEmpty else { return }
    let names = shipped.map(\.old.name).joined(separator: ", ")
    let last = theirNew.last?.name ?? ""
    diagnostics = []
    refuse(
      "\(names) of this branch and \(theirNew.map(\.name).joined(separator: ", ")) of \(theirName) have both "
        + "shipped: if \(names) of this branch came last, data in the other branch's stores would be lost",
      help: reasons.prefix(3) + [
        "if \(last) of \(theirName) keeps all that \(names) has, put that version last: \(otherWay)",
        "if one of the versions is only on devices of your team and your testers, take its release back: "
          + Basis.documentation + "cookbook/bad-release.md#may-i-take-the-release-back",
        "if the values may be lost: list the elements under 'drops:' in "
          + "'\(ours.manifests[shipped[0].old]?.path ?? path)', each with the reason; "
          + "git commit --no-verify, since these lines are only valid after the rebase; and try again",
      ])
  }

  // MARK: Manifests

  private mutating func mergeConfiguration() throws(GitFailure) {
    let all = [ours, theirs, base].map(\.configuration)
    guard let file = all.compactMap(\.self).first,
      let text = try merge(all[0], all[2], all[1], called: file.path)
    else { return }
    files[file.path] = Array(text.utf8)
    // Until a person resolves the conflict, files stay where this branch has them.
    let merged = SourceFile(
      path: file.path, text: unresolved.contains(file.path) ? file.text : text)
    configuration =
      ConfigurationReader().read(merged, bases: ManifestFiles.bases(of: merged, ours.tree))
      .configuration
  }

  private mutating func joinManifests() throws(GitFailure) {
    for number in theirNew { joined[number] = theirs.manifests[number] }
    for number in base.numbers {
      let files = [ours, base, theirs].map { $0.manifests[number] }
      guard let file = files[0] ?? files[2] ?? files[1],
        let text = try merge(files[0], files[1], files[2], called: file.path)
      else { continue }
      joined[number] = SourceFile(path: file.path, text: text)
    }
    for own in own {
      guard let file = ours.manifests[own.old], let start = ours.manifests[own.oldBefore],
        let newest = joined[own.newBefore]
      else { continue }
      let target = Path.join(path, own.new == own.old ? file.name : "\(own.new.name).yaml")
      guard let text = NewVersion.renumbered(file, number: own.new) else {
        refuse(
          "'\(file.path)' cannot be renumbered automatically", help: ["renumber the file by hand"])
        continue
      }
      joined[own.new] = SourceFile(path: target, text: text)
      guard !own.isShipped else { continue }
      guard !unresolved.contains(newest.path) else {
        leave(
          target, "'\(target)' follows '\(newest.path)', which must be resolved first",
          at: SourceLocation(file: target),
          help: "then make the changes of \(theirName) in '\(target)' as well")
        continue
      }
      // Compare both manifests as 'new-version' would have copied them, so that only real changes differ.
      let copies = [start, newest].map { NewVersion.manifest(from: $0, number: own.new) }
      guard let startText = copies[0].text, let theirText = copies[1].text else {
        diagnostics += copies.flatMap(\.diagnostics).filter { $0.severity == .error }
        unresolved.insert(target)
        continue
      }
      let sides = [text, startText, theirText].map { SourceFile(path: target, text: $0) }
      let merged = try merge(sides[0], sides[1], sides[2], called: target)
      // The other branch has all changes of this version. Two versions in a row that store the same would crash.
      if own.new == self.own.last?.new, merged == theirText {
        self.own.removeLast()
        settled.append(own.old)
        joined[own.new] = nil
      } else {
        joined[own.new] = merged.map { SourceFile(path: target, text: $0) }
      }
    }
  }

  /// Merges three states of one file with git, leaving conflict marks. Nil if the file was removed.
  private mutating func merge(
    _ ours: SourceFile?, _ base: SourceFile?, _ theirs: SourceFile?, called path: String
  ) throws(GitFailure) -> String? {
    if ours?.bytes == theirs?.bytes || theirs?.bytes == base?.bytes { return ours?.text }
    if ours?.bytes == base?.bytes { return theirs?.text }
    guard let ours, let theirs else {
      let (who, other) = ours == nil ? ("this branch", theirName) : (theirName, "this branch")
      leave(
        path, "\(who) removed '\(path)', and \(other) changed it", at: SourceLocation(file: path),
        help: "the file is kept: remove it yourself if the removal is right")
      return ours?.text ?? theirs?.text
    }
    let texts = [ours.text, base?.text ?? "", theirs.text]
    let merged = try sides.merged(texts, takesBoth: false)
    if merged.hasConflicts {
      // Keep additions of both sides at one place in sequence, if each keeps its meaning. For manifests of classes, the
      // classes decide.
      let both = try sides.merged(texts, takesBoth: true).text
      // A model at the end of 'models:' must come before the key that the other side added after it.
      for text in [both, try sides.merged(texts.reversed(), takesBoth: true).text] {
        if let base, Self.says(text, what: [ours, theirs], since: base) { return text }
      }
      if base != nil, configuration.classes != nil { return both }
      let place = MergeConflict.all(in: SourceFile(path: path, text: merged.text)).first?.place
      sources[path] = merged.text
      leave(
        path, "this branch and \(theirName) changed the same thing differently",
        at: place ?? SourceLocation(file: path), help: "keep what is right from both sides")
    }
    return merged.text
  }

  /// Whether a manifest has exactly the changes that both sides made to their base.
  private static func says(
    _ text: String, what sides: [SourceFile], since base: SourceFile
  ) -> Bool {
    let read = ([text] + sides.map(\.text) + [base.text]).map {
      ManifestReader().read(SourceFile(path: base.path, text: $0))
    }
    let versions = read.compactMap(\.version)
    guard !read.contains(where: \.diagnostics.hasErrors), versions.count == 4 else { return false }
    let edits = versions.prefix(3).map { VersionEdit(from: versions[3], to: $0).descriptions }
    return Set(edits[0]) == Set(edits[1] + edits[2])
  }

  private mutating func leave(
    _ path: String, _ message: String, at location: SourceLocation, help: String
  ) {
    unresolved.insert(path)
    diagnostics.append(
      Diagnostic(.rebaseConflict, message, element: path, at: location, help: [help]))
  }

  // MARK: What is left to do

  private func stepsLeft(_ fileSystem: some FileSystem) -> [String] {
    // The paths are the folder of manifests, folders outside it with written files, and the classes that are edited
    // next.
    var places = [path]
    let folders = OutputLocations(folder: path, configuration: configuration).places
    let classes = left.isEmpty ? nil : configuration.classes.map { Path.join(path, $0) }
    for place in [classes].compactMap(\.self) + folders + changes.map(\.path)
    where !places.contains(where: place.isInside)
      && (fileSystem.isFolder(place) || changes.contains { $0.path.isInside(place) })
    {
      places.append(place)
    }
    let add = "git add --all -- " + places.map(ShellWord.quoted).joined(separator: " ")
    let snapshot = configuration.classes == nil ? [] : ["schemagen snapshot"]
    let resolve = unresolved.sorted().map { "resolve \($0)" }
    let byHand =
      !diagnostics.hasErrors ? [] : resolve.isEmpty ? ["correct the errors above"] : resolve
    let generate = diagnostics.hasErrors && snapshot.isEmpty ? ["schemagen generate"] : []
    guard sides.operation != .none else {
      // The classes arrive only with the merge. Without them, the hook would report their changes as losses.
      return byHand + generate + [
        add + " && git commit" + (snapshot.isEmpty ? "" : " --no-verify"),
        "git merge \(theirName)",
        "if the merge stops with conflicts in generated files or the lock: run schemagen rebase again",
      ] + snapshot
    }
    let repository = sides.repository
    let settled = Set(
      (Array(files.keys) + changes.map(\.path)).compactMap { repository.path(of: $0) })
    let torn = sides.unmerged.subtracting(settled).sorted().map(repository.shown)
    let others = torn.filter { file in !places.contains { file.isInside($0) } }
      .map { " " + ShellWord.quoted($0) }.joined()
    return byHand
      + torn.map { file in
        "resolve the conflict in \(file) so that it has the changes of both branches"
          + (file.hasSuffix(".swift") && !snapshot.isEmpty
            ? ", in the form of \(joined.keys.max()?.name ?? "the newest version")" : "")
      } + generate + snapshot
      + [add + others, sides.operation == .merge ? "git commit" : "git rebase --continue"]
  }
}
