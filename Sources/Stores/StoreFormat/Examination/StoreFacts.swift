public import Foundation
public import ManagedModels

/// What a store says of itself, read without changing anything: neither the store nor what lies beside it.
public struct StoreFacts: Encodable, Sendable {
  /// Who wrote the store.
  public enum Writer: String, Encodable, Sendable {
    /// Core Data, which SwiftData is built on.
    case coreData
    /// PortableSwiftData, schemagen's own.
    case portable
  }

  /// Where the model was found.
  public enum ModelSource: String, Encodable, Sendable {
    /// `Z_MODELCACHE`, which Core Data writes.
    case modelCache
    /// The metadata, where PortableSwiftData has its own.
    case metadata
  }

  /// How the file was read.
  public enum Access: String, Encodable, Sendable {
    /// Nobody has it open: no log lies beside it.
    case alone
    /// Beside those who may have it open.
    case shared
    /// A log lies beside it and nobody has it open: a copy of both was read.
    case copied
  }

  /// One entity of the store's.
  public struct Entity: Encodable, Sendable {
    public var name: String
    /// `Z_ENT`.
    public var number: Int64
    public var table: String?
    /// Its own rows, subentities' left out; nil where they cannot be counted.
    public var rowCount: Int64?
    /// What Core Data hashed of it: 32 bytes; nil in a store of ours.
    public var hash: Data?
  }

  /// One index on a table of the model's.
  public struct Index: Encodable, Hashable, Sendable {
    public var name: String
    public var table: String
    /// In the index's order.
    public var columns: [String]
    public var isUnique: Bool
  }

  /// Sizes in bytes and in pages.
  public struct Size: Encodable, Hashable, Sendable {
    public var main: Int64
    /// Of the write-ahead log; nil where there is none.
    public var log: Int64?
    public var page: Int64
    public var pageCount: Int64
    /// Pages that are in use for nothing.
    public var freePageCount: Int64
  }

  public var writer: Writer
  /// How it was read this time.
  public var access: Access
  /// `Z_METADATA.Z_UUID`.
  public var identifier: String
  /// The `Schema.Version`s that the metadata name, such as "1.0.0": a hint, recognition never rests on it.
  public var versionIdentifiers: [String]
  /// `NSPersistenceFrameworkVersion`.
  public var frameworkVersion: Int?
  /// `NSStoreModelVersionHashesVersion`.
  public var hashesVersion: Int?
  /// Base64, as Core Data left it.
  public var checksum: String?
  /// Base64, as Core Data left it.
  public var digest: String?
  /// Entities' hashes as the metadata have them, those of unknown entities too.
  public var hashes: [String: Data]
  /// In the order of their numbers.
  public var entities: [Entity]
  /// By table and name.
  public var indexes: [Index]
  /// Of the model's tables by name: columns with their declared types.
  public var tables: [String: [String: String]]
  /// Names of tables that are not the model's: history, CloudKit's, others; sorted.
  public var otherTables: [String]
  public var size: Size
  /// What the store has of its model; nil where there are tables and metadata only.
  public var model: ManagedModel?
  /// Nil where there is no model.
  public var modelSource: ModelSource?
  /// What is odd and does not keep the store from being read; in the order in which it was found.
  public var notes: [String]
  /// What could not be read; then the store is not whole.
  public var damage: [String]

  let structure: StoreStructure

  /// All but the structure, which the tables tell.
  private enum CodingKeys: String, CodingKey {
    case writer, access, identifier, versionIdentifiers, frameworkVersion, hashesVersion, checksum,
      digest, hashes
    case entities, indexes, tables, otherTables, size, model, modelSource, notes, damage
  }

  package var evidence: StoreEvidence {
    StoreEvidence(
      structure: structure, identifiers: versionIdentifiers, hashes: hashes, model: model)
  }

  /// What of the tables, columns, unique indexes and entities Core Data would make otherwise of a model; a line for
  /// each, sorted. One line where the model makes no sense.
  public func tableDifferences(from model: ManagedModel) -> [String] {
    do {
      return structure.differences(from: try StoreLayout(model))
    } catch {
      return ["the model cannot be laid out: \((error as? StoreError)?.reason ?? "\(error)")"]
    }
  }

  /// What no app of a model can read in the store, where a table lacks one of its columns; a sentence for each.
  package func columnDamage(from model: ManagedModel) -> [String] {
    guard let layout = try? StoreLayout(model) else { return [] }
    return structure.missingColumns(of: layout).prefix(20).map { column in
      "column '\(column)' is missing: the app fails with 'no such column'"
    }
  }
}
