import Foundation
import ManagedModels
import SchemaEvolution
import SchemaModel
import SchemaWorkspace
import StoreEngine
import StoreFormat
import TestSupport
import Testing

@testable import SchemaMigrationKit

/// Versions of the examples, and stores that Apple's SwiftData wrote.
@Suite struct RecognitionTests {
  let folder: TemporaryFolder
  let store: URL

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
  }

  /// A stand-in for the generated description.
  private static func plan(of path: String) throws -> (MigrationPlanDescription, [ManagedModel]) {
    let schemas = SchemaFolder.read(Checkout.root + "/" + path, fileSystem: SchemaWorkspace.Disk())
    let evolution = try #require(schemas.evolution)
    let models = ManagedModel.chain(of: evolution)
    let versions = zip(evolution.chain, models).map { version, model in
      MigrationPlanDescription.Version(model, name: version.name, isBridge: version.isBridge)
    }
    let stages = zip(versions, versions.dropFirst()).map { from, to in
      MigrationPlanDescription.Stage(
        from: from.number, to: to.number, title: "\(from.name) → \(to.name)")
    }
    return (MigrationPlanDescription(versions: versions, stages: stages), models)
  }

  /// Every version of every example is distinguished from every other.
  @Test(arguments: Checkout.references)
  func examples(path: String) throws {
    let (plan, models) = try Self.plan(of: path)
    for (position, model) in models.enumerated() {
      let url = folder.url.appendingPathComponent("\(position).store")
      try StoreFile(at: .file(url)).create(model)
      let report = try StorePreflight(of: url, plan: plan).check()
      #expect(
        report.verdict.version?.name == plan.versions[position].name, "\(path): \(report)")
      #expect(report.stages.count == models.count - 1 - position)
      // Even a plan with this version alone finds the store valid.
      let alone = MigrationPlanDescription(versions: [plan.versions[position]])
      let validation = try StoreValidation(of: url, plan: alone).report()
      #expect(validation.isValid, "\(path): \(validation)")
    }
  }

  private static let stores = ["freezeray-1", "freezeray-2", "openaso-v1", "openaso-v4"]

  /// Each store's own model is recognised by its tables, with and without hashes.
  @Test(
    .enabled(if: AppleStores.folder != nil, Comment(rawValue: AppleStores.missing)),
    arguments: stores)
  func apples(name: String) throws {
    let original = AppleStores.original(name)
    // A copy, since reading would leave files beside the original.
    try FileManager.default.copyItem(at: original, to: store)
    let bytes = try Data(contentsOf: store)
    let facts = try StoreFacts(ofStoreAt: store)
    let model = try #require(facts.model)
    let family = String(name.prefix(8))
    let relatives = try Self.stores.filter { $0.hasPrefix(family) }.map { relative in
      let facts = try StoreFacts(ofStoreAt: AppleStores.original(relative))
      return (relative, try #require(facts.model), facts.hashes)
    }
    for isHashed in [false, true] {
      let versions = relatives.map { name, model, hashes in
        MigrationPlanDescription.Version(
          model, name: name,
          hashes: isHashed ? hashes.mapValues { $0.base64EncodedString() } : [:])
      }
      let stage = MigrationPlanDescription.Stage(
        from: versions[0].number, to: versions[1].number, title: "the next")
      let plan = MigrationPlanDescription(versions: versions, stages: [stage])
      let report = try StorePreflight(of: store, plan: plan).check()
      #expect(report.verdict.version?.name == name, "\(report)")
      let rows = facts.entities.reduce(0) { $0 + ($1.rowCount ?? 0) }
      #expect(report.rowTotal == Int(rows))
      let own = MigrationPlanDescription(versions: versions.filter { $0.name == name })
      let validation = try StoreValidation(of: store, plan: own).report(since: report)
      #expect(validation.isValid, "\(validation)")
      // Without its own version in the plan, the store is of none, or newer than all.
      let others = MigrationPlanDescription(versions: versions.filter { $0.name != name })
      switch try StorePreflight(of: store, plan: others).check().verdict {
      case .newer, .unknown: break
      default: Issue.record("\(name) is taken for another")
      }
    }
    #expect(model.entities.count == facts.entities.count)
    #expect(try Data(contentsOf: store) == bytes)
  }

  /// A salvage reads all rows of Apple's stores.
  @Test(
    .enabled(if: AppleStores.folder != nil, Comment(rawValue: AppleStores.missing)),
    arguments: stores)
  func salvage(name: String) throws {
    try FileManager.default.copyItem(at: AppleStores.original(name), to: store)
    let facts = try StoreFacts(ofStoreAt: store)
    let file = folder.url.appendingPathComponent("salvaged.json")
    let report = try StoreSalvage(of: store).write(to: file)
    #expect(report.isComplete, "\(report)")
    for entity in facts.entities {
      let table = try #require(report.tables.first { $0.entity == entity.name })
      #expect(table.read == Int(entity.rowCount ?? -1), "\(entity.name)")
    }
    #expect(throws: Never.self) {
      try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    }
  }
}
