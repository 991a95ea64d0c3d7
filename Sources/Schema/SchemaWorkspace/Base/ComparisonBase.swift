package import SchemaModel

extension Rule {
  static let brokenBase = Rule(
    "broken-base", .warning, "The base of the comparison cannot be read completely",
    basis: .page("lock"))
  static let newFolder = Rule(
    "new-folder", .note, "The base of the comparison does not have the folder", basis: .page("lock")
  )
  static let movedFolder = Rule(
    "moved-folder", .note, "The base of the comparison has the folder in another place",
    basis: .page("lock"))
}

/// The state that a folder of manifests is compared with: at a commit, or another folder.
package struct ComparisonBase: Sendable {
  /// The name for messages: `origin/main (merge base 1a2b3c4)`, `v2.3.0 (tag, 1a2b3c4)`, `../before`.
  package let name: String
  /// Nil if the folder has no manifests or does not exist.
  package let folder: SchemaFolder?
  /// Empty if there is no lock, or if it is broken.
  package let lock: SchemaLock
  /// Whether every version in the base has shipped, as the tag of a release proves.
  package let isRelease: Bool
  /// The commit's hash; nil for a folder.
  package let commit: String?
  /// The folder's path in the base. Nil if the folder has not moved since.
  package let movedFrom: String?
  /// The folder that has the versions now, if the compared folder is gone.
  let movedTo: String?
  package let authority: ApprovalAuthority?
  /// Why the comparison is incomplete: warnings and notes, never errors.
  package let diagnostics: [Diagnostic]

  /// Reads the base from a file system.
  ///
  /// - Parameter tag: The name that the base's branch and a tag share. Nil if no tag has the branch's name.
  /// - Throws: `FileSystemError` if a file cannot be read. Ignoring the file could hide a finding.
  package init(
    name: String, path: String, isRelease: Bool, commit: String? = nil,
    movedFrom: String? = nil, movedTo: String? = nil, tag: String? = nil,
    authority: ApprovalAuthority? = nil, fileSystem: some FileSystem
  ) throws(FileSystemError) {
    self.name = name
    self.authority = authority
    self.isRelease = isRelease
    self.commit = commit
    self.movedFrom = movedFrom
    self.movedTo = movedTo
    var diagnostics: [Diagnostic] = []
    if let tag {
      diagnostics.append(
        Diagnostic(
          .weakerChecks,
          "a tag has the branch's name, '\(tag)': schemagen compares with the branch, and other tools may use the tag",
          at: nil, help: ["remove the tag: git tag --delete \(ShellWord.quoted(tag))"]))
    }
    if let movedFrom {
      diagnostics.append(
        Diagnostic(
          .movedFolder, "'\(path)' is compared with '\(movedFrom)', its name in \(name)", at: nil)
      )
    }
    let path = movedFrom ?? path
    folder =
      try Self.hasManifests(path, fileSystem)
      ? SchemaFolder.read(path, fileSystem: fileSystem) : nil
    lock = try Self.lock(of: path, in: name, fileSystem, &diagnostics)
    if folder == nil {
      diagnostics.append(
        Diagnostic(
          .newFolder, "'\(path)' has no manifests in \(name): everything is new", at: nil))
    }
    if let folder, folder.isMalformed,
      let broken = folder.diagnostics.first(where: { $0.severity == .error })
    {
      let place = broken.location.map { "\($0.file):\($0.line): " } ?? ""
      diagnostics.append(
        Diagnostic(
          .brokenBase,
          "the manifests in \(name) have errors, so only its lock is compared: "
            + place + broken.message,
          at: nil, help: ["the lock still guards shipped versions"]))
    }
    self.diagnostics = diagnostics
  }

  private static func lock(
    of path: String, in name: String, _ fileSystem: some FileSystem,
    _ diagnostics: inout [Diagnostic]
  ) throws(FileSystemError) -> SchemaLock {
    guard let file = try LockFile.file(in: path, fileSystem) else { return SchemaLock() }
    let read = SchemaLock.read(file)
    guard let broken = read.diagnostics.first else { return read.lock }
    diagnostics.append(
      Diagnostic(
        .brokenBase,
        "the lock in \(name) is broken, so it does not say which versions have shipped: "
          + broken.message,
        at: nil, help: ["correct the lock there: the rule is '\(broken.rule.id)'"]))
    return SchemaLock()
  }

  var shippedNumbers: Set<VersionNumber> {
    guard isRelease else { return lock.released }
    return Set(lock.entries.map(\.version) + versions.map(\.number))
  }

  /// The versions of a folder's lock. Each string has everything that identifies the version.
  package static func lockedVersions(in folder: String, _ files: some FileSystem) -> Set<String> {
    let entries = SchemaFolder.lock(in: folder, fileSystem: files).entries
    return Set(entries.map { "\($0.version) \($0.identity)" })
  }

  package static func hasManifests(
    _ path: String, _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> Bool {
    let names = try fileSystem.list(path) ?? []
    return names.contains { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
  }

  var versions: [SchemaVersion] {
    guard let folder, !folder.isMalformed else { return [] }
    return folder.versions
  }
}
