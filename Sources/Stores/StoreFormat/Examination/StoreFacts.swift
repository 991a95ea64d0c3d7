public import Foundation
public import ManagedModels

/// A store's description of itself, read without changing the store or any other file.
public struct StoreFacts: Encodable, Sendable {
  /// Who wrote the store.
  public enum Writer: String, Encodable, Sendable {
    /// Core Data, which SwiftData is built on.
    case coreData
    /// PortableSwiftData, schemagen's own SwiftData.
    case portable
  }

  /// Where the model was found.
  public enum ModelSource: String, Encodable, Sendable {
    /// `Z_MODELCACHE`, which Core Data writes.
    case modelCache
    /// The metadata, where PortableSwiftData writes the model.
    case metadata
  }

  /// How the file was read.
  public enum Access: String, Encodable, Sendable {
    /// No process has the store open: there is no log.
    case alone
    /// Other processes may have the store open at the same time.
    case shared
    /// There is a log, but no process has the store open: a copy of the store and the log was read.
    case copied
  }

  /// One entity of the store.
  public struct Entity: Encodable, Sendable {
    public var name: String
    /// `Z_ENT`.
    public var number: Int64
    public var table: String?
    /// The number of the entity's rows without its subentities'; nil if they cannot be counted.
    public var rowCount: Int64?
    /// Core Data's hash: 32 bytes; nil if the store has none, like a portable store with an uncertain hash.
    public var hash: Data?
  }

  /// One index on a table of the model.
  public struct Index: Encodable, Hashable, Sendable {
    public var name: String
    public var table: String
    /// The columns in the index's order.
    public var columns: [String]
    public var isUnique: Bool
  }

  /// Sizes in bytes and in pages.
  public struct Size: Encodable, Hashable, Sendable {
    public var main: Int64
    /// The size of the write-ahead log; nil if there is none.
    public var log: Int64?
    public var page: Int64
    public var pageCount: Int64
    /// The number of unused pages.
    public var freePageCount: Int64
  }

  public var writer: Writer
  /// How the store was read.
  public var access: Access
  /// `Z_METADATA.Z_UUID`.
  public var identifier: String
  /// The `Schema.Version`s in the metadata, such as "1.0.0". They are a hint, which recognition never relies on.
  public var versionIdentifiers: [String]
  /// `NSPersistenceFrameworkVersion`.
  public var frameworkVersion: Int?
  /// `NSStoreModelVersionHashesVersion`.
  public var hashesVersion: Int?
  /// The checksum in base64, as Core Data wrote it.
  public var checksum: String?
  /// The digest in base64, as Core Data wrote it.
  public var digest: String?
  /// Entities' hashes in the metadata, including those of unknown entities.
  public var hashes: [String: Data]
  /// The entities in the order of their numbers.
  public var entities: [Entity]
  /// The indexes by table and name.
  public var indexes: [Index]
  /// The columns of the model's tables with their declared types, by table.
  public var tables: [String: [String: String]]
  /// The names of tables outside the model, sorted: the history's, CloudKit's, others.
  public var otherTables: [String]
  public var size: Size
  /// The store's own model; nil if there are only tables and metadata.
  public var model: ManagedModel?
  /// Nil if there is no model.
  public var modelSource: ModelSource?
  /// Oddities that do not prevent reading the store, in the order found.
  public var notes: [String]
  /// What could not be read. The store is damaged unless this is empty.
  public var damage: [String]

  let structure: StoreStructure

  /// All properties except the structure, which the tables show.
  private enum CodingKeys: String, CodingKey {
    case writer, access, identifier, versionIdentifiers, frameworkVersion, hashesVersion, checksum,
      digest, hashes
    case entities, indexes, tables, otherTables, size, model, modelSource, notes, damage
  }

  package var evidence: StoreEvidence {
    StoreEvidence(
      structure: structure, identifiers: versionIdentifiers, hashes: hashes, model: model)
  }

  /// How tables, columns, unique indexes and entities differ from Core Data's layout of a model. There is a sorted line
  /// for each difference, or one line if the model is invalid.
  public func tableDifferences(from model: ManagedModel) -> [String] {
    do {
      return structure.differences(from: try StoreLayout(model))
    } catch {
      return ["the model cannot be laid out: \((error as? StoreError)?.reason ?? "\(error)")"]
    }
  }

  /// A sentence for each column that a model has and its table in the store lacks, at most 20. No app can read the
  /// column's data.
  package func columnDamage(from model: ManagedModel) -> [String] {
    guard let layout = try? StoreLayout(model) else { return [] }
    return structure.missingColumns(of: layout).prefix(20).map { column in
      "column '\(column)' is missing: the app fails with 'no such column'"
    }
  }
}
