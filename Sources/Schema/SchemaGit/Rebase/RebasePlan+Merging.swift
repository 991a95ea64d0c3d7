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
    /// With the lines of both where they say it, otherwise ours rewritten; nil where neither can be had.
    let text: String?
  }

  /// - Parameter answers: Of a draft of ours, the versions that only theirs has; nil where all three are one version.
  /// - Returns: Nil where one of them is no manifest.
  static func join(
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
    var text: String?
    let lines = try TextMerge.merge(ours: ours.text, base: base.text, theirs: theirs.text) {
      isMeant($0) ? [] : ["it says something else"]
    }
    if case .merged(let found) = lines {
      text = found
    } else {
      text = ManifestRewrite.text(of: ours, from: own, to: meant).flatMap { isMeant($0) ? $0 : nil }
    }
    return JoinedManifest(own: own, merge: merge, text: text)
  }

  /// Three states of a manifest; nil where it is gone, or where a conflict was told.
  private mutating func mergeManifests(
    _ ours: SourceFile?, _ base: SourceFile?, _ theirs: SourceFile?, called path: String,
    after answers: [SchemaVersion]?
  ) throws(GitFailure) -> String? {
    let isOneSided =
      ours?.bytes == theirs?.bytes || ours?.bytes == base?.bytes || theirs?.bytes == base?.bytes
    guard let ours, let base, let theirs, !isOneSided,
      let joined = try Self.join(ours, base, theirs, after: answers)
    else { return try merge(ours, base, theirs, called: path) { _ in [] } }
    tell(joined, in: ours)
    if configuration.classes == nil, !joined.merge.contested.isEmpty { return nil }
    if joined.text == nil {
      sources[ours.path] = ours.text
      diagnostics.append(
        Diagnostic(
          .rebaseConflict,
          "the lines of '\(ours.path)' on this branch and on \(theirName) cannot be put together",
          element: path, at: SourceLocation(file: ours.path),
          help: [
            "nothing was written: lay out '\(ours.path)' as \(theirName) does, commit, and try again"
          ]))
    }
    if !joined.merge.contested.isEmpty { contested.insert(path) }
    return joined.text
  }

  /// Says what of ours is left out since theirs has it, or has something else.
  private mutating func tell(_ joined: JoinedManifest, in file: SourceFile) {
    diagnostics += joined.merge.answered.map { element -> Diagnostic in
      Diagnostic(
        .rebaseConflict,
        "\(theirName) answers for '\(element)' as this branch does: the answer of this branch is left out",
        element: "\(element)", at: place(element), severity: .note)
    }
    let isDecided = configuration.classes != nil
    if !isDecided, !joined.merge.contested.isEmpty { sources[file.path] = file.text }
    let numbers = theirNew.isEmpty ? theirs.numbers : theirNew
    for element in joined.merge.contested {
      let their = place(element, in: numbers, or: joined.own)
      let own = joined.own.place(of: element)
      var help = [
        "this branch: " + Self.lines(at: own, in: file.text),
        "\(theirName): "
          + Self.lines(at: their?.location, in: their?.file.text ?? ""),
      ]
      if !isDecided {
        help.append(
          "nothing was written: \(sides.operation == .merge ? "git merge --abort; " : "")write \(theirName)'s side into "
            + "'\(file.path)', commit, and try again; make other changes afterwards")
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
          at: isDecided ? place(element) : own ?? SourceLocation(file: file.path), help: help,
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

  private mutating func refuseRenumbering(_ file: SourceFile) {
    refuse("'\(file.path)' cannot be renumbered automatically", help: ["do it by hand"])
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
