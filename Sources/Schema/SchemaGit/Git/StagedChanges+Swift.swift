internal import SchemaModel
internal import SchemaProcesses
internal import SchemaRendering
package import SchemaWorkspace

/// The Swift of the next commit, as far as manifests speak of it.
extension StagedChanges {
  /// Hand-written Swift files of the next commit that declare, or declared before, a model or a type that a manifest
  /// names: paths below the worktree's top, sorted.
  ///
  /// Nothing is parsed: texts are searched for declarations, and manifests for the names of these.
  ///
  /// - Parameter root: The folder below which sources count.
  package func namedCode(
    in manifests: [(path: String, files: any FileSystem)], below root: String
  ) throws(GitFailure) -> [String] {
    guard let place = repository.path(of: root) else { return [] }
    let swift = paths.filter {
      $0.hasSuffix(".swift") && ($0.hasPrefix(place + "/") || place.isEmpty)
    }
    guard !swift.isEmpty else { return [] }
    let texts = manifests.flatMap { folder, files -> [String] in
      let names = (try? files.list(folder)) ?? []
      return names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.compactMap {
        ((try? files.read(Path.join(folder, $0), limit: SchemaFolder.readLimit)) ?? nil)
          .map { String(decoding: $0, as: UTF8.self) }
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

  /// Writes what the next commit has of Swift files below a folder, and of manifests, locks, templates and Core Data
  /// models.
  ///
  /// - Parameter folder: An absolute path, in which files get their paths below the worktree's top.
  package func checkOut(to folder: String, below root: String) throws(GitFailure) {
    let place = repository.path(of: root) ?? ""
    let listed = try git.answer(["ls-files", "--cached", "-z"]).output.split(separator: 0)
    let wanted = listed.filter { path in
      let text = String(decoding: path, as: UTF8.self)
      if text.hasSuffix(".swift") { return place.isEmpty || text.hasPrefix(place + "/") }
      return text.contains(".xcdatamodel")
        || [".yaml", ".yml", ".lock", ".mustache"].contains { text.hasSuffix($0) }
    }
    guard !wanted.isEmpty else { return }
    _ = try git.answer(
      ["checkout-index", "-z", "--stdin", "--prefix=\(folder)/"],
      input: Array(wanted.joined(separator: [0])) + [0])
  }

  /// A path as git calls it; nil for one outside of the repository.
  package func path(of path: String) -> String? { repository.path(of: path) }
}

/// The names that a Swift file declares types by, by its words alone: too many rather than too few.
struct DeclaredNames {
  private(set) var names: Set<Substring>
  let hasModel: Bool

  init(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    hasModel = text.contains(/@\s*(?:SwiftData\s*\.\s*)?Model\b/)
    names = Set(
      text.matches(of: /\b(?:enum|struct|class|actor|typealias)\s+`?(\w+)/).map(\.output.1))
    // Most extensions add functions; how a type is coded is said in one, too.
    if text.contains(/\b(?:CodingKeys|Decoder|Encoder)\b/) {
      names.formUnion(text.matches(of: /\bextension\s+(?:\w+\.)*`?(\w+)/).map(\.output.1))
    }
  }

  /// Whether a manifest has one of the names.
  func areNamed(in manifest: String) -> Bool {
    !names.isEmpty && manifest.matches(of: /\w+/).contains { names.contains($0.output) }
  }
}
