import Foundation
import SchemaStore
import TestSupport
import Testing

/// What the real binary makes of stores: `adopt --store`, `release --store`.
@Suite struct StoreCommandTests {
  private func schemagen(_ arguments: String..., in folder: String) throws -> Finished {
    try run(Checkout.schemagen, arguments, in: folder, environment: ["NO_COLOR": "1"])
  }

  /// A store of a rehearsal's, with one trip.
  private func write(_ path: String) throws {
    let state = ManagedAttribute(
      name: "state", type: .composite,
      elements: [ManagedAttribute(name: "rawValue", type: .string, isOptional: true)])
    let trip = ManagedEntity(
      name: "Trip", attributes: [ManagedAttribute(name: "name", type: .string), state],
      uniqueness: [["name"]])
    let store = try StoreFile(at: .file(URL(filePath: path)))
    try store.create(ManagedModel(entities: [trip], versionIdentifier: "3.0.0"))
    var changes = StoreChanges()
    let key = try store.allocateKeys(of: "Trip", count: 1).first ?? 1
    changes.inserted.append(
      StoreRow(id: ObjectID(entity: "Trip", key: key), values: [.text("Rome"), .text("open")]))
    try store.apply(changes)
  }

  @Test("adopt --store: written, recognised, generated; never overwritten")
  func adoption() throws {
    try withTemporaryFolder { folder in
      try write(folder + "/one.store")
      let shown = try schemagen("adopt", "--store", "one.store", "--dry-run", in: folder)
      #expect(shown.status == 0 && shown.output.contains("==> Schemas/V3.yaml <=="))
      #expect(!FileManager.default.fileExists(atPath: folder + "/Schemas"))
      let adopted = try schemagen("adopt", "--store=one.store", in: folder)
      #expect(adopted.status == 0, "\(adopted.output)\(adopted.errors)")
      #expect(adopted.output.hasPrefix("wrote Schemas/V3.yaml\nwrote Schemas/schemagen.yaml\n"))
      #expect(adopted.output.contains("V3: 1 model\n"))
      #expect(adopted.output.contains("  'Trip.state' is an enum of String"))
      #expect(adopted.output.contains("  schemagen release V3 --store 'one.store'\n"))
      #expect(adopted.errors.contains("note: the store was written by schemagen's portable"))
      let inspected = try schemagen("inspect", "one.store", in: folder)
      #expect(inspected.status == 0 && inspected.output.hasSuffix("\nis of V3 of Schemas\n"))
      #expect(try schemagen("generate", in: folder).status == 0)
      let again = try schemagen("adopt", "--store", "one.store", in: folder)
      #expect(again.status == 2 && again.errors.contains("'Schemas/V3.yaml': it is there already"))
      #expect(again.errors.hasSuffix("schemagen: nothing was written\n"))
    }
  }

  @Test("what is no store, and wrong usage, end with 2")
  func wrongUsage() throws {
    try withTemporaryFolder { folder in
      for arguments in [["--store", "nothing"], ["--store"], ["--store", "a", "Sources"]] {
        let finished = try run(Checkout.schemagen, ["adopt"] + arguments, in: folder)
        #expect(finished.status == 2 && !finished.errors.isEmpty, "\(arguments)")
      }
      #expect(try schemagen("adopt", "--store", "x", "--help", in: folder).status == 0)
      let both = try schemagen("release", "--store", "x", "--from-tag", "v1", in: folder)
      #expect(both.status == 2 && both.errors.contains("exclude each other"))
    }
  }

  @Test("release --store: a rehearsal's store proves nothing, and nothing is released")
  func rehearsals() throws {
    try withTemporaryFolder { folder in
      try write(folder + "/one.store")
      #expect(try schemagen("adopt", "--store", "one.store", in: folder).status == 0)
      #expect(try schemagen("generate", in: folder).status == 0)
      let lock = URL(filePath: folder + "/Schemas/schema.lock")
      let before = try Data(contentsOf: lock)
      let refused = try schemagen("release", "V3", "--store", "one.store", in: folder)
      #expect(refused.status == 2 && refused.output.isEmpty)
      #expect(
        refused.errors.hasPrefix(
          "schemagen: 'one.store' proves nothing: it was written by a rehearsal, not by Apple's"))
      #expect(try Data(contentsOf: lock) == before)
    }
  }

  @Test(
    "a store of Apple's: adopted, generated, frozen, proven",
    .enabled(if: AppleStores.folder != nil, Comment(rawValue: AppleStores.missing)),
    arguments: [("freezeray-1", "freezeray-2", "V1"), ("openaso-v4", "openaso-v1", "V4")])
  func apples(_ name: String, _ other: String, _ version: String) throws {
    try withTemporaryFolder { folder in
      for name in [name, other] {
        let bytes = try Data(contentsOf: AppleStores.original(name))
        try bytes.write(to: URL(filePath: "\(folder)/\(name).store"))
      }
      let store = name + ".store"
      #expect(try schemagen("adopt", "--store", store, in: folder).status == 0)
      #expect(try schemagen("inspect", store, in: folder).status == 0)
      #expect(try schemagen("generate", in: folder).status == 0)
      let wrong = try schemagen("release", version, "--store", other + ".store", in: folder)
      #expect(wrong.status == 2 && wrong.errors.contains("it is not of \(version)"))
      #expect(wrong.errors.contains(" the store"))
      let frozen = try schemagen("release", version, "--store", store, in: folder)
      #expect(frozen.status == 0, "\(frozen.errors)")
      #expect(
        frozen.output
          == "Schemas: released \(version)\nSchemas: froze the hashes of \(version)\n")
      let again = try schemagen("release", "--store", store, in: folder)
      #expect(again.status == 0 && again.output.hasSuffix("the hashes are frozen already\n"))
      let proven = try schemagen("inspect", store, in: folder)
      #expect(proven.output.hasSuffix("  proven: its hashes are those frozen for \(version)\n"))
      #expect(try schemagen("generate", "--check", in: folder).status == 0)
      #expect(try schemagen("lint", "--quiet", in: folder).status == 0)
    }
  }
}
