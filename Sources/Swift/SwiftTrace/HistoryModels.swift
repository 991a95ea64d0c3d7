internal import CGNU
internal import Foundation
internal import ManagedModels
internal import SchemaEvolution
package import SchemaGit
internal import SchemaManifest
package import SchemaModel
internal import SchemaRendering
internal import SchemaWorkspace
package import SwiftSources

/// The schemas of a repository's commits. Files that are equal in several commits are read once.
package struct HistoryModels {
  /// Files that are read together: the classes of a commit, or a folder of manifests.
  package struct Part: Sendable {
    package var versions: [CommitVersion] = []
    /// Why some of the versions cannot be read. Each sentence begins with a path.
    package var troubles: [String] = []
  }

  package private(set) var partsOfCommit: [[Int]] = []
  /// Sorted paths of files that are too large to be read, or that git does not have.
  package private(set) var unreadFiles: [String] = []

  private let names: Set<String>?
  private let conditions: BuildConditions
  private var contents: [Int: [UInt8]] = [:]
  private var kinds: [Kind]
  /// Why contents that may have models cannot be read. The keys are numbers of contents.
  private var losses: [Int: String] = [:]
  /// The types that files without models declare, by number of contents.
  private var declared: [Int: Set<String>] = [:]
  private var wanted: Set<String> = []
  private var isWanted: [Bool]
  private var parsed: [PathContents: SwiftSource] = [:]
  private var readings: [String: (model: VersionModel, hashes: VersionHashes)] = [:]
  private var parts: [PartFiles] = []
  private var numbers: [[PathContents]: [Int]] = [:]

  private enum Kind { case none, classes, swift, manifest }

  private struct PathContents: Hashable, Sendable {
    var path: String
    var contents: Int
  }

  private struct PartFiles {
    /// The folder of the manifests; `nil` for classes.
    var folder: String?
    /// The files with models or versions, or all files of the folder of manifests.
    var own: [PathContents]
    /// Other files that the part needs: those that declare types, and bases of the configuration.
    var others: [PathContents]
  }

  /// The relevant files of a commit: their paths, each with the number of its contents.
  private struct Files {
    var classes: [String: Int] = [:]
    var swift: [String: Int] = [:]
    var manifests: [String: Int] = [:]
  }

  /// - Parameters:
  ///   - names: The models to read; `nil` for all.
  ///   - take: Called with each part as soon as it is read, in the order of the parts' numbers. Parts are not kept.
  package init(
    _ history: CommitHistory, _ contents: CommitContents, named names: Set<String>?,
    conditions: BuildConditions, progress: WorkObserver? = nil,
    _ take: (Part) -> Void
  ) throws(GitFailure) {
    self.names = names
    self.conditions = conditions
    kinds = Array(repeating: .none, count: history.blobs.count)
    isWanted = Array(repeating: false, count: history.blobs.count)
    try readContents(history, contents, progress)
    let kinds = self.kinds
    try history.walk(from: Files()) { files, change in
      let path = change.path
      if let old = change.old {
        switch kinds[old] {
        case .classes: files.classes[path] = nil
        case .swift: files.swift[path] = nil
        case .manifest: files.manifests[path] = nil
        case .none: break
        }
      }
      guard let new = change.new else { return }
      switch kinds[new] {
      case .classes: files.classes[path] = new
      case .swift: files.swift[path] = new
      case .manifest: files.manifests[path] = new
      case .none: break
      }
    } _: { commit, parent, files throws(GitFailure) in
      progress?("reading the models of commits", commit, history.commits.count)
      if let parent, !history.changes[commit].contains(where: { matters($0) }) {
        partsOfCommit.append(partsOfCommit[parent])
      } else {
        partsOfCommit.append(try numbers(of: files, contents, take))
      }
    }
  }

  private func matters(_ change: CommitHistory.Change) -> Bool {
    [change.old, change.new].contains { contents in
      guard let contents else { return false }
      switch kinds[contents] {
      case .classes, .manifest: return true
      case .swift: return isWanted[contents]
      case .none: return false
      }
    }
  }

  // MARK: Contents

  private static let modelPrefilter = Prefilter([
    "@Model", "@SwiftData.Model", "VersionedSchema", "SchemaMigrationPlan", "ModelContainer(",
    "modelContainer(",
  ])

  private static let pointer = Array("version https://git-lfs.github.com/spec/".utf8)

  /// Records that contents may have models but cannot be read.
  private mutating func lose(_ place: Int, _ reason: String) {
    kinds[place] = .classes
    losses[place] = reason
  }

  private mutating func readContents(
    _ history: CommitHistory, _ reader: CommitContents, _ progress: WorkObserver?
  ) throws(GitFailure) {
    var swift: [Int: String] = [:]
    var manifests: [Int: String] = [:]
    // A folder counts as a folder of manifests if it ever had a version's manifest.
    var folders: Set<String> = []
    for change in history.changes.joined() {
      if CommitManifests.isManifest(Self.name(change.path)) {
        folders.insert(Self.folder(change.path))
      }
    }
    for change in history.changes.joined() {
      for contents in [change.old, change.new].compactMap(\.self) {
        if change.path.hasSuffix(".swift") {
          swift[contents] = swift[contents] ?? change.path
        } else if !folders.isEmpty {
          manifests[contents] = manifests[contents] ?? change.path
        }
      }
    }
    var done = 0
    let total = swift.count + manifests.count
    var unread: Set<String> = []
    try reader.read(manifests.keys) { place, found in
      done += 1
      progress?("reading files of commits", done, total)
      guard case .bytes(let bytes) = found else {
        unread.insert(manifests[place] ?? "")
        return
      }
      kinds[place] = .manifest
      contents[place] = bytes
    }
    try reader.read(swift.keys) { place, found in
      done += 1
      progress?("reading files of commits", done, total)
      let bytes: [UInt8]
      switch found {
      case .bytes(let found): bytes = found
      // Hand-written files are smaller.
      case .tooLarge:
        unread.insert(swift[place] ?? "")
        return
      case .missing:
        unread.insert(swift[place] ?? "")
        lose(place, "git does not have it")
        return
      }
      if bytes.starts(with: Self.pointer) { return lose(place, "its text is in Git LFS") }
      if SourceFile.isWide(bytes) {
        let text = String(bytes: bytes, encoding: .utf16) ?? "@Model"
        if Array(text.utf8).withUnsafeBytes(Self.modelPrefilter.matches) {
          lose(place, "it is not UTF-8")
        }
        return
      }
      let isGenerated = GeneratedFile.isMarked(bytes)
      let hasModels = bytes.withUnsafeBytes(Self.modelPrefilter.matches)
      // Generated classes are read from their manifests.
      if isGenerated, hasModels { return }
      if hasModels {
        kinds[place] = .classes
        contents[place] = bytes
      } else {
        let names = DeclaredNames.find(in: bytes)
        guard !names.isEmpty else { return }
        kinds[place] = .swift
        declared[place] = names
      }
    }
    unreadFiles = unread.sorted()
  }

  private static func name(_ path: String) -> Substring {
    path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
  }

  /// Reads all contents, in any commit, that declare one of these names.
  private mutating func want(
    _ names: Set<String>, _ reader: CommitContents
  ) throws(GitFailure) {
    let last = names.map { name in name.split(separator: ".").last.map(String.init) ?? name }
    let new = Set(last).subtracting(wanted)
    guard !new.isEmpty else { return }
    wanted.formUnion(new)
    var places: [Int] = []
    for (place, names) in declared where !isWanted[place] && !names.isDisjoint(with: new) {
      isWanted[place] = true
      places.append(place)
    }
    try reader.read(places) { place, found in
      if case .bytes(let bytes) = found { contents[place] = bytes }
    }
  }

  // MARK: Parts

  private mutating func numbers(
    of files: Files, _ reader: CommitContents, _ take: (Part) -> Void
  ) throws(GitFailure) -> [Int] {
    var found: [Int] = []
    if !files.classes.isEmpty { found.append(try classes(files, reader, take)) }
    let folders = Set(
      files.manifests.keys.filter { CommitManifests.isManifest(Self.name($0)) }
        .map { Self.folder($0) })
    for folder in folders.sorted() { found.append(manifests(in: folder, files, take)) }
    return found
  }

  /// The number of an earlier part with the same own files, if its other files are the same too.
  private func known(_ own: [PathContents], _ isSame: (PartFiles) -> Bool) -> Int? {
    numbers[own]?.first { isSame(parts[$0]) }
  }

  private mutating func add(_ part: PartFiles) -> Int {
    parts.append(part)
    numbers[part.own, default: []].append(parts.count - 1)
    return parts.count - 1
  }

  private static func sorted(_ files: [String: Int]) -> [PathContents] {
    files.map { PathContents(path: $0.key, contents: $0.value) }.sorted { $0.path < $1.path }
  }

  // MARK: Classes

  private mutating func classes(
    _ files: Files, _ reader: CommitContents, _ take: (Part) -> Void
  ) throws(GitFailure) -> Int {
    let models = Self.sorted(files.classes)
    var helpers = self.helpers(files)
    while true {
      if let number = known(models, { $0.others == helpers && $0.folder == nil }) { return number }
      let found = classes(models, helpers)
      let count = wanted.count
      try want(found.0.missing, reader)
      let more = wanted.count == count ? helpers : self.helpers(files)
      guard more == helpers else {
        helpers = more
        continue
      }
      take(
        Part(versions: found.0.versions, troubles: found.troubles + found.0.troubles))
      return add(PartFiles(folder: nil, own: models, others: helpers))
    }
  }

  private mutating func classes(
    _ models: [PathContents], _ helpers: [PathContents]
  ) -> (ClassVersions, troubles: [String]) {
    let all = models + helpers
    // Keep parsed files: the next part needs most of them again.
    if parsed.count > 2 * all.count + 64 {
      let used = Set(all)
      parsed = parsed.filter { used.contains($0.key) }
    }
    let (sources, troubles) = parse(all)
    let found = ClassVersions(
      sources, named: names, conditions, lacking: troubles, after: readings)
    readings = found.readings
    return (found, troubles)
  }

  private func helpers(_ files: Files) -> [PathContents] {
    Self.sorted(files.swift.filter { isWanted[$0.value] })
  }

  private mutating func parse(
    _ files: [PathContents]
  ) -> (sources: [SwiftSource], troubles: [String]) {
    var troubles: [String] = []
    var sources: [SwiftSource] = []
    for file in files {
      if let known = parsed[file] {
        sources.append(known)
        continue
      }
      guard let bytes = contents[file.contents] else {
        if let reason = losses[file.contents] { troubles.append("\(file.path): \(reason)") }
        continue
      }
      if String(bytes: bytes, encoding: .utf8) == nil {
        troubles.append("\(file.path): it is not UTF-8")
      } else if let obstacle = NestingCheck.obstacle(in: bytes) {
        troubles.append("\(file.path): it \(obstacle)")
      } else {
        let source = SwiftSource(SourceFile(path: file.path, bytes: bytes))
        parsed[file] = source
        sources.append(source)
      }
    }
    return (sources, troubles)
  }

  // MARK: Manifests

  private mutating func manifests(
    in folder: String, _ files: Files, _ take: (Part) -> Void
  ) -> Int {
    let own = Self.sorted(files.manifests.filter { Self.folder($0.key) == folder })
    func isHere(_ file: PathContents) -> Bool {
      files.manifests[file.path] ?? Self.nothing == file.contents
    }
    if let number = known(own, { $0.folder == folder && $0.others.allSatisfy(isHere) }) {
      return number
    }
    let bases = Self.bases(own, ManifestTree(files: files.manifests, contents: contents))
    let others = bases.contents.keys.sorted().map { path in
      PathContents(path: path, contents: files.manifests[path] ?? Self.nothing)
    }
    take(Self.part(of: folder, own, others, contents))
    return add(PartFiles(folder: folder, own: own, others: others))
  }

  /// Stands for the contents of a missing file.
  private static let nothing = -1

  private static func folder(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  private static func isYAML(_ file: PathContents) -> Bool {
    file.path.hasSuffix(".yaml") || file.path.hasSuffix(".yml")
  }

  private static func bases(_ own: [PathContents], _ tree: ManifestTree) -> ConfigurationBases {
    let configuration = own.filter(isYAML).map { tree.file($0.path, $0.contents) }
      .first { ConfigurationReader.isConfiguration($0) }
    return ManifestFiles.bases(of: configuration, tree)
  }

  private static func tree(_ files: [PathContents], _ contents: [Int: [UInt8]]) -> ManifestTree {
    let places = files.filter { $0.contents != nothing }.map { ($0.path, $0.contents) }
    return ManifestTree(
      files: Dictionary(places, uniquingKeysWith: { first, _ in first }), contents: contents)
  }

  private static func part(
    of folder: String, _ own: [PathContents], _ others: [PathContents], _ contents: [Int: [UInt8]]
  ) -> Part {
    let tree = tree(own + others, contents)
    let lock = own.first { name($0.path) == SchemaLock.fileName }
    let read = CommitManifests(
      folder, own.filter(isYAML).map { tree.file($0.path, $0.contents) }, bases: bases(own, tree),
      lock: lock.map { tree.file($0.path, $0.contents) })
    return Part(versions: read.versions, troubles: read.trouble.map { [$0] } ?? [])
  }
}

/// A file system with the YAML files of a commit.
private struct ManifestTree: FileSystem {
  let files: [String: Int]
  let contents: [Int: [UInt8]]

  func file(_ path: String, _ place: Int) -> SourceFile {
    SourceFile(path: path, bytes: contents[place] ?? [])
  }

  func list(_ folder: String) throws(FileSystemError) -> [String]? { nil }

  func isFolder(_ path: String) -> Bool { false }

  func read(_ path: String, limit: Int) throws(FileSystemError) -> [UInt8]? {
    files[Path.normalized(path)].flatMap { contents[$0] }.map { Array($0.prefix(limit)) }
  }

  func write(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
    throw FileSystemError(path: path, reason: "files in git's database cannot be written")
  }

  func remove(_ path: String) throws(FileSystemError) {
    throw FileSystemError(path: path, reason: "files in git's database cannot be removed")
  }
}

/// The names of the types that a file may declare, found without parsing it.
private enum DeclaredNames {
  private static let keywords = ["enum", "struct", "class", "typealias", "extension", "actor"]
    .map { Array($0.utf8) }

  static func find(in bytes: [UInt8]) -> Set<String> {
    var names: Set<String> = []
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      for keyword in keywords {
        var offset = 0
        while offset < bytes.count,
          let hit = keyword.withUnsafeBytes({
            memmem(start + offset, bytes.count - offset, $0.baseAddress ?? start, $0.count)
          })
        {
          var place = UnsafeRawPointer(hit) - start + keyword.count
          offset = place
          let begin = place
          while place < bytes.count, isSpace(bytes[place]) { place += 1 }
          guard place > begin else { continue }
          // `Outer.Inner`, and names in backticks.
          while true {
            if place < bytes.count, bytes[place] == UInt8(ascii: "`") { place += 1 }
            let first = place
            while place < bytes.count, isNamePart(bytes[place]) { place += 1 }
            guard place > first else { break }
            names.insert(
              String(
                decoding: UnsafeRawBufferPointer(rebasing: bytes[first..<place]), as: UTF8.self))
            if place < bytes.count, bytes[place] == UInt8(ascii: "`") { place += 1 }
            guard place < bytes.count, bytes[place] == UInt8(ascii: ".") else { break }
            place += 1
          }
        }
      }
    }
    return names
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    byte == 95 || byte >= 0x80 || (48...57).contains(byte) || (65...90).contains(byte)
      || (97...122).contains(byte)
  }
}
