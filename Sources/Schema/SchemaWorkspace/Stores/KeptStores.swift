internal import SchemaEvolution
internal import SchemaManifest
package import SchemaModel

/// The stores that shipped and are kept, as their list says: `stores.yaml`, in the folder that has them.
package struct KeptStores: Sendable, Equatable {
  package static let fileName = "stores.yaml"

  /// One store of the list.
  package struct Entry: Sendable, Equatable {
    /// The file's name, in the list's folder.
    package var file: String
    /// The version that it proved to be of when it was taken in.
    package var version: VersionNumber
    /// The release or build that wrote it, as its users call it.
    package var build: String?
    /// Where it came from.
    package var origin: String?
    /// `NSPersistenceFrameworkVersion`.
    package var framework: Int?
    /// SHA-256 of the file, in lower-case hex: what Git LFS names it by, too.
    package var digest: String
    /// Rows by model.
    package var rows: [String: Int]
    /// How many rows there were, of models of which it is a sample.
    package var sampled: [String: Int]
    /// SHA-256 of each file of large values, by its path below the list's folder.
    package var external: [String: String]
    /// Where the list says it.
    package var location: SourceLocation?

    package init(
      file: String, version: VersionNumber, build: String? = nil, origin: String? = nil,
      framework: Int? = nil, digest: String, rows: [String: Int] = [:],
      sampled: [String: Int] = [:], external: [String: String] = [:]
    ) {
      self.file = file
      self.version = version
      self.build = build
      self.origin = origin
      self.framework = framework
      self.digest = digest
      self.rows = rows
      self.sampled = sampled
      self.external = external
    }
  }

  /// In the order of their versions.
  package var entries: [Entry] = []

  package init() {}

  /// The folder of kept stores of a folder of manifests.
  package static func folder(of folder: SchemaFolder) -> String {
    Path.join(folder.path, folder.configuration.stores)
  }

  /// Adds an entry behind those of its version and of earlier ones.
  package mutating func add(_ entry: Entry) {
    entries.insert(
      entry, at: entries.firstIndex { $0.version > entry.version } ?? entries.endIndex)
  }
}

// MARK: - The file

private enum ListKey: String {
  case format, stores
}

private enum StoreKey: String {
  case file, version, build, from, framework, sha256, rows, sampled, external
}

extension KeptStores {
  /// The file's text.
  package var text: String {
    var text = """
      # Stores that shipped. 'schemagen stores add' writes this list, 'schemagen stores check' holds the files to it.
      format: 1
      stores:

      """
    for entry in entries {
      func line(_ key: StoreKey, _ value: String?) {
        guard let value else { return }
        text += "\(key == .file ? "  - " : "    ")\(key.rawValue): \(value)\n"
      }
      func counts(_ counts: [String: Int]) -> String? {
        guard !counts.isEmpty else { return nil }
        let pairs = counts.sorted { $0.key < $1.key }.map { "\(Self.scalar($0.key)): \($0.value)" }
        return "{ " + pairs.joined(separator: ", ") + " }"
      }
      line(.file, Self.scalar(entry.file))
      line(.version, entry.version.name)
      line(.build, entry.build.map(Self.scalar))
      line(.from, entry.origin.map(Self.scalar))
      line(.framework, entry.framework.map(String.init))
      line(.sha256, entry.digest)
      line(.rows, counts(entry.rows))
      line(.sampled, counts(entry.sampled))
      guard !entry.external.isEmpty else { continue }
      line(.external, "")
      text.removeLast(2)
      text += "\n"
      for (path, digest) in entry.external.sorted(by: { $0.key < $1.key }) {
        text += "      \(Self.scalar(path)): \(digest)\n"
      }
    }
    return text
  }

  private static func scalar(_ text: String) -> String {
    YAMLText.isPlain(text, in: .flow) && !YAMLText.looksTyped(text) && !text.contains(": ")
      ? text : YAMLText.doubleQuoted(text)
  }

