internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
internal import SchemaModel
internal import SchemaRendering
internal import SchemaWorkspace

extension Rebase {
  mutating func finish(_ fileSystem: some FileSystem) throws(GitFailure) {
    guard !isRefused else { return }
    for side in [ours, theirs, base] {
      for file in side.manifests.values { files[file.path] = .some(nil) }
    }
    for file in joined.values { files[file.path] = file.bytes }
    for file in joined.values { sources[file.path] = file.text }
    try renameUserFiles()
    try refuseResolvedFiles(fileSystem)
    placeLock()
    if !isRefused { try generate(fileSystem) }
  }

  /// Refuses to overwrite files that were edited since git or an earlier rebase wrote them.
  private mutating func refuseResolvedFiles(_ fileSystem: some FileSystem) throws(GitFailure) {
    for (file, contents) in files.sorted(by: { $0.key < $1.key }) {
      guard let bytes = try read(file, fileSystem), bytes != contents,
        MergeConflict.all(in: SourceFile(path: file, bytes: bytes)).isEmpty
      else { continue }
      var known: [[UInt8]] = []
      for side in [ours, theirs, base] { known += try [side.bytes(file)].compactMap(\.self) }
      let isOpen = sides.repository.path(of: file).map(sides.unmerged.contains) ?? false
      guard known.isEmpty || isOpen, !known.contains(bytes) else { continue }
      // Findings about files that are not written are removed.
      diagnostics.removeAll { $0.rule == .rebaseConflict }
      let command = configuration.classes == nil ? "generate" : "snapshot"
      refuse(
        "'\(file)' was edited after the last rebase wrote it: another rebase would replace the edit",
        help: [
          "continue: schemagen \(command)",
          "or start again: rm \(ShellWord.quoted(file)) && schemagen rebase",
        ])
    }
  }

  private func read(_ file: String, _ fileSystem: some FileSystem) throws(GitFailure) -> [UInt8]? {
    try RebaseSides.reading { () throws(FileSystemError) in
      try fileSystem.read(file, limit: OutputLocations.readLimit)
    }
  }

  /// Writes the other branch's lock with this branch's entries for versions that both branches have, and for versions
  /// that this branch has shipped.
  private mutating func placeLock() {
    var lock = theirs.lock.entries.isEmpty ? ours.lock : theirs.lock
    guard !lock.entries.isEmpty else { return }
    let common = Set(base.numbers)
    for entry in ours.lock.entries where entry.state == .released {
      if common.contains(entry.version) {
        _ = lock.release(upTo: entry.version)
        // If both branches have hashes, the hashes are equal, since different ones were refused.
        if let hashes = entry.hashes, hashes.isProven { lock.note(hashes, of: entry.version) }
      } else if let own = own.first(where: { $0.old == entry.version && $0.isShipped }),
        let version = joined[own.new].flatMap({ ManifestReader().read($0).version })
      {
        var entry = entry
        entry.version = own.new
        // The digest includes the version's number. Nothing else in the digest has changed.
        entry.digest = VersionDigest(version)
        lock.entries.append(entry)
      }
    }
    // Apply this branch's edits of shipped versions that affect neither stores nor steps.
    for number in base.numbers where joined[number]?.bytes != theirs.manifests[number]?.bytes {
      guard let version = joined[number].flatMap({ ManifestReader().read($0).version }),
        let known = theirs.versions[number], VersionEdit(from: known, to: version).keepsRows,
        let place = lock.entries.firstIndex(where: { $0.version == number })
      else { continue }
      lock.entries[place].digest = VersionDigest(version)
    }
    lock.entries.sort { $0.version < $1.version }
    files[Path.join(path, SchemaLock.fileName)] = Array(lock.text.utf8)
  }

  /// Renames the app's user files of steps along with the steps, and copies other files that the other branch added.
  private mutating func renameUserFiles() throws(GitFailure) {
    let folder = Path.join(path, configuration.owned)
    let names = configuration.names
    func models(_ number: VersionNumber) -> [String] {
      ours.versions[number]?.models.map(\.name) ?? []
    }
    let common = try base.swiftFiles(in: folder)
    let theirFiles = try theirs.swiftFiles(in: folder)
    var renamed: [String: [UInt8]?] = [:]
    for name in theirFiles.subtracting(common) {
      renamed[name] = try theirs.bytes(Path.join(folder, name))
    }
    var numbers = UserFileRenaming()
    for own in own where own.old != own.new {
      numbers.add(own.old, own.new, models: models(own.old), names)
    }
    // Removals come first: while V9ToV10 becomes V10ToV11, V10ToV11 becomes V11ToV12.
    var written: [String: [UInt8]] = [:]
    for name in try ours.swiftFiles(in: folder).subtracting(common).sorted() {
      var (target, renaming) = (name, numbers)
      for step in own
      where name == VersionStep.name(from: step.oldBefore, to: step.old) + ".swift" {
        target = VersionStep.name(from: step.newBefore, to: step.new) + ".swift"
        // The step now begins with the rows of another version.
        if step.oldBefore != step.newBefore {
          renaming.add(step.oldBefore, step.newBefore, models: models(step.oldBefore), names)
        }
        renaming.add(from: (step.oldBefore, step.old), to: (step.newBefore, step.new), names)
      }
      // Both branches added the file, so git merges it.
      if name == target, theirFiles.contains(name) {
        renamed[name] = nil
        continue
      }
      if name != target, !theirFiles.contains(name) { renamed[name] = .some(nil) }
      guard let bytes = try ours.bytes(Path.join(folder, name)) else { continue }
      written[target] = Array(
        renaming.applied(to: String(decoding: bytes, as: UTF8.self)).utf8)
    }
    renamed.merge(written) { _, new in new }
    for (name, bytes) in renamed { files[Path.join(folder, name)] = .some(bytes) }
  }

  /// Generates the files of the merged manifests if the manifests have no errors. Then it compares all files with the
  /// disk.
  private mutating func generate(_ fileSystem: some FileSystem) throws(GitFailure) {
    var whole = files
    // A generated file with conflict marks is regenerated, so it counts as one side's version.
    let places = OutputLocations(folder: path, configuration: configuration)
    let outputs = places.folders.map { Path.join(path, $0) }
    let documentation = configuration.documentation.map { Path.join(path, $0) }
    for torn in sides.unmerged.sorted() where sides.operation != .none {
      let file = sides.repository.shown(torn)
      guard whole[file] == nil, file == documentation || outputs.contains(Path.folder(of: file))
      else { continue }
      for side in [ours, theirs] {
        if let bytes = try side.bytes(file), GeneratedFile.isMarked(bytes) { whole[file] = bytes }
      }
    }
    if unresolved.isEmpty {
      let generation = GenerationPipeline(fileSystem: MemoryFiles(whole, over: fileSystem)).run(
        path)
      diagnostics += generation.diagnostics
      sources.merge(generation.folder?.sources ?? [:]) { _, new in new }
      evolution = generation.folder?.evolution
      for change in generation.changes where !diagnostics.hasErrors {
        whole[change.path] = change.action == .remove ? .some(nil) : change.contents
      }
    }
    for (path, contents) in whole.sorted(by: { $0.key < $1.key }) {
      let previous = try read(path, fileSystem)
      guard previous != contents else { continue }
      changes.append(
        FileChange(
          action: contents == nil ? .remove : previous == nil ? .create : .update, path: path,
          contents: contents ?? [], previous: previous))
    }
  }
}
