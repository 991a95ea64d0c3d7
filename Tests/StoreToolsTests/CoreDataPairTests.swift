import Foundation
import SchemaManifest
import SchemaModel
import SchemaWorkspace
import StoreTools
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreFormat

/// Hashes computed from the sources of Core Data models, compared with those that Core Data has written in stores and
/// in the `VersionInfo.plist` of compiled models.
///
/// `COREDATA_PAIRS` names a folder with files of public repositories, one folder for each, which this repository may
/// not contain.
@Suite struct CoreDataPairTests {
  static let folder = ProcessInfo.processInfo.environment["COREDATA_PAIRS"]

  /// Hashes that Core Data wrote, and their model if it is beside them.
  private struct Source {
    var name: String
    var hashes: [String: Data]
    var model: ManagedModel?
  }

  @Test(
    "Every entity of the collected Core Data models has the hash that Core Data computed",
    .enabled(if: folder != nil))
  func pairs() throws {
    let folder = try #require(Self.folder)
    var counts = (sources: 0, whole: 0, entities: 0, equal: 0, compiled: 0)
    var distinct: Set<Data> = []
    for repository in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
      let files =
        FileManager.default.enumerator(atPath: "\(folder)/\(repository)")?
        .compactMap { $0 as? String }.sorted() ?? []
      let models = files.filter { $0.hasSuffix(".xcdatamodel/contents") }.compactMap {
        model("\(folder)/\(repository)/\($0)")
      }
      let made = models.map(\.model.versionHashes.entities)
      for source in files.flatMap({ sources("\(folder)/\(repository)/\($0)") }) {
        if let own = source.model {
          counts.compiled += 1
          let doubts = own.hashDoubts
          #expect(
            own.versionHashes.entities.allSatisfy {
              source.hashes[$0.key] == $0.value || doubts[$0.key] != nil
            }, "\(source.name)")
        }
        guard !models.isEmpty else { continue }
        counts.sources += 1
        counts.entities += source.hashes.count
        // The version with most equal hashes; the repository may have lost the right one.
        let scores = made.map { made in source.hashes.count { made[$0.key] == $0.value } }
        let best = scores.firstIndex(of: scores.max() ?? 0) ?? 0
        counts.equal += scores[best]
        distinct.formUnion(source.hashes.filter { made[best][$0.key] == $0.value }.values)
        if scores[best] == source.hashes.count {
          counts.whole += 1
        } else {
          print(
            "\(source.name): \(scores[best]) of \(source.hashes.count) as in \(models[best].name)")
          for line in Self.differences(source, models[best].model, made[best]) {
            print("    \(line)")
          }
        }
      }
    }
    print(
      "\(counts.whole) of \(counts.sources) sources whole, \(counts.equal) of \(counts.entities) entities, \(distinct.count) distinct; \(counts.compiled) with their model beside them"
    )
  }

  @Test("Every collected mapping model is read", .enabled(if: folder != nil))
  func mappings() throws {
    let folder = try #require(Self.folder)
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let models = files.filter { $0.hasSuffix(".xcmappingmodel/xcmapping.xml") }.sorted()
    for path in models {
      let bytes = try #require(FileManager.default.contents(atPath: "\(folder)/\(path)"))
      let file = SourceFile(path: path, bytes: Array(bytes))
      let mapping = try #require(CoreDataMapping.read(file, path: path), "\(path)")
      #expect(!mapping.entities.isEmpty && mapping.model.hasSuffix(".xcdatamodeld"), "\(path)")
    }
    print("\(models.count) mapping models")
  }

  /// The differences between the model written beside the hashes and the nearest source. A person has to see whether it
  /// is another version's source or was read wrongly.
  private static func differences(
    _ source: Source, _ model: ManagedModel, _ made: [String: Data]
  ) -> [String] {
    source.hashes.keys.sorted().filter { made[$0] != source.hashes[$0] }.map { name in
      guard model.entitiesByName[name] != nil else { return "\(name): not in the source" }
      guard let own = source.model, let one = EntityHashParts(of: name, in: own),
        let other = EntityHashParts(of: name, in: model)
      else { return "\(name): no model beside the hash" }
      let differing = Set(one.properties.keys).union(other.properties.keys).filter {
        one.properties[$0] != other.properties[$0]
      }
      return "\(name): \(differing.sorted())"
        + (one.head == other.head ? "" : ", abstract or a superentity")
        + (one.tail == other.tail ? "" : ", modifier or constraints")
    }
  }

  private func model(_ path: String) -> CoreDataModel? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    let file = SourceFile(path: path, bytes: Array(data))
    let (model, diagnostics) = CoreDataModelReader.read(file, name: path)
    for finding in diagnostics { print("\(path): \(finding.message)") }
    return model
  }

  private func sources(_ path: String) -> [Source] {
    if path.hasSuffix("VersionInfo.plist") {
      let list = FileManager.default.contents(atPath: path).flatMap {
        try? PropertyListSerialization.propertyList(from: $0, format: nil) as? [String: Any]
      }
      let versions = list?["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]] ?? [:]
      return versions.sorted { $0.key < $1.key }.map { name, hashes in
        let file = (path as NSString).deletingLastPathComponent + "/\(name).mom"
        let bytes = FileManager.default.contents(atPath: file)
        return Source(
          name: "\(path) \(name)", hashes: hashes,
          model: bytes.flatMap { try? CompiledModel.read(Array($0)) })
      }
    }
    let endings = [".sqlite", ".store", ".db", ".sqlite3", ".wiredatabase"]
    guard endings.contains(where: path.hasSuffix),
      let facts = try? StoreFacts(ofStoreAt: URL(filePath: path)), !facts.hashes.isEmpty
    else { return [] }
    return [Source(name: path, hashes: facts.hashes, model: facts.model)]
  }
}
