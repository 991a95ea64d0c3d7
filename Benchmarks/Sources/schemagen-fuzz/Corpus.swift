import Foundation
import SchemaModel
import SchemaWorkspace
import TestSupport

/// What is mutated: folders of manifests, each small, and the words that may come into them.
struct Corpus: Sendable {
  /// The folder that all files lie in, as lint is told.
  static let folder = "."
  /// More versions than this are cut into windows: time goes into inputs, not into one long history.
  static let mostVersions = 3

  /// The examples of all rules, Bad and Good.
  let examples: [[SourceFile]]
  /// Windows of the histories on disk.
  let histories: [[SourceFile]]
  /// Templates of ours, as ones that a user put into a folder of theirs.
  let templates: [SourceFile]
  let tokens: Tokens
  let entries: Entries

  /// Every file of every folder.
  let files: [SourceFile]

  /// - Parameter paths: Folders that are searched for manifests, for the JSON Schemas that know their keys, and for
  ///   templates.
  init(_ paths: [String]) throws {
    examples = PageFile.all.flatMap { $0.bad + $0.good }.filter { !$0.isSwift }
      .map { ExampleRun.files(of: $0.example) }
    var histories: [[SourceFile]] = []
    var schemas: [SourceFile] = []
    var templates: [SourceFile] = []
    for path in paths {
      for folder in Self.folders(below: path) {
        let found = try Self.files(in: folder)
        schemas += found.filter { $0.name.hasSuffix(".schema.json") }
        templates += found.filter { $0.name.hasSuffix(".mustache") }
        histories += Self.windows(found.filter { !$0.name.hasSuffix(".schema.json") })
      }
    }
    self.histories = histories
    self.templates = templates.map { SourceFile(path: "Own/\($0.name)", bytes: $0.bytes) }
    tokens = Tokens(schemas: schemas, rules: RuleCatalog.all.map(\.id))
    files = (examples + histories).flatMap { $0 }
    entries = Entries(files)
  }

  private static func folders(below path: String) -> [String] {
    let found = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    let wanted = [".yaml", ".schema.json", ".mustache"]
    let parents = found.filter { name in wanted.contains { name.hasSuffix($0) } }.map {
      URL(filePath: path).appending(path: $0).deletingLastPathComponent().path
    }
    return Set(parents).sorted()
  }

  private static func files(in folder: String) throws -> [SourceFile] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted().compactMap { name in
      let isWanted = [".yaml", ".yml", ".json", ".lock", ".mustache"].contains {
        name.hasSuffix($0)
      }
      guard isWanted else { return nil }
      let url = URL(filePath: folder).appending(path: name)
      return SourceFile(path: name, bytes: [UInt8](try Data(contentsOf: url)))
    }
  }

  /// A history as it is where it is short, and in runs of one to three versions.
  private static func windows(_ files: [SourceFile]) -> [[SourceFile]] {
    let versions = files.filter { $0.name.hasPrefix("V") && $0.name.hasSuffix(".yaml") }.sorted {
      (VersionNumber($0.name.dropLast(5)) ?? VersionNumber(0), $0.name)
        < (VersionNumber($1.name.dropLast(5)) ?? VersionNumber(0), $1.name)
    }
    guard !versions.isEmpty else { return [] }
    let configuration = files.filter { $0.name == "schemagen.yaml" }
    var windows = versions.count <= mostVersions ? [files] : []
    for length in 1...mostVersions {
      for start in stride(from: 0, through: versions.count - length, by: length) {
        windows.append(versions[start..<(start + length)] + configuration)
      }
    }
    return windows
  }
}
