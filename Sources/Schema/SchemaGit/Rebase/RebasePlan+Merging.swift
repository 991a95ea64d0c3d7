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
        let text = try mergeManifests(files[0], files[1], files[2], called: file.path, after: nil)
      else { continue }
      joined[number] = SourceFile(path: file.path, text: text)
    }
  }

  /// Three states of a manifest joined by what they say.
  struct JoinedManifest {
    let own: SchemaVersion
    let merge: VersionMerge
    /// What git makes of the lines.
    let lines: TextMerge
    /// With the lines of both where they say it, otherwise ours rewritten; nil where neither can be had.
    let text: String?
  }

  /// - Parameter answers: Of a draft of ours, the versions that only theirs has; nil where all three are one version.
  /// - Returns: Nil where one of them is no manifest.
  func join(
    _ ours: SourceFile, _ base: SourceFile, _ theirs: SourceFile, after answers: [SchemaVersion]?
  ) throws(GitFailure) -> JoinedManifest? {
    func read(_ text: String) -> SchemaVersion? {
      let read = ManifestReader().read(SourceFile(path: ours.path, text: text))
      return read.diagnostics.hasErrors ? nil : read.version
    }
    guard let own = read(ours.text), let start = read(base.text), let other = read(theirs.text)
    else { return nil }
    var merge = VersionMerge(ours: own, base: start, theirs: other, after: answers)
    merge.version.acceptances = own.takingUpAcceptances(from: start, to: other).acceptances
    let meant = merge.version
    func isMeant(_ text: String) -> Bool {
      read(text).map {
        $0.canonical == meant.canonical && VersionEdit(from: meant, to: $0).steps.isEmpty
      } ?? false
    }
    let lines = try TextMerge(
      ours: ours.text, base: base.text, theirs: theirs.text, theirName: theirName)
    let text =
      !lines.hasConflicts && isMeant(lines.text)
      ? lines.text
      : ManifestRewrite.text(of: ours, from: own, to: meant).flatMap { isMeant($0) ? $0 : nil }
    return JoinedManifest(own: own, merge: merge, lines: lines, text: text)
  }

  /// Three states of a manifest; nil where it is gone.
  private mutating func mergeManifests(
    _ ours: SourceFile?, _ base: SourceFile?, _ theirs: SourceFile?, called path: String,
    after answers: [SchemaVersion]?
  ) throws(GitFailure) -> String? {
    let isOneSided =
      ours?.bytes == theirs?.bytes || ours?.bytes == base?.bytes || theirs?.bytes == base?.bytes
    guard let ours, let base, let theirs, !isOneSided,
      let joined = try join(ours, base, theirs, after: answers)
    else { return try merge(ours, base, theirs, called: path) }
    let isContested = !joined.merge.contested.isEmpty
    let isDecided = configuration.classes != nil && joined.text != nil
    tell(joined, in: ours, called: path, isDecided: isDecided)
    if isContested { contested.insert(path) }
    if let text = joined.text, isDecided || !isContested { return text }
    if !isContested { leave(path, joined.lines) }
    unresolved.insert(path)
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

  /// Says what of ours is left out since theirs has it, or has something else.
  private mutating func tell(
    _ joined: JoinedManifest, in file: SourceFile, called path: String, isDecided: Bool
  ) {
    diagnostics += joined.merge.answered.map { element -> Diagnostic in
      Diagnostic(
        .rebaseConflict,
        "\(theirName) answers for '\(element)' as this branch does: the answer of this branch is left out",
        element: "\(element)", at: place(element), severity: .note)
    }
    if !isDecided, !joined.merge.contested.isEmpty { sources[path] = joined.lines.text }
    let torn = MergeConflict.all(in: SourceFile(path: path, text: joined.lines.text)).first?.place
    let numbers = theirNew.isEmpty ? theirs.numbers : theirNew
    for element in joined.merge.contested {
      let their = place(element, in: numbers, or: joined.own)
      var help = [
        "this branch: " + Self.lines(at: joined.own.place(of: element), in: file.text),
        "\(theirName): "
          + Self.lines(at: their?.location, in: their?.file.text ?? ""),
      ]
      if !isDecided {
        help.append(
          torn == nil
            ? "git has put the lines of both together: see whether '\(path)' says what is right"
            : "the lines of both are in '\(path)': keep what is right")
      } else if let number = their?.number, theirs.lock?.released.contains(number) ?? false {
        help.append(
          "\(number.name) has shipped from \(theirName), and rows have what it gave them; for what comes next, write in "
            + "the class what is right, and run: schemagen snapshot")
      } else {
        help.append("write in the class what is right, and run: schemagen snapshot")
      }
      diagnostics.append(
        Diagnostic(
          .rebaseConflict,
          "this branch and \(theirName) changed '\(element)' in two ways"
            + (isDecided ? ": the manifests have it as \(theirName) does" : ""),
          element: "\(element)",
          at: isDecided ? place(element) : torn ?? SourceLocation(file: path), help: help,
          severity: isDecided ? .warning : .error))
    }
  }

  /// Where theirs says something of an element: the newest of some versions that does, or takes or drops what a property
  /// of ours is made of.
  private func place(
    _ element: ElementPath, in numbers: [VersionNumber], or own: SchemaVersion?
  ) -> (number: VersionNumber, file: SourceFile, location: SourceLocation)? {
    let migration = own?.property(at: element)?.migration
    let sources =
      [migration?.renamedFrom].compactMap { $0?.value } + (migration?.from ?? []).map(\.value)
    for path in [element] + sources.map({ ElementPath(element.owner, $0) }) {
      for number in numbers.reversed() {
        guard let file = theirs.manifests[number], let version = theirs.versions[number] else {
          continue
        }
        let user = version.model(named: path.owner)?.properties.first {
          $0.migration.renamedFrom?.value == path.member
            || $0.migration.from.contains { $0.value == path.member }
        }
        let location = version.place(of: path) ?? (path.member == nil ? nil : user?.location)
        if let location { return (number, file, location) }
      }
    }
    return nil
  }

  /// Where an element is after the rebase, in a file that is theirs.
  private mutating func place(_ element: ElementPath) -> SourceLocation? {
    if let place = place(element, in: theirs.numbers, or: nil) {
      sources[place.file.path] = place.file.text
      return place.location
    }
    return theirs.numbers.last.flatMap { theirs.manifests[$0] }.map {
      SourceLocation(file: $0.path)
    }
  }

  /// A line of a manifest with those that belong to it.
  private static func lines(at location: SourceLocation?, in text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard let location, lines.indices.contains(location.line - 1) else { return "(nothing)" }
    func depth(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
    let first = lines[location.line - 1]
    let block = [first] + lines[location.line...].prefix { depth($0) > depth(first) }
    return block.prefix(10).map { $0.dropFirst(depth(first)) }.joined(separator: "\n")
  }

  var theirName: String { theirs.reference.name }

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
      let sides = [theirCaseNames.applied(toManifest: ourText), baseText, theirText].map {
        SourceFile(path: file.path, text: $0)
      }
      let text = try mergeManifests(
        sides[0], sides[1], sides[2], called: target,
        after: theirNew.compactMap { theirs.versions[$0] })
      guard let text else { return }
      // The other branch has all of it: a version that stores what the one before stores would crash.
      if own.new == self.own.last?.new, Self.isNothing(text, after: theirText) {
        self.own.removeLast()
        if contested.contains(target) { left.append(own.old) } else { settled.append(own.old) }
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

  /// What theirs calls cases of enums that it renamed or replaced: ours knew them by their former names.
  private var theirCaseNames: NewestCaseNames {
    let common = theirs.numbers.lastIndex { base.numbers.contains($0) } ?? 0
    return NewestCaseNames(theirs.numbers.compactMap { theirs.versions[$0] }, at: common)
  }
}

extension SchemaVersion {
  /// Where it says something of an element, or of its end.
  fileprivate func place(of element: ElementPath) -> SourceLocation? {
    let drop = drops.first { $0.element.value == element }?.element.location
    guard let member = element.member else {
      return model(named: element.owner)?.location ?? type(named: element.owner)?.location ?? drop
    }
    if let property = property(at: element) { return property.location }
    switch type(named: element.owner)?.kind {
    case .enumeration(_, let cases)?: return cases.first { $0.name == member }?.location ?? drop
    case .structure(let fields)?: return fields.first { $0.name == member }?.location ?? drop
    default: return drop
    }
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
