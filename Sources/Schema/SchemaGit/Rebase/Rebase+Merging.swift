internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
internal import SchemaModel
internal import SchemaRendering
internal import SchemaWorkspace

/// What both branches have, and what is ours alone.
extension Rebase {
  // MARK: What both branches have

  mutating func mergeConfiguration() throws(GitFailure) -> Configuration {
    let file = ours.configuration ?? theirs.configuration ?? base.configuration
    let text = try merge(
      ours.configuration, base.configuration, theirs.configuration,
      called: file?.path ?? Path.join(path, "schemagen.yaml"))
    guard let file, let text else { return Configuration() }
    files[file.path] = Array(text.utf8)
    // Until somebody has resolved it, files are where this branch has them.
    let merged = SourceFile(
      path: file.path, text: unresolved.contains(file.path) ? file.text : text)
    return ConfigurationReader().read(
      merged, bases: ManifestFiles.bases(of: merged, ours.tree)
    ).configuration
  }

  /// The versions that are not ours alone: each as the side has it that changed it.
  mutating func joinCommon() throws(GitFailure) {
    let known = Set(base.numbers)
    theirNew = theirs.numbers.filter { !known.contains($0) }
    for number in theirNew { joined[number] = theirs.manifests[number] }
    for number in base.numbers {
      let files = [ours, base, theirs].map { $0.manifests[number] }
      guard let file = files[0] ?? files[2] ?? files[1],
        let text = try mergeManifests(files[0], files[1], files[2], called: file.path)
      else { continue }
      joined[number] = SourceFile(path: file.path, text: text)
    }
  }

  /// What git makes of three states of a manifest.
  struct JoinedLines {
    let lines: TextMerge
    /// The text, where it says what ours and theirs each say beyond what both come from, and nothing else.
    let text: String?
  }

  /// Joins three states of a manifest by their lines; where both put lines at one place, both may be right.
  func join(
    _ ours: SourceFile, _ base: SourceFile, _ theirs: SourceFile
  ) throws(GitFailure) -> JoinedLines {
    func merged(keepsBoth: Bool) throws(GitFailure) -> TextMerge {
      try TextMerge(
        ours: ours.text, base: base.text, theirs: theirs.text, theirName: theirName,
        keepsBoth: keepsBoth)
    }
    func read(_ text: String) -> SchemaVersion? {
      let read = ManifestReader().read(SourceFile(path: ours.path, text: text))
      return read.diagnostics.hasErrors ? nil : read.version
    }
    let lines = try merged(keepsBoth: false)
    guard let own = read(ours.text), let start = read(base.text), let other = read(theirs.text)
    else { return JoinedLines(lines: lines, text: lines.hasConflicts ? nil : lines.text) }
    func edits(_ version: SchemaVersion) -> Set<String> {
      Set(VersionEdit(from: start, to: version).descriptions)
    }
    let meant = edits(own).union(edits(other))
    let text = lines.hasConflicts ? try merged(keepsBoth: true).text : lines.text
    return JoinedLines(lines: lines, text: read(text).map(edits) == meant ? text : nil)
  }

  /// Three states of a manifest; nil where it is gone.
  private mutating func mergeManifests(
    _ ours: SourceFile?, _ base: SourceFile?, _ theirs: SourceFile?, called path: String
  ) throws(GitFailure) -> String? {
    guard let ours, let base, let theirs, ours.bytes != theirs.bytes, ours.bytes != base.bytes,
      theirs.bytes != base.bytes
    else { return try merge(ours, base, theirs, called: path) }
    let joined = try join(ours, base, theirs)
    if let text = joined.text { return text }
    leave(path, joined.lines)
    return joined.lines.text
  }

  /// Three states of one file by its lines; nil where it is gone.
  mutating func merge(
    _ ours: SourceFile?, _ base: SourceFile?, _ theirs: SourceFile?, called path: String
  ) throws(GitFailure) -> String? {
    if ours?.bytes == theirs?.bytes || theirs?.bytes == base?.bytes { return ours?.text }
    if ours?.bytes == base?.bytes { return theirs?.text }
    guard let ours, let theirs else {
      let (who, other) = ours == nil ? ("this branch", theirName) : (theirName, "this branch")
      diagnostics.append(
        Diagnostic(
          .rebaseConflict, "\(who) removed '\(path)', and \(other) changed it",
          at: SourceLocation(file: path), help: ["it stays: remove it where that is right"]))
      unresolved.insert(path)
      return ours?.text ?? theirs?.text
    }
    let lines = try TextMerge(
      ours: ours.text, base: base?.text ?? "", theirs: theirs.text, theirName: theirName)
    if lines.hasConflicts { leave(path, lines) }
    return lines.text
  }

  /// Leaves what git makes of a file to a person.
  private mutating func leave(_ path: String, _ lines: TextMerge) {
    let file = SourceFile(path: path, text: lines.text)
    sources[path] = lines.text
    unresolved.insert(path)
    diagnostics.append(
      Diagnostic(
        .rebaseConflict,
        lines.hasConflicts
          ? "this branch and \(theirName) changed one thing in two ways"
          : "the lines of this branch and of \(theirName) do not say together what each says",
        element: path, at: MergeConflict.all(in: file).first?.place ?? SourceLocation(file: path),
        help: ["keep in it what is right of both"]))
    if !lines.hasConflicts {
      diagnostics += ManifestReader().read(file).diagnostics.filter { $0.severity == .error }
    }
  }

