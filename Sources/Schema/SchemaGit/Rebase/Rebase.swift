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

/// Works out a rebase.
struct RebasePlan {
  /// One of our versions.
  struct Own {
    var old: VersionNumber
    var new: VersionNumber
    /// Its predecessor in our history, and in the joined one.
    var oldBefore: VersionNumber
    var newBefore: VersionNumber
  }

  let path: String
  let sides: RebaseSides
  private(set) var theirNew: [VersionNumber] = []
  private(set) var own: [Own] = []
  private(set) var changes: [FileChange] = []
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var sources: [String: String] = [:]
  private(set) var isRefused = false
  /// What is to stand in each file; nil for one that goes.
  private var files: [String: [UInt8]?] = [:]
  /// The joined history's manifests.
  private var joined: [VersionNumber: SourceFile] = [:]

  init(_ path: String, _ sides: RebaseSides) {
    self.path = path
    self.sides = sides
  }

  private var ours: RebaseSides.Side { sides.ours }
  private var theirs: RebaseSides.Side { sides.theirs }
  private var base: RebaseSides.Side { sides.base }

  mutating func run(_ fileSystem: some FileSystem) throws(GitFailure) {
    try checkSides()
    guard !diagnostics.hasErrors else { return }
    let configuration = try mergeConfiguration()
    try joinCommon()
    number()
    guard !diagnostics.hasErrors else { return }
    if sides.operation == .none, own.isEmpty || isUpToDate {
      changes = []
      return
    }
    try mergeOwn()
    guard !diagnostics.hasErrors else { return }
    do throws(FileSystemError) {
      try placeManifests(fileSystem)
      try renameUserFiles(configuration)
      placeLock()
      try generate(configuration, fileSystem)
    } catch {
      throw GitFailure("'\(error.path)' cannot be read: \(error.reason)")
    }
  }

  // MARK: What is in the way

  private mutating func refuse(_ message: String, help: [String]) {
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
          help: ["undo it, and make the edit again after the rebase: git checkout -- '\(first)'"])
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

  // MARK: What both branches have

  private mutating func mergeConfiguration() throws(GitFailure) -> Configuration {
    let file = ours.configuration ?? theirs.configuration ?? base.configuration
    let text = try merge(
      ours.configuration, base.configuration, theirs.configuration,
      called: file?.path ?? Path.join(path, "schemagen.yaml")
    ) { text in
      ConfigurationReader().read(SourceFile(path: "schemagen.yaml", text: text)).diagnostics
        .filter { $0.severity == .error }.map(\.message)
    }
    guard let file, let text else { return Configuration() }
    files[file.path] = Array(text.utf8)
    let merged = SourceFile(path: file.path, text: text)
    return ConfigurationReader().read(
      merged, bases: ManifestFiles.bases(of: merged, ours.tree)
    ).configuration
  }

  /// The versions that are not ours alone: each as the side has it that changed it.
  private mutating func joinCommon() throws(GitFailure) {
    let known = Set(base.numbers)
    theirNew = theirs.numbers.filter { !known.contains($0) }
    for number in theirNew { joined[number] = theirs.manifests[number] }
    for number in base.numbers {
      let files = [ours, base, theirs].map { $0.manifests[number] }
      let file = files[0] ?? files[2] ?? files[1]
      let text = try merge(files[0], files[1], files[2], called: file?.path ?? "") { text in
        Self.objections(
          to: text, ours: files[0], base: files[1], theirs: files[2], withSteps: false)
      }
      guard let file, let text else { continue }
      joined[number] = SourceFile(path: file.path, text: text)
    }
  }

