internal import ManagedModels
internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel
internal import SchemaRendering

/// Compares generated files with those on disk.
struct FilePlan: Sendable {
  var changes: [FileChange] = []
  var unchanged = 0
  var diagnostics: [Diagnostic] = []
  var lock: [UInt8]?

  mutating func compare(
    _ files: [GeneratedFile], of evolution: Evolution, in folder: String, previous: SchemaLock,
    fileSystem: some FileSystem
  ) throws(FileSystemError) {
    let places = OutputLocations(folder: folder, configuration: evolution.configuration)
    // The folders of the last generation are included: if the configuration names other folders now, the files move.
    let present = try OutputLocations.marked(
      in: Set(places.folders + previous.folders).sorted(),
      documentation: [evolution.configuration.documentation, previous.documentation],
      below: folder, fileSystem
    ) { $0 }
    let left = try compare(files, evolution, present, places, previous.owned, fileSystem)
    var lock = SchemaLock(evolution, previous: previous)
    lock.folders = places.folders
    lock.documentation = evolution.configuration.documentation
    lock.owned =
      files.filter { $0.kind == .userFile }.map {
        Path.join(evolution.configuration.owned, $0.path)
      } + left
    compareLock(lock, at: Path.join(folder, SchemaLock.fileName))
  }

  /// - Parameter owned: The user files known to the last generation, below the folder of manifests.
  ///
  /// - Returns: The names of those files whose functions are no longer called.
  private mutating func compare(
    _ files: [GeneratedFile], _ evolution: Evolution, _ present: [(path: String, content: [UInt8])],
    _ places: OutputLocations, _ owned: [String],
    _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> [String] {
    let called = Set(files.filter { $0.kind == .userFile }.map { places.path(of: $0) })
    var left: [(name: String, path: String, bytes: [UInt8])] = []
    for name in owned {
      let path = Path.join(places.folder, name)
      guard !called.contains(path),
        let bytes = try fileSystem.read(path, limit: OutputLocations.readLimit)
      else { continue }
      left.append((name, path, bytes))
    }
    let marked = Dictionary(present.map { ($0.path, $0.content) }) { first, _ in first }
    var wanted: Set<String> = []
    for file in files {
      let path = places.path(of: file)
      guard wanted.insert(path).inserted else {
        foreign(path, "two generated files would have the path '\(path)'")
        continue
      }
      let contents = Array(file.contents.utf8)
      let bytes: [UInt8]?
      if let known = marked[path] {
        bytes = known
      } else {
        bytes = try fileSystem.read(path, limit: OutputLocations.readLimit)
      }
      if file.kind == .userFile {
        if let bytes {
          diagnostics += Self.unwritten(file, at: path, bytes)
          let text = String(decoding: bytes, as: UTF8.self)
          diagnostics +=
            UserFileTypes(path: path, text: text, evolution)?.diagnostics() ?? []
        } else if let index = left.firstIndex(where: { $0.name.hasSuffix("/" + file.path) }) {
          // The folder of user files has another name now, so the file moves there.
          let old = left.remove(at: index)
          changes += [
            FileChange(action: .create, path: path, contents: old.bytes, previous: nil),
            FileChange(action: .remove, path: old.path, contents: [], previous: old.bytes),
          ]
        } else {
          changes.append(
            FileChange(action: .create, path: path, contents: contents, previous: nil))
          diagnostics += Self.unwritten(file, at: path, contents)
        }
        continue
      }
      guard let bytes else {
        if fileSystem.isFolder(path) { foreign(path, "'\(path)' is a folder") }
        changes.append(
          FileChange(action: .create, path: path, contents: contents, previous: nil))
        continue
      }
      if bytes == contents {
        unchanged += 1
      } else if GeneratedFile.isMarked(bytes) {
        changes.append(
          FileChange(action: .update, path: path, contents: contents, previous: bytes))
      } else {
        foreign(path, "'\(path)' is in the way: it lacks schemagen's mark")
      }
    }
    for file in present where !wanted.contains(file.path) {
      changes.append(
        FileChange(action: .remove, path: file.path, contents: [], previous: file.content))
    }
    diagnostics += left.map { file in
      Diagnostic(
        .uncalledUserFile, "nothing calls '\(file.path)' any more",
        at: SourceLocation(file: file.path),
        help: ["remove the file if nothing else needs it: schemagen never deletes a user file"])
    }
    return left.map(\.name)
  }

  /// Findings about functions that a user file lacks. They are warnings, since the generated code is right without the
  /// functions. `lint` reports them as errors.
  private static func unwritten(
    _ file: GeneratedFile, at path: String, _ bytes: [UInt8]
  ) -> [Diagnostic] {
    UserFileCheck(path: path, written: bytes, wanted: file).diagnostics().map { finding in
      var finding = finding
      finding.severity = .warning
      return finding
    }
  }

  private mutating func foreign(_ path: String, _ message: String) {
    diagnostics.append(
      Diagnostic(
        .foreignFile, message, at: nil,
        help: [
          "move the file away, or change the folders or file names in schemagen.yaml",
          "if schemagen wrote the file, restore its first line, which says so",
        ]))
  }

  private mutating func compareLock(_ lock: SchemaLock, at path: String) {
    let contents = Array(lock.text.utf8)
    guard contents != self.lock else { return }
    changes.append(
      FileChange(
        action: self.lock == nil ? .create : .update, path: path, contents: contents,
        previous: self.lock))
  }
}
