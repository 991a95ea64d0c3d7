internal import Foundation
internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
internal import SchemaModel
internal import SchemaRendering
internal import SchemaWorkspace

/// What both branches have, and what is ours alone.
extension RebasePlan {
  // MARK: What both branches have

  mutating func mergeConfiguration() throws(GitFailure) -> Configuration {
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
  mutating func joinCommon() throws(GitFailure) {
    let known = Set(base.numbers)
    theirNew = theirs.numbers.filter { !known.contains($0) }
    for number in theirNew { joined[number] = theirs.manifests[number] }
    for number in base.numbers {
      let files = [ours, base, theirs].map { $0.manifests[number] }
      let file = files[0] ?? files[2] ?? files[1]
      let text = try mergeManifests(
        files[0], files[1], files[2], called: file?.path ?? "", isDraft: false)
      guard let file, let text else { continue }
      joined[number] = SourceFile(path: file.path, text: text)
    }
  }

  /// Three states of a manifest; nil where it is gone, or where a conflict was told. Where the lines do not fit, what
  /// they say may.
  ///
  /// - Parameter isDraft: Whether ours is a version of its own that comes after theirs, and answers for its step.
  private mutating func mergeManifests(
    _ ours: SourceFile?, _ base: SourceFile?, _ theirs: SourceFile?, called path: String,
    isDraft: Bool
  ) throws(GitFailure) -> String? {
    let versions = [ours, base, theirs].map { file in
      file.flatMap { ManifestReader().read($0).version }
    }
    func objections(_ text: String) -> [String] {
      Self.objections(to: text, ours: ours, base: base, theirs: theirs, withSteps: isDraft)
    }
    let isTheirs = ours?.bytes == theirs?.bytes || ours?.bytes == base?.bytes
    if let ours, let own = versions[0], let start = versions[1], let other = versions[2], !isTheirs,
      base?.bytes != theirs?.bytes
    {
      var outcome = VersionMerge(ours: own, base: start, theirs: other, isDraft: isDraft)
      if outcome.answered.isEmpty, outcome.contested.isEmpty {
        let lines = try TextMerge.merge(
          ours: ours.text, base: base?.text ?? "", theirs: theirs?.text ?? "",
          objections: objections)
        if case .merged(let text) = lines { return text }
      }
      // Of a version that both have, the step is one of the sides'.
      let isWhole = isDraft || VersionEdit(from: start, to: own).stepDescriptions.isEmpty
      if isWhole, outcome.contested.isEmpty || configuration.classes != nil {
        outcome.version.acceptances =
          own.takingUpAcceptances(from: start, to: other).acceptances
        let text = ManifestRewrite.text(of: ours, from: own, to: outcome.version)
        let read = text.map { ManifestReader().read(SourceFile(path: ours.path, text: $0)) }
        // Properties stay in the order in which ours has them.
        if let text, let read, !read.diagnostics.hasErrors,
          read.version?.canonical == outcome.version.canonical,
          read.version.map({ VersionEdit(from: outcome.version, to: $0).steps.isEmpty }) ?? false
        {
          tell(outcome, in: ours)
          return text
        }
      }
    }
    return try merge(ours, base, theirs, called: path, objections: objections)
  }

  /// Says what of ours is left out since theirs has it, or has something else.
  private mutating func tell(_ outcome: VersionMerge, in file: SourceFile) {
    sources[file.path] = file.text
    let version = ManifestReader().read(file).version
    func place(_ element: ElementPath) -> SourceLocation? {
      version?.location(of: element) ?? SourceLocation(file: file.path)
    }
    diagnostics += outcome.answered.map { element in
      Diagnostic(
        .rebaseConflict,
        "\(theirName) has answered for '\(element)' already: the answer of this branch is left out",
        element: "\(element)", at: place(element), severity: .note)
    }
    diagnostics += outcome.contested.map { element in
      Diagnostic(
        .rebaseConflict,
        "this branch and \(theirName) changed '\(element)' in two ways: the manifests have it as \(theirName) does, and the "
          + "class decides",
        element: "\(element)", at: place(element),
        help: ["write in the class what is right, and run: schemagen snapshot"], severity: .warning)
    }
  }

  /// Three states of one file; nil where it is gone, or where a conflict was told.
  mutating func merge(
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

  var theirName: String { theirs.reference.name }

  mutating func tell(
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
            configuration.classes == nil
              ? "nothing was written: write \(theirName)'s side into '\(file.path)', commit, and try again; "
                + "make other changes afterwards"
              : "nothing was written: the classes decide. Resolve them, take either side of the manifests and the lock "
                + "(in a merge: git checkout --theirs -- \(Path.folder(of: file.path))), and run: schemagen snapshot",
          ]))
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
    let released = ours.lock?.released ?? []
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
    let theirCaseNames = theirCaseNames
    for own in own {
      guard let file = ours.manifests[own.old], let start = ours.manifests[own.oldBefore],
        let newest = joined[own.newBefore]
      else { continue }
      let target = Path.join(
        path, own.new == own.old ? file.name : "\(own.new.name).yaml")
      if own.isShipped {
        guard let text = NewVersion().renumbered(file, number: own.new) else {
          refuseRenumbering(file)
          continue
        }
        joined[own.new] = SourceFile(path: target, text: text)
        continue
      }
      // As 'new-version' would have copied each, so that only what was changed differs.
      let (baseText, baseFindings) = NewVersion().manifest(from: start, number: own.new)
      let (theirText, theirFindings) = NewVersion().manifest(from: newest, number: own.new)
      let findings = (baseFindings + theirFindings).filter { $0.severity == .error }
      guard let baseText, let theirText,
        let ourText = NewVersion().renumbered(file, number: own.new)
      else {
        diagnostics += findings
        if findings.isEmpty { refuseRenumbering(file) }
        continue
      }
      let sides = [theirCaseNames.applied(toManifest: ourText), baseText, theirText].map {
        SourceFile(path: file.path, text: $0)
      }
      let text = try mergeManifests(
        sides[0], sides[1], sides[2], called: target, isDraft: true)
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

  private mutating func refuseRenumbering(_ file: SourceFile) {
    refuse("'\(file.path)' cannot be renumbered automatically", help: ["do it by hand"])
  }

  /// What theirs calls cases of enums that it renamed or replaced: ours knew them by their former names.
  private var theirCaseNames: NewestCaseNames {
    let common = theirs.numbers.lastIndex { base.numbers.contains($0) } ?? 0
    return NewestCaseNames(theirs.numbers.compactMap { theirs.versions[$0] }, at: common)
  }

  /// In what a merged manifest does not say what ours says, with what theirs changed and nothing else.
  static func objections(
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
