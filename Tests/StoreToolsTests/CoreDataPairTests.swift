import Foundation
import SchemaManifest
import SchemaModel
import SchemaWorkspace
import StoreTools
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreFormat

/// Hashes made of the sources of Core Data models, against those that Core Data itself has written: in stores, and in
/// the `VersionInfo.plist` of compiled models.
///
/// `COREDATA_PAIRS` names a folder of public repositories' files, one folder for each: none of them is ours to keep.
@Suite struct CoreDataPairTests {
  static let folder = ProcessInfo.processInfo.environment["COREDATA_PAIRS"]

  @Test("every entity of every pair has the hash that Core Data gave it", .enabled(if: folder != nil))
  func pairs() throws {
    let folder = try #require(Self.folder)
    var counts = (entities: 0, equal: 0, sources: 0, whole: 0)
    for repository in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
      let files = FileManager.default.enumerator(atPath: "\(folder)/\(repository)")?
        .compactMap { $0 as? String }.sorted() ?? []
      let models = files.filter { $0.hasSuffix(".xcdatamodel/contents") }.compactMap {
        model("\(folder)/\(repository)/\($0)")
      }
      guard !models.isEmpty else { continue }
      let hashes = models.map { ($0.name, $0.model.versionHashes.entities) }
      for (name, wanted) in files.flatMap({ sources("\(folder)/\(repository)/\($0)") }) {
        counts.sources += 1
        counts.entities += wanted.count
        // The version that has most in common with it; a repository may have lost the very one.
        let scores = hashes.map { _, made in wanted.count { made[$0.key] == $0.value } }
        let best = scores.max() ?? 0
        counts.equal += best
        if best == wanted.count { counts.whole += 1 } else {
          let place = scores.firstIndex(of: best)!
          let missing = wanted.keys.filter { hashes[place].1[$0] != wanted[$0] }.sorted()
          let elsewhere = missing.filter { name in hashes.contains { $0.1[name] == wanted[name] } }
          print(
            "\(name): \(best) of \(wanted.count) in '\(hashes[place].0)'; not: \(missing); in another version: \(elsewhere); same entities: \(Set(hashes[place].1.keys) == Set(wanted.keys)), in \(hashes.count { Set($0.1.keys) == Set(wanted.keys) }) versions"
          )
        }
      }
    }
    print("sources \(counts.sources), whole \(counts.whole), entities \(counts.entities), equal \(counts.equal)")
  }

  private func model(_ path: String) -> CoreDataModel? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    let file = SourceFile(path: path, bytes: Array(data))
    let (model, diagnostics) = CoreDataModelReader.read(file, name: path)
    for finding in diagnostics { print("\(path): \(finding.message)") }
    return model
  }

  private func sources(_ path: String) -> [(String, [String: Data])] {
    if path.hasSuffix("VersionInfo.plist") {
      let list = FileManager.default.contents(atPath: path).flatMap {
        try? PropertyListSerialization.propertyList(from: $0, format: nil) as? [String: Any]
      }
      let versions = list?["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]] ?? [:]
      return versions.sorted { $0.key < $1.key }.map { ("\(path) \($0.key)", $0.value) }
    }
    let endings = [".sqlite", ".store", ".db", ".sqlite3", ".wiredatabase"]
    guard endings.contains(where: path.hasSuffix),
      let facts = try? StoreFacts(ofStoreAt: URL(filePath: path)), !facts.hashes.isEmpty
    else { return [] }
    return [(path, facts.hashes)]
  }
}