  /// Three states of one file; nil where it is gone, or where a conflict was told.
  private mutating func merge(
    _ ours: SourceFile?, _ base: SourceFile?, _ theirs: SourceFile?, called path: String,
    objections: (String) -> [String]
  ) throws(GitFailure) -> String? {
    if ours?.bytes == theirs?.bytes || theirs?.bytes == base?.bytes { return ours?.text }
    if ours?.bytes == base?.bytes { return theirs?.text }
    guard let ours, let theirs else {
      let (who, other) = ours == nil ? ("this branch", theirName) : (theirName, "this branch")
      diagnostics.append(
        Diagnostic(
          .rebaseConflict, "\(who) removed '\(path)', and \(other) changed it",
          at: SourceLocation(file: path), help: ["decide on this branch, commit, and try again"]))
      return nil
    }
    let outcome = try TextMerge.merge(
      ours: ours.text, base: base?.text ?? "", theirs: theirs.text, objections: objections)
    switch outcome {
    case .merged(let text): return text
    case .conflicts(let conflicts):
      tell(conflicts, in: ours, name: path)
      return nil
    case .objections(let objections):
      sources[ours.path] = ours.text
      diagnostics.append(
        Diagnostic(
          .rebaseConflict,
          "the lines of this branch and \(theirName) merge cleanly, but the result means something that neither branch says",
          element: path, at: SourceLocation(file: ours.path),
          help: objections.prefix(10).map { "it would say: \($0)" } + [
            "nothing was written: lay out '\(ours.path)' as \(theirName) does, commit, and try again"
          ]))
      return nil
    }
  }

  private var theirName: String { theirs.reference.name }

