internal import Foundation
internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
internal import SchemaModel
internal import SchemaRendering
internal import SchemaWorkspace

/// The files that follow.
extension Rebase {
  mutating func placeManifests() {
    for side in [ours, theirs, base] {
      for file in side.manifests.values { files[file.path] = .some(nil) }
    }
    for file in joined.values { files[file.path] = file.bytes }
    for file in joined.values { sources[file.path] = file.text }
  }

  /// What somebody made of a file since git or an earlier rebase wrote it would be lost.
  mutating func refuseResolvedFiles(_ fileSystem: some FileSystem) throws(FileSystemError) {
    let open = try unmerged()
    for (file, contents) in files.sorted(by: { $0.key < $1.key }) {
      guard let bytes = try fileSystem.read(file, limit: OutputLocations.readLimit),
        bytes != contents, MergeConflict.all(in: SourceFile(path: file, bytes: bytes)).isEmpty
      else { continue }
      var known: [[UInt8]] = []
      for side in [ours, theirs, base] {
        if let its = try side.tree.read(file, limit: OutputLocations.readLimit) {
          known.append(its)
        }
      }
      let isOpen = sides.repository.path(of: file).map(open.contains) ?? false
      guard known.isEmpty || isOpen, !known.contains(bytes) else { continue }
      // Of what is not written nothing is said.
      diagnostics.removeAll { $0.rule == .rebaseConflict }
      refuse(
        "'\(file)' was edited after it was written: what a rebase makes of it would replace that",
        help: [
          "go on with it: schemagen "
            + (configuration.classes == nil ? "generate" : "snapshot"),
          "or begin again: rm \(ShellWord.quoted(file)) && schemagen rebase",
        ])
    }
  }

  private func unmerged() throws(FileSystemError) -> Set<String> {
    do throws(GitFailure) {
      return try sides.repository.unmerged()
    } catch {
      throw FileSystemError(path: path, reason: error.reason)
    }
  }

  mutating func placeLock() {
    var lock = theirs.lock.entries.isEmpty ? ours.lock : theirs.lock
    guard !lock.entries.isEmpty else { return }
    // What this branch says has shipped, of versions that both have, has shipped.
    let common = Set(base.numbers)
    for entry in ours.lock.entries
    where entry.state == .released && common.contains(entry.version) {
      _ = lock.release(upTo: entry.version)
      // Where both have hashes they are the same: others were refused.
      if let hashes = entry.hashes, hashes.isProven { lock.note(hashes, of: entry.version) }
    }
    followEdits(in: &lock)
    enterShipped(in: &lock)
    files[Path.join(path, SchemaLock.fileName)] = Array(lock.text.utf8)
  }

  /// Lets the lock follow what this branch edited in versions that both have and that have shipped, where no store and no
  /// step rests on it.
  private func followEdits(in lock: inout SchemaLock) {
    for number in base.numbers where joined[number]?.bytes != theirs.manifests[number]?.bytes {
      guard let file = joined[number], let version = ManifestReader().read(file).version,
        let known = theirs.versions[number], VersionEdit(from: known, to: version).keepsRows,
        let place = lock.entries.firstIndex(where: { $0.version == number })
      else { continue }
      lock.entries[place].digest = VersionDigest(version)
    }
  }

  /// The app's own files of steps, under their steps' new names; what else theirs added as theirs has it.
  mutating func renameUserFiles(
    _ configuration: Configuration
  ) throws(FileSystemError) {
    let folder = Path.join(path, configuration.owned)
    let names = configuration.names
    func models(_ side: RebaseSides.Side, _ number: VersionNumber) -> [String] {
      side.versions[number]?.models.map(\.name) ?? []
    }
    func swiftFiles(_ side: RebaseSides.Side) throws(FileSystemError) -> Set<String> {
      Set(try (side.tree.list(folder) ?? []).filter { $0.hasSuffix(".swift") })
    }
    /// Files of a side under the names that they get, with what is in them then.
    func renamed(
      _ files: Set<String>, _ side: RebaseSides.Side, _ steps: [Own], _ renaming: UserFileRenaming
    ) throws(FileSystemError) -> [(name: String, target: String, contents: [UInt8])] {
      var found: [(name: String, target: String, contents: [UInt8])] = []
      for name in files.sorted() {
        let file = Path.join(folder, name)
        guard let bytes = try side.tree.read(file, limit: OutputLocations.readLimit) else {
          continue
        }
        var renaming = renaming
        var target = name
        for step in steps
        where name == VersionStep.name(from: step.oldBefore, to: step.old) + ".swift" {
          target = VersionStep.name(from: step.newBefore, to: step.new) + ".swift"
          // Rows that the step starts from are another version's now.
          if step.oldBefore != step.newBefore {
            renaming.add(
              step.oldBefore, step.newBefore, models: models(side, step.oldBefore), names)
          }
          renaming.add(from: (step.oldBefore, step.old), to: (step.newBefore, step.new), names)
        }
        found.append((name, target, Array(renaming.applied(to: text(bytes)).utf8)))
      }
      return found
    }
    var numbers = UserFileRenaming()
    for own in own where own.old != own.new {
      numbers.add(own.old, own.new, models: models(ours, own.old), names)
    }
    let common = try swiftFiles(base)
    let theirFiles = try swiftFiles(theirs)
    let ourFiles = try renamed(swiftFiles(ours).subtracting(common), ours, own, numbers)
    // Both added it: what differs in it is for git to tell.
    let kept = Set(
      ourFiles.filter { $0.name == $0.target && theirFiles.contains($0.name) }.map(\.name))
    let others = try renamed(
      theirFiles.subtracting(common).subtracting(kept), theirs, [theirStep].compactMap(\.self),
      UserFileRenaming())
    // First what goes: while V9ToV10 becomes V10ToV11, V10ToV11 becomes V11ToV12.
    let all = others + ourFiles.filter { !kept.contains($0.name) }
    for file in ourFiles + others where file.target != file.name {
      files[Path.join(folder, file.name)] = .some(nil)
    }
    for file in all { files[Path.join(folder, file.target)] = file.contents }
  }

  func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Everything that follows from the joined manifests, where these have no errors; what is on disk is looked at last.
  mutating func generate(
    _ configuration: Configuration, _ fileSystem: some FileSystem
  ) throws(FileSystemError) {
    guard !isRefused else { return }
    var whole = files.merging(try tornFiles(configuration)) { file, _ in file }
    if unresolved.isEmpty {
      let overlay = MemoryFiles(whole, over: fileSystem)
      let generation = GenerationPipeline(fileSystem: overlay).run(path)
      diagnostics += generation.diagnostics
      sources.merge(generation.folder?.sources ?? [:]) { _, new in new }
      evolution = generation.folder?.evolution
      for change in generation.changes where !diagnostics.hasErrors {
        whole[change.path] = change.action == .remove ? .some(nil) : change.contents
      }
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
    let unmerged = try unmerged()
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