  /// Reads a folder's list; nil where there is none.
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
      return (
        KeptStores(), SourceFile(path: path, bytes: []),
        [
          Diagnostic(
            .unreadable, "'\(error.path)' cannot be read: \(error.reason)",
            at: SourceLocation(file: path))
        ]
      )
    }
  }

  private static func read(_ file: SourceFile) -> (stores: KeptStores, diagnostics: [Diagnostic]) {
    var stores = KeptStores()
    let (root, unread) = YAMLReader.read(file)
    var diagnostics = unread
    func fail(_ message: String, _ location: SourceLocation) {
      diagnostics.append(
        Diagnostic(
          .brokenStoreList, message, at: location,
          help: ["restore it from git: git checkout HEAD -- \(ShellWord.quoted(file.path))"]))
    }
    guard let root else {
      if unread.isEmpty { fail("the list of stores is empty", SourceLocation(file: file.path)) }
      return (stores, diagnostics)
    }
    /// The entries of a mapping by the keys that it may have.
    func keys<Key: RawRepresentable<String> & Hashable>(
      _ node: YAMLNode, _: Key.Type
    ) -> [Key: YAMLNode] {
      guard case .mapping(let entries) = node.content else {
        fail("a mapping is expected here, not \(node.kind)", node.location)
        return [:]
      }
      var found: [Key: YAMLNode] = [:]
      for entry in entries {
        if let key = Key(rawValue: entry.key) {
          found[key] = entry.value
        } else {
          fail("the list has no key '\(entry.key)'", entry.keyLocation)
        }
      }
      return found
    }
    func counts(_ node: YAMLNode?) -> [String: Int] {
      var counts: [String: Int] = [:]
      guard let node, case .mapping(let entries) = node.content else { return counts }
      for entry in entries {
        if let text = entry.value.scalar?.text, let count = Int(text), count >= 0 {
          counts[entry.key] = count
        } else {
          fail("'\(entry.key)' is not a number of rows", entry.value.location)
        }
      }
      return counts
    }
    let top = keys(root, ListKey.self)
    guard top[.format]?.scalar?.text == "1" else {
      fail(
        "this is not a list of format 1: another release of schemagen may have written it",
        top[.format]?.location ?? root.location)
      return (stores, diagnostics)
    }
    var items: [YAMLNode] = []
    if let node = top[.stores] {
      switch node.content {
      case .sequence(let nodes): items = nodes
      case .scalar(let scalar) where scalar.isNothing: break
      default: fail("'stores' is a list, not \(node.kind)", node.location)
      }
    }
    var seen: Set<String> = []
    for item in items {
      let fields = keys(item, StoreKey.self)
      func text(_ key: StoreKey) -> String? { fields[key]?.scalar?.text }
      guard let name = text(.file), let version = text(.version).flatMap({ VersionNumber($0) }),
        let digest = text(.sha256), isDigest(digest)
      else {
        fail("a store needs 'file', 'version' and 'sha256'", item.location)
        continue
      }
      guard isName(name) else {
        fail("'\(name)' is not the name of a file in this folder", item.location)
        continue
      }
      guard seen.insert(name).inserted else {
        fail("'\(name)' is in the list twice", item.location)
        continue
      }
      var entry = Entry(
        file: name, version: version, build: text(.build), origin: text(.from),
        framework: text(.framework).flatMap { Int($0) }, digest: digest,
        rows: counts(fields[.rows]), sampled: counts(fields[.sampled]))
      if case .mapping(let files)? = fields[.external]?.content {
        for file in files {
          if let digest = file.value.scalar?.text, isDigest(digest),
            !file.key.split(separator: "/").contains(".."), !file.key.hasPrefix("/")
          {
            entry.external[file.key] = digest
          } else {
            fail("'\(file.key)' needs a path below this folder and a SHA-256", file.keyLocation)
          }
        }
      }
      entry.location = item.location
      stores.entries.append(entry)
    }
    return (stores, diagnostics)
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.contains("/") && text != "." && text != ".." && text != fileName
  }

  private static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }
}
