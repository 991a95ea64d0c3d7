internal import SchemaManifest
internal import SchemaModel
internal import SchemaWorkspace

/// A file that an editor holds.
struct OpenDocument {
  let path: String
  /// The address as the editor wrote it.
  var uri: String { DocumentURI.uri(path) }
  var version: Int?
  var text: DocumentText
}

/// The files that an editor holds, laid over the disk, and what lint says of the folders that they are in.
final class ManifestDesk {
  private let today: CalendarDay
  private let disk: any FileSystem
  private var documents: [String: OpenDocument] = [:]
  /// What lint found, as long as nothing changed since.
  private var lints: [String: LintResult] = [:]
  /// The last versions that could be read, for answers while somebody writes.
  private var known: [String: [SchemaVersion]] = [:]
  private var changed: Set<String> = []

  init(today: CalendarDay, fileSystem: any FileSystem) {
    self.today = today
    disk = fileSystem
  }

  // MARK: Documents

  func document(_ path: String) -> OpenDocument? { documents[path] }

  func open(_ path: String, _ text: String, version: Int?) {
    documents[path] = OpenDocument(path: path, version: version, text: DocumentText(text))
    touch(path)
  }

  func change(
    _ path: String, _ changes: [JSONValue], version: Int?, _ encoding: DocumentText.Encoding
  ) {
    guard var document = documents[path] else { return }
    for change in changes {
      guard let text = change["text"]?.string else { continue }
      guard let range = change["range"] else {
        document.text = DocumentText(text)
        continue
      }
      func offset(_ key: String) -> Int {
        document.text.offset(
          of: DocumentText.Position(
            line: range[key]?["line"]?.integer ?? 0,
            character: range[key]?["character"]?.integer ?? 0), encoding)
      }
      let ends = [offset("start"), offset("end")].sorted()
      document.text = DocumentText(document.text.replacing(ends[0]..<ends[1], with: text))
    }
    document.version = version
    documents[path] = document
    touch(path)
  }

  func close(_ path: String) {
    guard documents.removeValue(forKey: path) != nil else { return }
    touch(path)
  }

  func hasOpen(where isWanted: (String) -> Bool) -> Bool {
    documents.keys.contains(where: isWanted)
  }

  // MARK: Folders

  /// The folder of manifests that a file belongs to; nil for other files.
  func folder(of path: String) -> String? {
    guard Self.isManifest(path) else { return nil }
    let folder = Path.folder(of: path)
    // A project has other YAML: only beside a version's manifest is it ours.
    if documents[path] != nil, Self.names(aVersion: path) { return folder }
    let names = (try? files.list(folder)) ?? []
    return names.contains(where: Self.names(aVersion:)) ? folder : nil
  }

  private static func isManifest(_ path: String) -> Bool {
    path.hasSuffix(".yaml") || path.hasSuffix(".yml")
  }

  /// Whether a file is called as a manifest is: `V9.yaml`.
  private static func names(aVersion path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    guard name.first == "V", let suffix = [".yaml", ".yml"].first(where: name.hasSuffix) else {
      return false
    }
    return VersionNumber(name.dropLast(suffix.count)) != nil
  }

  /// The editor's files over the disk.
  private var files: MemoryFiles {
    MemoryFiles(
      documents.filter { Self.isManifest($0.key) }.mapValues { Array($0.text.text.utf8) },
      over: disk)
  }

  /// Notes that a file is another than it was.
  func touch(_ path: String) {
    guard let folder = folder(of: path) else { return }
    lints[folder] = nil
    changed.insert(folder)
  }

  /// Notes that something changed on the disk.
  func touchAll() {
    for path in documents.keys { touch(path) }
  }

  /// The folders in which something changed, sorted; they count as looked at.
  func takeChanged() -> [String] {
    defer { changed = [] }
    return changed.sorted()
  }

  /// Whether the editor holds a file of the folder.
  func isOpen(_ folder: String) -> Bool {
    documents.keys.contains { self.folder(of: $0) == folder }
  }

  /// The YAML files of a folder, sorted.
  func files(of folder: String) -> [String] {
    ((try? files.list(folder)) ?? []).filter(Self.isManifest).map { Path.join(folder, $0) }
  }

  /// What lint finds in a folder; nil where the editor holds nothing of it any more.
  func lint(_ folder: String) -> LintResult? {
    guard isOpen(folder) else {
      lints[folder] = nil
      return nil
    }
    if let lint = lints[folder] { return lint }
    let lint = lint(folder, in: files)
    lints[folder] = lint
    if !lint.versions.isEmpty { known[folder] = lint.versions }
    return lint
  }

  /// What lint would find if some files were others.
  func lint(_ folder: String, with changes: [SourceFile]) -> LintResult {
    let files = files
    for file in changes { files.write(file.bytes, to: file.path) }
    return lint(folder, in: files)
  }

  private func lint(_ folder: String, in files: MemoryFiles) -> LintResult {
    let options = Linter.Options(today: today, baseline: Path.join(folder, Baseline.fileName))
    return Linter(options, fileSystem: files).run(folder)
  }

  /// The versions of a folder, or those that could last be read.
  func versions(of folder: String) -> [SchemaVersion] {
    if known[folder] == nil { _ = lint(folder) }
    return known[folder] ?? []
  }

  /// A file as it is now.
  func file(_ path: String) -> SourceFile? {
    if let document = documents[path] { return SourceFile(path: path, text: document.text.text) }
    let bytes = (try? disk.read(path, limit: OutputLocations.readLimit)) ?? nil
    return bytes.map { SourceFile(path: path, bytes: $0) }
  }

  /// The names in a folder of the disk.
  func names(in folder: String) -> [String] { ((try? disk.list(folder)) ?? nil) ?? [] }

  /// The text that lint saw.
  func text(of path: String, in lint: LintResult? = nil) -> DocumentText? {
    if let document = documents[path] { return document.text }
    return (lint?.sources[path] ?? file(path)?.text).map(DocumentText.init)
  }
}
