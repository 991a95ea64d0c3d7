/// Why a store cannot be opened, written or migrated. Each code is Core Data's if Core Data has such an error.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public var kind: Kind
  /// What is wrong and where: entity, property, key.
  public var reason: String
  package var failure: DatabaseFailure?

  public init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  public enum Kind: Int, Hashable, Sendable {
    /// Not a database, or damaged (NSFileReadCorruptFileError).
    case notAStore = 259
    /// The file cannot be opened.
    case cannotOpen = 256
    /// SQLite refuses a valid operation. The reason quotes SQLite's message.
    case sqlite = 134030
    /// A required value is missing (NSValidationMissingMandatoryPropertyError).
    case missingValue = 1570
    /// A uniqueness constraint is violated (NSManagedObjectConstraintMergeError).
    case notUnique = 133021
    /// The store has another model, and there is no plan (NSPersistentStoreIncompatibleVersionHashError).
    case incompatibleModel = 134100
    /// A migration found a row that lacks a value, or rows that violate a new unique constraint (NSMigrationError).
    case migrationFailed = 134110
    /// No mapping can be inferred (NSMigrationMissingMappingModelError). Core Data's error contains another error with
    /// the code 134190.
    case noMapping = 134140
    /// Why a change cannot be inferred (NSInferredMappingModelError).
    case cannotInfer = 134190
    /// "Cannot use staged migration with an unknown model version."
    case unknownModelVersion = 134504
    /// "The store must be opened one time without Staged Migration": the store matches no version of the plan, and has
    /// no model.
    case unidentifiedStore = 134505
    /// The store has a later version than the one to open.
    case backwardMigration = 134506
  }

  public var description: String { "\(reason) (\(kind.rawValue))" }
}

/// Details of a failure from SQLite.
package struct DatabaseFailure: Hashable, Sendable {
  /// The extended result code.
  package var code: Int32
  /// The `errno` of the system call that made SQLite fail, or 0.
  package var systemCode: Int32
  package var message: String
  package var path: String

  package init(code: Int32, systemCode: Int32, message: String, path: String) {
    self.code = code
    self.systemCode = systemCode
    self.message = message
    self.path = path
  }
}
