package import SchemaLint
internal import SchemaManifest
package import SchemaModel

/// Every safe fix, applied in memory, and every manifest in canonical form. Nothing is written until `write(to:)`.
package struct FixRun: Sendable {
  /// The limit for rounds, since one fix can make another possible, and two fixes can undo each other.
  static let mostRounds = 10

  let path: String
  package let fixed: [(finding: Diagnostic, title: String)]
  package let lint: LintResult
  package let changes: [FileChange]
  package let formatted: [String]

  /// Applies fixes until none is left.
  ///
  /// - Parameter rules: The rules whose findings are fixed, without formatting anything else. Nil to fix all findings
  ///   and to format all manifests.
  package static func prepare(
    _ path: String, options: Linter.Options, only rules: Set<String>? = nil,
    fileSystem: some FileSystem
  ) throws(FileSystemError) -> FixRun {
    let files = MemoryFiles(over: fileSystem)
    var fixed: [(finding: Diagnostic, title: String)] = []
    var lint = Linter(options, fileSystem: files).run(path)
    for number in 0... {
      let done = number < mostRounds ? try round(lint, rules, files) : []
      fixed += done
      // Formatting turns comments that accept a finding into entries, and mistakes in these entries have fixes.
      guard !done.isEmpty || (rules == nil && Self.format(path, files)) else { break }
      lint = Linter(options, fileSystem: files).run(path)
    }
    var changes: [FileChange] = []
    var formatted: [String] = []
    for (path, bytes) in files.changes {
      let previous = try fileSystem.read(path, limit: SchemaFolder.readLimit)
      guard previous != bytes else { continue }
      changes.append(
        FileChange(
          action: bytes == nil ? .remove : previous == nil ? .create : .update, path: path,
          contents: bytes ?? [], previous: previous))
      if let previous, bytes != nil,
        !ManifestText.isFormatted(SourceFile(path: path, bytes: previous))
      {
        formatted.append(path)
      }
    }
    return FixRun(path: path, fixed: fixed, lint: lint, changes: changes, formatted: formatted)
  }

  private static func format(_ folder: String, _ files: MemoryFiles) -> Bool {
    let others = ManifestFiles(folder, fileSystem: files).files.filter {
      !ManifestText.isFormatted($0)
    }
    for file in others {
      if let text = ManifestText.formatted(file) { files.write(Array(text.utf8), to: file.path) }
    }
    return !others.isEmpty
  }

  /// Applies every fix that does not overlap another.
  private static func round(
    _ lint: LintResult, _ rules: Set<String>?, _ files: MemoryFiles
  ) throws(FileSystemError) -> [(finding: Diagnostic, title: String)] {
    var done: [(finding: Diagnostic, title: String)] = []
    let wanted = lint.fixes.filter { rules?.contains($0.finding.rule.id) ?? true }
    let byFile = Dictionary(grouping: wanted) { $0.fix.file }
    for (path, fixes) in byFile.sorted(by: { $0.key < $1.key }) {
      guard let bytes = try files.read(path, limit: SchemaFolder.readLimit) else { continue }
      let file = SourceFile(path: path, bytes: bytes)
      if let rename = fixes.first(where: { !$0.fix.isEdit }),
        case .rename(let name)? = rename.fix.changes.first
      {
        let target = Path.join(Path.join(path, ".."), name)
        guard try files.read(target, limit: 1) == nil else { continue }
        files.write(bytes, to: target)
        files.remove(path)
        done.append((rename.finding, rename.fix.title))
        continue
      }
      let kept = Self.applicable(fixes, to: file, lint)
      guard !kept.isEmpty, let fixed = Self.file(file, with: kept.map(\.fix), lint) else {
        continue
      }
      files.write(fixed.bytes, to: path)
      done += kept.map { ($0.finding, $0.fix.title) }
    }
    return done
  }

  /// A file after fixes, in canonical form if it is a manifest without errors. Nil if the fixes cannot be applied
  /// together, or are not allowed.
  package static func file(
    _ file: SourceFile, with fixes: [Fix], _ lint: LintResult
  ) -> SourceFile? {
    var edits: [YAMLEdit] = []
    var comments: [SourceLocation] = []
    for change in fixes.flatMap(\.changes) {
      switch change {
      case .edit(let edit): edits.append(edit)
      case .removeComment(let location): comments.append(location)
      case .rename: return nil
      }
    }
    guard let document = YAMLDocument(file, without: comments)?.applying(edits) else { return nil }
    let printed = SourceFile(path: file.path, text: document.text)
    let fixed = SourceFile(
      path: file.path, text: ManifestText.formatted(printed) ?? printed.text)
    return isAllowed(from: file, to: fixed, lint) ? fixed : nil
  }

  /// Fixes that can be applied together, as many as the search finds.
  private static func applicable(
    _ fixes: [(finding: Diagnostic, fix: Fix)], to file: SourceFile, _ lint: LintResult
  ) -> [(finding: Diagnostic, fix: Fix)] {
    var kept: [(finding: Diagnostic, fix: Fix)] = []
    // Halving is fast: nearly always all fixes can be applied, and an impossible one is found in few steps.
    var open = [fixes[...]]
    while let part = open.popLast() {
      if Self.file(file, with: (kept + part).map(\.fix), lint) != nil {
        kept += part
      } else if part.count > 1 {
        let middle = part.startIndex + part.count / 2
        open += [part[middle...], part[..<middle]]
      }
    }
    return kept
  }

  /// Whether a fix leaves a shipped version unchanged, and a readable manifest readable.
  private static func isAllowed(from old: SourceFile, to new: SourceFile, _ lint: LintResult)
    -> Bool
  {
    let before = ManifestReader().read(old)
    let after = ManifestReader().read(new)
    if after.diagnostics.count(where: { $0.severity == .error })
      > before.diagnostics.count(where: { $0.severity == .error })
    {
      return false
    }
    guard let was = before.version, lint.released.contains(was.number) else { return true }
    guard let version = after.version else { return false }
    return SchemaLock.digest(was) == SchemaLock.digest(version)
  }

  package func write(to fileSystem: some FileSystem) throws(FileSystemError) {
    try changes.write(in: path, to: fileSystem)
  }
}

extension Fix {
  fileprivate var isEdit: Bool {
    changes.allSatisfy { change in
      if case .rename = change { return false }
      return true
    }
  }
}
