internal import SchemaManifest
internal import SchemaModel
internal import SchemaWorkspace

struct OpenDocument {
  let path: String
  var version: Int?
  var text: DocumentText
}

/// The files that an editor has open, on top of the disk, and the results of lint for their folders.
final class ManifestDesk {
  private let today: CalendarDay
  private let disk: any FileSystem
  private var documents: [String: OpenDocument] = [:]
  private var lints: [String: LintResult] = [:]
  /// For each manifest, its last readable version, for answers while the user types.
  private var known: [String: SchemaVersion] = [:]
  private var changed: Set<String> = []

  init(today: CalendarDay, fileSystem: any FileSystem) {
    self.today = today
    disk = fileSystem
  }

  // MARK: Documents

  func document(_ path: String) -> OpenDocument? { documents[path] }

  func hold(_ path: String, _ text: String, version: Int?) {
    documents[path] = OpenDocument(path: path, version: version, text: DocumentText(text))
    touch(path)
  }

  func close(_ path: String) {
    guard documents.removeValue(forKey: path) != nil else { return }
    touch(path)
  }

  // MARK: Folders

  func folder(of path: String) -> String? {
    guard Self.isYAML(path) else { return nil }
    let folder = Path.folder(of: path)
    // Projects contain other YAML, so a file only counts next to a version's manifest.
    if documents[path] != nil, Self.version(path) != nil { return folder }
    return files(of: folder).contains { Self.version($0) != nil } ? folder : nil
  }

  private static func isYAML(_ path: String) -> Bool {
    path.hasSuffix(".yaml") || path.hasSuffix(".yml")
  }

  private static func version(_ path: String) -> VersionNumber? {
    let name = path.split(separator: "/").last ?? ""
    guard name.first == "V", let suffix = [".yaml", ".yml"].first(where: name.hasSuffix) else {
      return nil
    }
    return VersionNumber(name.dropLast(suffix.count))
  }

  private var files: MemoryFiles {
    MemoryFiles(
      documents.filter { Self.isYAML($0.key) }.mapValues { Array($0.text.text.utf8) }, over: disk)
  }

  func touch(_ path: String) {
    guard let folder = folder(of: path) else { return }
    lints[folder] = nil
    changed.insert(folder)
  }

  func touchAll() {
    for path in documents.keys { touch(path) }
  }

  /// The sorted folders that have changed since the last call.
  func takeChanged() -> [String] {
    defer { changed = [] }
    return changed.sorted()
  }

  func files(of folder: String) -> [String] {
    ((try? files.list(folder)) ?? []).filter(Self.isYAML).map { Path.join(folder, $0) }
  }

  /// The findings of lint in a folder; nil if the editor has none of its files open any more.
  func lint(_ folder: String) -> LintResult? {
    guard documents.keys.contains(where: { self.folder(of: $0) == folder }) else {
      lints[folder] = nil
      return nil
    }
    if let lint = lints[folder] { return lint }
    let options = Linter.Options(today: today, baseline: Path.join(folder, Baseline.fileName))
    let lint = Linter(options, fileSystem: files).run(folder)
    lints[folder] = lint
    for version in lint.versions { version.location.map { known[$0.file] = version } }
    return lint
  }

  /// The last readable versions of a manifest and of the one before it.
  func versions(of path: String) -> (before: SchemaVersion?, version: SchemaVersion?) {
    guard let folder = folder(of: path) else { return (nil, nil) }
    _ = lint(folder)
    let number = known[path]?.number ?? Self.version(path)
    let before = known.values.filter { version in
      guard let file = version.location?.file, let number else { return false }
      return Path.folder(of: file) == folder && file != path && version.number < number
    }.max { $0.number < $1.number }
    return (before, known[path])
  }

  func file(_ path: String) -> SourceFile? {
    let bytes = (try? files.read(path, limit: OutputLocations.readLimit)) ?? nil
    return bytes.map { SourceFile(path: path, bytes: $0) }
  }

  func text(of path: String, in lint: LintResult?) -> DocumentText? {
    documents[path]?.text ?? (lint?.sources[path] ?? file(path)?.text).map(DocumentText.init)
  }
}