  private mutating func tell(
    _ conflicts: [TextMerge.Conflict], in file: SourceFile, name: String
  ) {
    sources[file.path] = file.text
    let lines = file.text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0) }
    var cursor = 0
    for conflict in conflicts {
      if let first = conflict.ours.first,
        let found = lines[cursor...].firstIndex(of: first)
      {
        cursor = found
      }
      func side(_ lines: [String]) -> String {
        lines.isEmpty ? "(nothing)" : lines.prefix(20).joined(separator: "\n")
      }
      diagnostics.append(
        Diagnostic(
          .rebaseConflict, "this branch and \(theirName) changed one thing in two ways",
          element: name, at: SourceLocation(file: file.path, line: cursor + 1),
          help: [
            "this branch:\n" + side(conflict.ours), "\(theirName):\n" + side(conflict.theirs),
            "nothing was written: write \(theirName)'s side into '\(file.path)', commit, and try again; "
              + "make other changes afterwards",
          ]))
    }
  }

  // MARK: What is ours

  /// Our own versions with their numbers to be.
  private mutating func number() {
    let known = Set(base.numbers)
    let added = ours.numbers.filter { number in
      guard !known.contains(number), let version = ours.versions[number] else { return false }
      // What both have alike came here before.
      return theirs.versions[number].map { SchemaLock.digest($0) != SchemaLock.digest(version) }
        ?? true
    }
    let released = Set(
      (ours.lock?.entries ?? []).filter { $0.state == .released }.map(\.version))
    guard var last = joined.keys.max() else { return }
    for number in added {
      guard let before = ours.numbers.last(where: { $0 < number }) else {
        refuse(
          "\(number.name) is older than every version that both branches have",
          help: ["give it a number by hand"])
        return
      }
      var new = number
      if !theirNew.isEmpty {
        let part =
          before.successors.firstIndex(of: number)
          ?? (number.major != before.major ? 2 : number.minor != before.minor ? 1 : 0)
        new = last.successors[part]
      }
      if new != number, released.contains(number) {
        refuse(
          "\(number.name) has shipped from this branch: it cannot become \(new.name)",
          help: ["rebase the other branch onto this one instead"])
        return
      }
      own.append(Own(old: number, new: new, oldBefore: before, newBefore: last))
      last = new
    }
  }

  /// Whether nothing of theirs reaches our versions.
  private var isUpToDate: Bool {
    theirNew.isEmpty
      && base.numbers.allSatisfy { theirs.manifests[$0]?.bytes == base.manifests[$0]?.bytes }
  }

  private mutating func mergeOwn() throws(GitFailure) {
    let theirCaseNames = theirCaseNames
    for own in own {
      guard let file = ours.manifests[own.old], let start = ours.manifests[own.oldBefore],
        let newest = joined[own.newBefore]
      else { continue }
      let target = Path.join(
        path, own.new == own.old ? file.name : "\(own.new.name).yaml")
      // As 'new-version' would have copied each, so that only what was changed differs.
      let (baseText, baseFindings) = NewVersion().manifest(from: start, number: own.new)
      let (theirText, theirFindings) = NewVersion().manifest(from: newest, number: own.new)
      let findings = (baseFindings + theirFindings).filter { $0.severity == .error }
      guard let baseText, let theirText,
        let ourText = NewVersion().renumbered(file, number: own.new)
      else {
        diagnostics += findings
        if findings.isEmpty {
          refuse("'\(file.path)' cannot be renumbered automatically", help: ["do it by hand"])
        }
        continue
      }
      let sides = [theirCaseNames.applied(toManifest: ourText), baseText, theirText].map {
        SourceFile(path: file.path, text: $0)
      }
      let text = try merge(sides[0], sides[1], sides[2], called: target) { text in
        Self.objections(
          to: text, ours: sides[0], base: sides[1], theirs: sides[2], withSteps: true)
      }
      guard let text else { return }
      joined[own.new] = SourceFile(path: target, text: text)
    }
  }

  /// What theirs calls cases of enums that it renamed or replaced: ours knew them by their former names.
  private var theirCaseNames: NewestCaseNames {
    let common = theirs.numbers.lastIndex { base.numbers.contains($0) } ?? 0
    return NewestCaseNames(theirs.numbers.compactMap { theirs.versions[$0] }, at: common)
  }

  /// In what a merged manifest does not say what ours says, with what theirs changed and nothing else.
  private static func objections(
    to text: String, ours: SourceFile?, base: SourceFile?, theirs: SourceFile?, withSteps: Bool
  ) -> [String] {
    let merged = ManifestReader().read(SourceFile(path: ours?.path ?? "", text: text))
    let sides = [ours, base, theirs].map { file in
      file.flatMap { ManifestReader().read($0).version }
    }
    guard !merged.diagnostics.hasErrors, let version = merged.version, let ours = sides[0],
      let base = sides[1], let theirs = sides[2]
    else {
      let errors = merged.diagnostics.filter { $0.severity == .error }.map(\.message)
      return errors.isEmpty ? ["one of the sides is not a manifest"] : errors
    }
    var expected = ours.withoutStep
    for difference in SchemaDiffer().differences(from: base.withoutStep, to: theirs.withoutStep) {
      difference.apply(to: &expected)
    }
    // Steps are not differences: of two branches that work on one step, its lines are all there is.
    let found = VersionEdit(from: expected, to: version.withoutStep).changeDescriptions
    // The copy of theirs has what they accept of the version itself.
    let whole = ours.takingUpAcceptances(from: base, to: theirs)
    let steps = withSteps ? VersionEdit(from: whole, to: version).stepDescriptions : []
    // What no difference can say is one all the same.
    let isOther = found.isEmpty && expected.canonical != version.canonical
    return found + steps + (isOther ? ["something else"] : [])
  }

  // MARK: Files

  private mutating func placeManifests(
    _ fileSystem: some FileSystem
  ) throws(FileSystemError) {
    for side in [ours, theirs, base] {
      for file in side.manifests.values { files[file.path] = .some(nil) }
    }
    for file in joined.values { files[file.path] = file.bytes }
    for file in joined.values { sources[file.path] = file.text }
  }

  private mutating func placeLock() {
    guard var lock = theirs.lock ?? ours.lock else { return }
    // What this branch says has shipped, of versions that both have, has shipped.
    let common = Set(base.numbers)
    for entry in ours.lock?.entries ?? []
    where entry.state == .released && common.contains(entry.version) {
      _ = lock.release(upTo: entry.version)
      // Where both have hashes they are the same: others were refused.
      if let hashes = entry.hashes, hashes.isProven { lock.note(hashes, of: entry.version) }
    }
    files[Path.join(path, SchemaLock.fileName)] = Array(lock.text.utf8)
  }

  /// The app's own files of our steps, under their steps' new names; theirs as theirs has them.
  private mutating func renameUserFiles(
    _ configuration: Configuration
  ) throws(FileSystemError) {
    let folder = Path.join(path, configuration.owned)
    let names = configuration.names
    var all = UserFileRenaming()
    for own in own where own.old != own.new {
      all.add(own.old, own.new, models: ours.versions[own.old]?.models.map(\.name) ?? [], names)
    }
    func swiftFiles(_ side: RebaseSides.Side) throws(FileSystemError) -> [String] {
      try (side.tree.list(folder) ?? []).filter { $0.hasSuffix(".swift") }
    }
    let common = Set(try swiftFiles(base))
    let theirFiles = Set(try swiftFiles(theirs))
    // Collected first: while V9ToV10 becomes V10ToV11, V10ToV11 becomes V11ToV12.
    var gone: [String] = []
    var renamed: [String: [UInt8]] = [:]
    var kept: Set<String> = []
    for name in try swiftFiles(ours) where !common.contains(name) {
      let file = Path.join(folder, name)
      guard let bytes = try ours.tree.read(file, limit: OutputLocations.readLimit) else { continue }
      var renaming = all
      var target = name
      for own in own {
        let before = VersionStep.name(from: own.oldBefore, to: own.old)
        guard name == before + ".swift" else { continue }
        target = VersionStep.name(from: own.newBefore, to: own.new) + ".swift"
        // Rows that the step starts from are the other version's now.
        if own.oldBefore != own.newBefore {
          let models = ours.versions[own.oldBefore]?.models.map(\.name) ?? []
          renaming.add(own.oldBefore, own.newBefore, models: models, names)
        }
        renaming.add(from: (own.oldBefore, own.old), to: (own.newBefore, own.new), names)
      }
      if target != name {
        gone.append(file)
        renamed[Path.join(folder, target)] = Array(renaming.applied(to: text(bytes)).utf8)
      } else if theirFiles.contains(name) {
        // Both added it: what differs in it is for git to tell.
        kept.insert(name)
      } else {
        renamed[file] = Array(renaming.applied(to: text(bytes)).utf8)
      }
    }
    for file in gone { files[file] = .some(nil) }
    // What the other branch added comes with its versions.
    for name in theirFiles.subtracting(common).subtracting(kept).sorted() {
      let file = Path.join(folder, name)
      files[file] = try theirs.tree.read(file, limit: OutputLocations.readLimit)
    }
    files.merge(renamed) { _, new in new }
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Everything that follows from the joined manifests; what is on disk is looked at last.
  private mutating func generate(
    _ configuration: Configuration, _ fileSystem: some FileSystem
  ) throws(FileSystemError) {
    let torn = try tornFiles(configuration)
    let shown = files.merging(torn) { file, _ in file }
    let overlay = MemoryFiles(shown, over: fileSystem)
    let generation = GenerationPipeline(fileSystem: overlay).run(path, isFresh: true)
    diagnostics += generation.diagnostics
    sources.merge(generation.folder?.sources ?? [:]) { _, new in new }
    guard !diagnostics.hasErrors else { return }
    var whole = shown
    for change in generation.changes {
      whole[change.path] = change.action == .remove ? .some(nil) : change.contents
    }
    for (path, contents) in whole.sorted(by: { $0.key < $1.key }) {
      let previous = try fileSystem.read(path, limit: OutputLocations.readLimit)
      guard previous != contents else { continue }
      changes.append(
        FileChange(
          action: contents == nil ? .remove : previous == nil ? .create : .update, path: path,
          contents: contents ?? [], previous: previous))
    }
  }

  /// Generated files in which a merge left marks, as one of the sides has them: they are made anew.
  private func tornFiles(
    _ configuration: Configuration
  ) throws(FileSystemError) -> [String: [UInt8]?] {
    guard sides.operation != .none else { return [:] }
    let unmerged: Set<String>
    do throws(GitFailure) {
      unmerged = try sides.repository.unmerged()
    } catch {
      throw FileSystemError(path: path, reason: error.reason)
    }
    let places = OutputLocations(folder: path, configuration: configuration)
    var found: [String: [UInt8]?] = [:]
    var candidates: [String] = []
    for side in [ours, theirs] {
      for folder in places.folders.map({ Path.join(path, $0) }) {
        candidates += try (side.tree.list(folder) ?? []).map { Path.join(folder, $0) }
      }
    }
    candidates += [configuration.documentation].compactMap { $0 }.map { Path.join(path, $0) }
    for file in candidates {
      guard let inside = sides.repository.path(of: file), unmerged.contains(inside) else {
        continue
      }
      for side in [ours, theirs] {
        if let bytes = try side.tree.read(file, limit: OutputLocations.readLimit),
          GeneratedFile.isMarked(bytes)
        {
          found[file] = bytes
          break
        }
      }
    }
    return found
  }
}
