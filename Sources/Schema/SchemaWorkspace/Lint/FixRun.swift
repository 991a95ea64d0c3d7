package import SchemaLint
internal import SchemaManifest
package import SchemaModel

/// Every safe fix, applied in memory; nothing is written until `write(to:)`.
package struct FixRun: Sendable {
  /// The most rounds, since a fix can make another possible and two can undo each other.
  static let mostRounds = 10

  /// The folder of manifests, as the user named it.
  let path: String
  /// The fixed findings, each with the fix's title.
  package let fixed: [(finding: Diagnostic, title: String)]
  /// The findings afterwards.
  package let lint: LintResult
  /// The fixes' changes to existing files, and the files that they add and remove.
  package let changes: [FileChange]

  /// Applies fixes until none is left.
  ///
  /// - Parameter only: The rules whose findings are fixed; nil for all.
  /// - Throws: `FileSystemError` if a file cannot be read.
  package static func prepare(
    _ path: String, options: Linter.Options, only rules: Set<String>? = nil,
    fileSystem: some FileSystem
  ) throws(FileSystemError) -> FixRun {
    let files = MemoryFiles(over: fileSystem)
    var fixed: [(finding: Diagnostic, title: String)] = []
    var lint = Linter(options, fileSystem: files).run(path)
    for _ in 0..<mostRounds {
      let done = try round(lint, rules, files)
      guard !done.isEmpty else { break }
      fixed += done
      lint = Linter(options, fileSystem: files).run(path)
    }
    var changes: [FileChange] = []
    for (path, bytes) in files.changes {
      let previous = try fileSystem.read(path, limit: SchemaFolder.readLimit)
      guard previous != bytes else { continue }
      changes.append(
        FileChange(
          action: bytes == nil ? .remove : previous == nil ? .create : .update, path: path,
          contents: bytes ?? [], previous: previous))
    }
    return FixRun(path: path, fixed: fixed, lint: lint, changes: changes)
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
      guard let root = YAMLReader.read(file).root else { continue }
      let (kept, fixed) = Self.apply(fixes, to: file, root, lint)
      guard !kept.isEmpty else { continue }
      files.write(fixed.bytes, to: path)
      done += kept.map { ($0.finding, $0.fix.title) }
    }
    return done
  }

  /// A manifest after one fix; nil if the fix cannot be applied, or would make the manifest worse.
  package static func file(
    _ file: SourceFile, with fix: Fix, _ lint: LintResult
  ) -> SourceFile? {
    guard let root = YAMLReader.read(file).root else { return nil }
    var editor = YAMLEditor(file, root: root)
    guard editor.apply([fix]), editor.isFaithful else { return nil }
    let fixed = SourceFile(path: file.path, text: editor.result)
    return isAllowed(from: file, to: fixed, lint) ? fixed : nil
  }

  /// Applies all fixes together; if they conflict, or the file would be invalid afterwards, as many as possible.
  private static func apply(
    _ fixes: [(finding: Diagnostic, fix: Fix)], to file: SourceFile, _ root: YAMLNode,
    _ lint: LintResult
  ) -> (kept: [(finding: Diagnostic, fix: Fix)], fixed: SourceFile) {
    func fixed(_ editor: YAMLEditor) -> SourceFile {
      SourceFile(path: file.path, text: editor.result)
    }
    var editor = YAMLEditor(file, root: root)
    var kept: [(finding: Diagnostic, fix: Fix)] = []
    // By halves: nearly always all go at once, and one that cannot is found in few steps.
    var open = [fixes[...]]
    while let part = open.popLast() {
      var further = editor
      if further.apply(part.map(\.fix)), further.isFaithful,
        isAllowed(from: file, to: fixed(further), lint)
      {
        editor = further
        kept += part
      } else if part.count > 1 {
        let middle = part.startIndex + part.count / 2
        open += [part[middle...], part[..<middle]]
      }
    }
    return (kept, fixed(editor))
  }

  /// Whether a fix keeps a shipped version as it was, and a readable manifest readable.
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

  /// Writes all changes or none: a failure halfway restores all files.
  ///
  /// - Throws: `FileSystemError` of the first failure.
  package func write(to fileSystem: some FileSystem) throws(FileSystemError) {
    try changes.write(in: path, to: fileSystem)
  }
}

extension Fix {
  /// Whether it changes the file's contents, rather than its name.
  fileprivate var isEdit: Bool {
    changes.allSatisfy { change in
      if case .rename = change { return false }
      return true
    }
  }
}

extension YAMLEditor {
  /// Applies fixes, all or none, and returns whether they could be applied.
  fileprivate mutating func apply(_ fixes: [Fix]) -> Bool {
    var edits: [YAMLEdit] = []
    var comments: [SourceLocation] = []
    for change in fixes.flatMap(\.changes) {
      switch change {
      case .edit(let edit): edits.append(edit)
      case .removeComment(let location): comments.append(location)
      case .rename: return false
      }
    }
    return apply(edits, removingCommentsAt: comments)
  }
}