  // MARK: What is ours

  /// The versions that this branch added, ascending.
  func addedVersions() -> [VersionNumber] {
    let known = Set(base.numbers)
    return ours.numbers.filter { number in
      guard !known.contains(number), let version = ours.versions[number] else { return false }
      // What both have alike came here before.
      return theirs.versions[number].map { SchemaLock.digest($0) != SchemaLock.digest(version) }
        ?? true
    }
  }

  /// Our own versions with their numbers to be.
  mutating func number(_ added: [VersionNumber]) {
    let released = ours.lock.released
    guard var last = joined.keys.max() else { return }
    for number in added {
      guard let before = ours.numbers.last(where: { $0 < number }) else {
        refuse(
          "\(number.name) is older than every version that both branches have",
          help: ["give it a number by hand"])
        return
      }
      let new = theirNew.isEmpty ? number : number.successor(of: last, after: before)
      if new != number, released.contains(number) {
        let branch = ShellWord.quoted(theirName)
        refuse(
          "\(number.name) has shipped from this branch, and \(theirName) has not shipped its own: "
            + "\(number.name) cannot become \(new.name)",
          help: [
            (sides.operation == .merge ? "git merge --abort; " : "")
              + "git switch \(branch); schemagen rebase --onto BRANCH, with the name of this one"
          ])
        return
      }
      own.append(Own(old: number, new: new, oldBefore: before, newBefore: last))
      last = new
    }
  }

  /// Whether nothing of theirs reaches our versions.
  var isUpToDate: Bool {
    theirNew.isEmpty
      && base.numbers.allSatisfy { theirs.manifests[$0]?.bytes == base.manifests[$0]?.bytes }
  }

  mutating func mergeOwn() throws(GitFailure) {
    for own in own {
      guard let file = ours.manifests[own.old], let start = ours.manifests[own.oldBefore],
        let newest = joined[own.newBefore]
      else { continue }
      let target = Path.join(
        path, own.new == own.old ? file.name : "\(own.new.name).yaml")
      guard let ourText = NewVersion().renumbered(file, number: own.new) else {
        refuse(
          "'\(file.path)' cannot be renumbered automatically", help: ["do it by hand"])
        continue
      }
      guard !own.isShipped, !unresolved.contains(newest.path) else {
        joined[own.new] = SourceFile(path: target, text: ourText)
        if !own.isShipped { leaveFollowing(target, newest.path) }
        continue
      }
      // As 'new-version' would have copied each, so that only what was changed differs.
      let (baseText, baseFindings) = NewVersion().manifest(from: start, number: own.new)
      let (theirText, theirFindings) = NewVersion().manifest(from: newest, number: own.new)
      let findings = (baseFindings + theirFindings).filter { $0.severity == .error }
      guard let baseText, let theirText else {
        diagnostics += findings
        unresolved.insert(target)
        joined[own.new] = SourceFile(path: target, text: ourText)
        continue
      }
      let sides = [ourText, baseText, theirText].map {
        SourceFile(path: file.path, text: $0)
      }
      let text = try mergeManifests(sides[0], sides[1], sides[2], called: target)
      guard let text else { return }
      // The other branch has all of it: a version that stores what the one before stores would crash.
      if own.new == self.own.last?.new, Self.isNothing(text, after: theirText) {
        self.own.removeLast()
        settled.append(own.old)
        return
      }
      joined[own.new] = SourceFile(path: target, text: text)
    }
  }

  /// Whether a manifest says what the copy of the one before it says, of its step too.
  private static func isNothing(_ text: String, after copy: String) -> Bool {
    let versions = [text, copy].map { text in
      ManifestReader().read(SourceFile(path: "", text: text)).version.map { version in
        var version = version
        (version.summary, version.acceptances) = (nil, [])
        return version
      }
    }
    guard let version = versions[0], let copy = versions[1] else { return false }
    return version.canonical == copy.canonical
      && VersionEdit(from: copy, to: version).descriptions.isEmpty
  }

  /// A draft of ours that cannot take up what theirs changed, since what it was copied from is to be resolved first.
  private mutating func leaveFollowing(_ path: String, _ before: String) {
    unresolved.insert(path)
    diagnostics.append(
      Diagnostic(
        .rebaseConflict, "'\(path)' follows '\(before)', which is to be resolved first",
        element: path, at: SourceLocation(file: path),
        help: ["then write what \(theirName) changed into '\(path)' as well"]))
  }
}

extension VersionNumber {
  /// The number after another one that is as much higher as this one is than what it was copied from.
  func successor(of last: VersionNumber, after before: VersionNumber) -> VersionNumber {
    let part =
      before.successors.firstIndex(of: self)
      ?? (major != before.major ? 2 : minor != before.minor ? 1 : 0)
    return last.successors[part]
  }
}
