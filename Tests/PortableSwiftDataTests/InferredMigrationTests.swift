import Foundation
import ManagedModels
import StoreEngine
import SwiftData
import Testing

@testable import SwiftData

/// What inference does with Swift types (docs/facts/migration.md#inference), of stores without a plan.
@Suite(.serialized) struct InferredMigrationTests {
  private func fill<Model: Named>(
    _ version: any VersionedSchema.Type, _ model: Model.Type, at url: URL
  ) throws {
    let context = try open(version, at: url)
    context.insert(model.init(name: "a"))
    try context.save()
  }

  private func cause(_ version: any VersionedSchema.Type, at url: URL) -> StoreError? {
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try open(version, at: url) }?.cause
  }

  /// docs/facts/migration.md#add-required-struct
  @Test("A new required struct with a required field fails if rows exist")
  func requiredStruct() throws {
    try withStore { url in
      try fill(Steps.V1.self, Steps.V1.Item.self, at: url)
      let cause = cause(Inferred.Placed.self, at: url)
      #expect(cause?.kind == .migrationFailed)
      #expect(cause?.reason.contains("'Item.place.street'") == true)
      #expect(try open(Steps.V1.self, at: url).only(Steps.V1.Item.self).name == "a")
    }
    try withStore { url in
      _ = try open(Steps.V1.self, at: url)
      _ = try open(Inferred.Placed.self, at: url)
    }
  }

  /// docs/facts/identity.md#leaf-optionality
  @Test(
    "A struct's columns are optional if its stored properties are")
  func leaves() {
    struct Warranty: Codable {
      var months: Int?
      var note: String?
      var since: Date
      var count: Int

      enum CodingKeys: String, CodingKey { case months, note, since, count }
    }
    struct Lenient: Codable {
      var count: Int
      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        count = try values.decodeIfPresent(Int.self, forKey: .count) ?? 0
      }
    }
    func optional(_ type: any Codable.Type) -> [String: Bool] {
      let elements = CompositeShape.of(type).elements(of: "x", isOptional: false) ?? []
      return Dictionary(elements.map { ($0.name, $0.isOptional) }) { first, _ in first }
    }
    #expect(
      optional(Warranty.self) == ["months": true, "note": true, "since": false, "count": false])
    #expect(optional(Lenient.self) == ["count": false])
  }

  /// docs/facts/migration.md#add-required-struct-of-optionals
  @Test("An optional struct is nil in old rows")
  func optionalStruct() throws {
    try withStore { url in
      try fill(Steps.V1.self, Steps.V1.Item.self, at: url)
      let context = try open(Inferred.PerhapsPlaced.self, at: url)
      #expect(try context.only(Inferred.PerhapsPlaced.Item.self).place == nil)
    }
  }

  /// docs/facts/migration.md#enum-to-required
  @Test("Making an enum required runs no migration, and reading a nil traps")
  func enumMadeRequired() async throws {
    try withStore { url in
      try fill(Inferred.PerhapsMoody.self, Inferred.PerhapsMoody.Item.self, at: url)
      let structure = try StoreFile(at: .file(url), isReadOnly: true).structure()
      let context = try open(Data4.Trapping.self, at: url)
      #expect(try context.only(Data4.Trapping.Item.self).name == "a")
      #expect(try StoreFile(at: .file(url), isReadOnly: true).structure() == structure)
    }
    let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try withStore { url in
        let context = try open(Inferred.PerhapsMoody.self, at: url)
        context.insert(Inferred.PerhapsMoody.Item(name: "a"))
        try context.save()
        _ = try open(Data4.Trapping.self, at: url).only(Data4.Trapping.Item.self).mood
      }
    }
    #expect(ended.said("Item.mood of row 1 holds null"))
  }

  /// docs/facts/migration.md#reused-name-gets-both
  @Test(
    "Giving a new property a renamed property's old name copies the values, and the next migration fails"
  )
  func reusedName() throws {
    try withStore { url in
      try fill(Steps.V1.self, Steps.V1.Item.self, at: url)
      do {
        let item = try open(Inferred.Reused.self, at: url).only(Inferred.Reused.Item.self)
        #expect([item.title, item.name] == ["a", "a"])
      }
      let cause = cause(Inferred.AfterReuse.self, at: url)
      #expect(cause?.kind == .noMapping)
      #expect(cause?.reason.contains("(134190)") == true)
    }
  }

  /// docs/facts/migration.md#destination-change
  @Test("After a change of destination, links lead to rows with the same primary key")
  func destination() throws {
    try withStore { url in
      do {
        let context = try open(Inferred.ToFirst.self, at: url)
        let firsts = ["1", "2"].map { Inferred.ToFirst.First(name: $0) }
        for first in firsts { context.insert(first) }
        try context.save()
        context.insert(Inferred.ToFirst.Second(name: "wrong"))
        try context.save()
        context.insert(Inferred.ToFirst.Owner(other: firsts[0]))
        try context.save()
      }
      let context = try open(Inferred.ToSecond.self, at: url)
      #expect(try context.only(Inferred.ToSecond.Owner.self).other?.name == "wrong")
    }
  }

  /// docs/facts/identity.md#ephemeral-is-transient
  @Test("Making a property ephemeral drops its column and values; the reverse adds defaults")
  func ephemeral() throws {
    try withStore { url in
      do {
        let context = try open(Inferred.Kept.self, at: url)
        context.insert(Inferred.Kept.Item(name: "a", scratch: "b"))
        try context.save()
      }
      #expect(try StoreFile(at: .file(url), isReadOnly: true).structure().contains("ZSCRATCH"))
      do {
        let context = try open(Inferred.Ephemeral.self, at: url)
        let item = try context.only(Inferred.Ephemeral.Item.self)
        #expect([item.name, item.scratch] == ["a", "none"])
        item.scratch = "in memory"
        item.name = "c"
        try context.save()
        #expect(item.scratch == "in memory")
      }
      #expect(try !StoreFile(at: .file(url), isReadOnly: true).structure().contains("ZSCRATCH"))
      #expect(
        try open(Inferred.Ephemeral.self, at: url).only(Inferred.Ephemeral.Item.self).scratch
          == "none")
      let item = try open(Inferred.Kept.self, at: url).only(Inferred.Kept.Item.self)
      #expect([item.name, item.scratch] == ["c", "none"])
    }
  }

  /// docs/facts/identity.md#external-storage-only-on-data
  @Test("External storage changes the version hash for Data only")
  func externalStorage() {
    func identity(_ version: any VersionedSchema.Type) -> VersionHashes {
      Schema(versionedSchema: version).managedModel.versionHashes
    }
    #expect(identity(Inferred.ExternalText.self) == identity(Steps.V1.self))
    #expect(identity(Inferred.ExternalData.self) != identity(Inferred.PlainData.self))
  }
}
