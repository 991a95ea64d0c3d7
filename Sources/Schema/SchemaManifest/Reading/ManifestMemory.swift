package import SchemaModel

/// Manifests that were read already, for those who read a folder again and again while one file of it changes.
///
/// A manifest is the same as long as its path and its bytes are. What the last reading of a folder did not use is gone.
package final class ManifestMemory: Sendable {
  private struct Entry: Sendable {
    let file: SourceFile
    let manifest: ReadManifest
    let root: YAMLNode?
  }

  private let entries = Locked<[String: Entry]>([:])

  package init() {}

  /// The YAML of a file; nil where it cannot be read.
  package func root(of file: SourceFile) -> YAMLNode? {
    let known = entries.withLock { $0[file.path] }
    guard let known, known.file == file else { return YAMLReader.read(file).root }
    return known.root
  }

  /// Reads manifests on all cores; the result is in the files' order.
  func read(_ files: [SourceFile]) -> [ReadManifest] {
    let known = entries.withLock { $0 }
    let read = concurrentMap(files.count) { index -> Entry in
      let file = files[index]
      if let entry = known[file.path], entry.file == file { return entry }
      var read = ManifestReader().readWithRoot(file)
      read.version?.mark()
      return Entry(
        file: file,
        manifest: ReadManifest(file: file, version: read.version, diagnostics: read.diagnostics),
        root: read.root)
    }
    // The folder's others have moved or gone; another folder's stay.
    let folders = Set(files.map { Self.folder(of: $0.path) })
    entries.withLock { entries in
      entries = entries.filter { !folders.contains(Self.folder(of: $0.key)) }
      for entry in read { entries[entry.file.path] = entry }
    }
    return read.map(\.manifest)
  }

  private static func folder(of path: String) -> Substring {
    path.lastIndex(of: "/").map { path[..<$0] } ?? ""
  }
}
