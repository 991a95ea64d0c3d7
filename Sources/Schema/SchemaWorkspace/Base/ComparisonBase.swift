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

/// What a folder of manifests is compared with: its state at a commit, or another folder.
package struct ComparisonBase: Sendable {
  /// As messages call it: `origin/main (merge base 1a2b3c4)`, `v2.3.0 (tag, 1a2b3c4)`, `../before`.
  package let name: String
  /// Nil where the folder, or a manifest in it, is not there yet.
  package let folder: SchemaFolder?
  /// Empty where there is none, or none that can be read.
  package let lock: SchemaLock
  /// Whether every version that stands in it has shipped: a tag proves that.
  package let isRelease: Bool
  /// The commit; nil for a folder.
  package let commit: String?
  /// Where the base has the folder, if it has moved since.
  package let movedFrom: String?
  /// Where a folder lies now that has taken this one's versions along, if this one is gone.
  let movedTo: String?
  /// What the place where the change is to go says of approvals; nil where there is no such place.
  package let authority: ApprovalAuthority?
  /// What keeps the comparison from being whole: warnings and notes, never errors.
  package let diagnostics: [Diagnostic]

  /// Reads a state of the folder.
  ///
  /// - Parameters:
  ///   - path: The folder of manifests.
  ///   - movedFrom: Where `fileSystem` has it, if that is another place.
  ///   - movedTo: Where its versions are now, if it is gone.
  ///   - tag: The base's name, if a tag is called as the branch is.
  /// - Throws: `FileSystemError` where a file of it cannot be read: nothing may pass because of that.
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
          "a tag is called '\(tag)', as the branch is: the branch is compared, and other tools may take the tag",
          at: nil, help: ["remove the tag: git tag --delete \(ShellWord.quoted(tag))"]))
    }
    if let movedFrom {
      diagnostics.append(
        Diagnostic(
          .movedFolder, "'\(path)' is '\(movedFrom)' in \(name): it is compared with that", at: nil)
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
          "the manifests in \(name) have errors, so that only its lock is compared: "
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
        at: nil, help: ["fix it there: the rule is '\(broken.rule.id)'"]))
    return SchemaLock()
  }

  /// The versions that have shipped by its word.
  var shippedNumbers: Set<VersionNumber> {
    guard isRelease else { return lock.released }
    return Set(lock.entries.map(\.version) + versions.map(\.number))
  }

  /// The versions of a folder's lock, each as text with all that makes it this one.
  package static func lockedVersions(in folder: String, _ files: some FileSystem) -> Set<String> {
    let entries = SchemaFolder.lock(in: folder, fileSystem: files).entries
    return Set(entries.map { "\($0.version) \($0.identity)" })
  }

  /// Whether a folder has files of YAML.
  package static func hasManifests(
    _ path: String, _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> Bool {
    let names = try fileSystem.list(path) ?? []
    return names.contains { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
  }

  /// Its versions; empty where there are none that can be trusted.
  var versions: [SchemaVersion] {
    guard let folder, !folder.isMalformed else { return [] }
    return folder.versions
  }
}
