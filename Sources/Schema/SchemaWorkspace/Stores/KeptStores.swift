internal import SchemaManifest
package import SchemaModel

/// The shipped stores that are kept. The list `stores.yaml` in their folder has a line for each store.
package struct KeptStores: Sendable, Equatable {
  package static let fileName = "stores.yaml"

  package struct Entry: Sendable, Equatable {
    package var file: String
    /// The version that the store had when it was added.
    package var version: VersionNumber
    package var build: String?
    package var rows: Int
    /// The SHA-256 of the file, in lower-case hex. Git LFS names the file after this hash.
    package var digest: String
    package var location: SourceLocation?

    package init(
      file: String, version: VersionNumber, build: String?, rows: Int, digest: String
    ) {
      self.file = file
      self.version = version
      self.build = build
      self.rows = rows
      self.digest = digest
    }
  }

  /// The entries in the order of their versions, unless the list was edited by hand.
  package var entries: [Entry] = []

  package init() {}

  package static func folder(of folder: SchemaFolder) -> String {
    Path.join(folder.path, folder.configuration.stores)
  }

  /// Adds an entry after the entries of its version and of earlier versions. Replaces an entry for the same file.
  package mutating func add(_ entry: Entry) {
    entries.removeAll { $0.file == entry.file }
    entries.insert(
      entry, at: entries.firstIndex { $0.version > entry.version } ?? entries.endIndex)
  }

  // MARK: The file

  private enum Key: String {
    case version, build, rows, sha256
  }

  package var text: String {
    "# Stores that shipped. 'schemagen stores add' writes this list, 'schemagen lint' checks the files against it.\n"
      + entries.map { entry in
        let build = entry.build.map { ", \(Key.build): \(Self.scalar($0))" } ?? ""
        return "\(Self.scalar(entry.file)): { \(Key.version): \(entry.version.name)\(build), "
          + "\(Key.rows): \(entry.rows), \(Key.sha256): \(entry.digest) }\n"
      }.joined()
  }

  private static func scalar(_ text: String) -> String {
    YAMLText.isPlain(text, in: .flow) && !YAMLText.looksTyped(text)
      ? text : YAMLText.doubleQuoted(text)
  }

  package static func read(
    in folder: String, _ fileSystem: some FileSystem
  ) -> (stores: KeptStores, file: SourceFile, diagnostics: [Diagnostic])? {
    let path = Path.join(folder, fileName)
    do throws(FileSystemError) {
      guard let bytes = try fileSystem.read(path, limit: SchemaFolder.readLimit) else { return nil }
      let file = SourceFile(path: path, bytes: bytes)
      let read = read(file)
      return (read.stores, file, read.diagnostics)
    } catch {
      let unreadable = Diagnostic(
        .unreadable, "'\(error.path)' cannot be read: \(error.reason)",
        at: SourceLocation(file: path))
      return (KeptStores(), SourceFile(path: path, bytes: []), [unreadable])
    }
  }

  private static func read(_ file: SourceFile) -> (stores: KeptStores, diagnostics: [Diagnostic]) {
    var stores = KeptStores()
    var (root, diagnostics) = YAMLReader.read(file)
    func fail(_ message: String, _ location: SourceLocation) {
      diagnostics.append(
        Diagnostic(
          .brokenStoreList, message, at: location,
          help: ["restore the list from git: git checkout HEAD -- \(ShellWord.quoted(file.path))"]))
    }
    guard let root else { return (stores, diagnostics) }
    guard case .mapping(let lines) = root.content else {
      fail("the list needs a line for each store, not \(root.kind)", root.location)
      return (stores, diagnostics)
    }
    for line in lines {
      guard !line.key.contains("/"), line.key != "..", line.key != fileName else {
        fail("'\(line.key)' is not the name of a file in this folder", line.keyLocation)
        continue
      }
      guard case .mapping(let keys) = line.value.content else {
        fail("a mapping is expected here, not \(line.value.kind)", line.value.location)
        continue
      }
      var values: [Key: String] = [:]
      for entry in keys {
        if let key = Key(rawValue: entry.key) {
          values[key] = entry.value.scalar?.text
        } else {
          fail("the list has no key '\(entry.key)'", entry.keyLocation)
        }
      }
      guard let version = values[.version].flatMap({ VersionNumber($0) }),
        let rows = values[.rows].flatMap({ Int($0) }), rows >= 0,
        let digest = values[.sha256], isDigest(digest)
      else {
        fail("a store needs 'version', 'rows' and 'sha256'", line.keyLocation)
        continue
      }
      var entry = Entry(
        file: line.key, version: version, build: values[.build], rows: rows, digest: digest)
      entry.location = line.keyLocation
      stores.entries.append(entry)
    }
    return (stores, diagnostics)
  }

  private static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }
}
