internal import Foundation
internal import SchemaModel
internal import SchemaProcesses
internal import SchemaRendering
package import SchemaWorkspace

extension StagedChanges {
  /// Handwritten Swift files of the next commit that declare, or declared before, a model or a type named in a
  /// manifest. The paths are below the worktree's top, and sorted.
  ///
  /// Nothing is parsed. The bytes are searched for declarations, and manifests for the declared names.
  package func namedCode(
    in manifests: [(path: String, files: any FileSystem)], below root: String
  ) throws(GitFailure) -> [String] {
    guard let place = repository.path(of: root) else { return [] }
    let swift = paths.filter {
      $0.hasSuffix(".swift") && ($0.hasPrefix(place + "/") || place.isEmpty)
    }
    guard !swift.isEmpty else { return [] }
    let texts = manifests.flatMap { folder, files -> [[UInt8]] in
      let names = (try? files.list(folder)) ?? []
      return names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.compactMap {
        (try? files.read(Path.join(folder, $0), limit: SchemaFolder.readLimit)) ?? nil
      }
    }
    guard !texts.isEmpty else { return [] }
    let trees = [
      try GitTree.staged(for: repository.top),
      try repository.head().map { GitTree(repository, commit: $0.commit) },
    ].compactMap(\.self)
    return swift.sorted().filter { file in
      trees.contains { tree in
        let bytes = (try? tree.read(Path.join(repository.top, file), limit: 8 << 20)) ?? nil
        guard let bytes, !GeneratedFile.isMarked(bytes) else { return false }
        let declared = DeclaredNames(bytes)
        return declared.hasModel || texts.contains { declared.areNamed(in: $0) }
      }
    }
  }

  /// Copies the next commit's Swift files below `root` to `folder`, and all its manifests, locks, templates and Core
  /// Data models.
  ///
  /// - Parameter folder: An absolute path. A file keeps its path relative to the worktree's top.
  package func checkOut(to folder: String, below root: String) throws(GitFailure) {
    let place = repository.path(of: root) ?? ""
    // Each line begins with a mark, in lower case if git does not check whether the file has changed.
    let listed = try git.answer(["ls-files", "--cached", "-v", "-z"]).output.split(separator: 0)
    let wanted = listed.filter { entry in
      let text = String(decoding: entry.dropFirst(2), as: UTF8.self)
      if text.hasSuffix(".swift") { return place.isEmpty || text.hasPrefix(place + "/") }
      return text.contains(".xcdatamodel")
        || [".yaml", ".yml", ".lock", ".mustache"].contains { text.hasSuffix($0) }
    }
    guard !wanted.isEmpty else { return }
    let changed = Set(
      try git.answer(["diff-files", "--name-only", "--no-ext-diff", "-z"]).output
        .split(separator: 0))
    let links = FileLinks(from: repository.top, to: folder)
    let left = wanted.filter { entry in
      let path = entry.dropFirst(2)
      // Only Swift files are linked, since the copy's manifests may be written to.
      let isStill =
        entry.first == UInt8(ascii: "H") && path.hasSwiftEnding && !changed.contains(path)
      return !(isStill && links.add(path))
    }.map { $0.dropFirst(2) }
    if !left.isEmpty {
      _ = try git.answer(
        ["checkout-index", "-z", "--stdin", "--prefix=\(folder)/"],
        input: Array(left.joined(separator: [0])) + [0])
    }
  }

  package func path(of path: String) -> String? { repository.path(of: path) }
}

extension ArraySlice<UInt8> {
  fileprivate var hasSwiftEnding: Bool { suffix(6).elementsEqual(".swift".utf8) }
}

/// Hard-links files of a worktree, since writing thousands of them takes seconds.
private final class FileLinks {
  private let source: String
  private let target: String
  private var folders: Set<String> = []

  init(from source: String, to target: String) {
    self.source = source
    self.target = target
  }

  /// - Returns: Whether the file was linked. Linking fails on another disk. Only regular files are linked, and git
  ///   writes all other files.
  func add(_ path: ArraySlice<UInt8>) -> Bool {
    guard let path = String(bytes: path, encoding: .utf8) else { return false }
    var status = stat()
    guard lstat(source + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return false
    }
    let place = target + "/" + path
    let folder = Path.folder(of: place)
    if folders.insert(folder).inserted {
      try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    return link(source + "/" + path, place) == 0
  }
}

/// The names of types that a Swift file declares, read from its bytes. There may be too many names, but not too few.
struct DeclaredNames {
  private(set) var names: Set<[UInt8]> = []
  private(set) var hasModel = false

  init(_ bytes: [UInt8]) {
    let keywords = Set(["enum", "struct", "class", "actor", "typealias"].map { Array($0.utf8) })
    let coding = Set(["CodingKeys", "Decoder", "Encoder"].map { Array($0.utf8) })
    var extended: Set<[UInt8]> = []
    var codes = false
    var previous: ArraySlice<UInt8> = []
    Self.words(of: bytes) { word in
      if keywords.contains(Array(previous)) { names.insert(Array(word)) }
      if previous.elementsEqual("extension".utf8) { extended.insert(Array(word)) }
      if word.elementsEqual("Model".utf8), word.startIndex > 0 {
        let before = bytes[word.startIndex - 1]
        hasModel =
          hasModel || before == UInt8(ascii: "@")
          || before == UInt8(ascii: ".") && previous.elementsEqual("SwiftData".utf8)
      }
      codes = codes || coding.contains(Array(word))
      previous = word
    }
    // Most extensions add functions, but an extension may define how a type is coded.
    if codes { names.formUnion(extended) }
  }

  func areNamed(in manifest: [UInt8]) -> Bool {
    guard !names.isEmpty else { return false }
    let lengths = Set(names.map(\.count))
    var found = false
    Self.words(of: manifest) { word in
      found = found || lengths.contains(word.count) && names.contains(Array(word))
    }
    return found
  }

  private static func words(of bytes: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) {
    var start: Int?
    for index in bytes.indices {
      let byte = bytes[index]
      let isWord =
        byte >= 0x80 || byte == UInt8(ascii: "_") || (48...57).contains(byte)
        || (65...90).contains(byte) || (97...122).contains(byte)
      if isWord {
        if start == nil { start = index }
      } else if let first = start {
        body(bytes[first..<index])
        start = nil
      }
    }
    if let start { body(bytes[start...]) }
  }
}
