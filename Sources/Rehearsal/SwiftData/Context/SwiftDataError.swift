package import ManagedModels

/// `SwiftDataError`, an error of the API itself. An app gets no other error about problems with a store.
public struct SwiftDataError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors. The names are Apple's if Apple has them.
  public enum Code: String, Hashable, Sendable {
    /// A feature that this SwiftData does not have.
    case unsupportedFeature
    /// A predicate that cannot be evaluated.
    case unsupportedPredicate
    /// A model with values that must not be saved.
    case modelValidationFailure
    /// A stage names a version that is not in the plan.
    case unknownSchema
    /// A step would lead to an earlier version.
    case backwardMigration
    /// The store could not be opened or migrated.
    case loadIssueModelContainer
    /// A model has no context.
    case missingModelContext
    /// The store may not be written.
    case readOnly
    /// Only Apple's SwiftData throws it: a configuration's name has a character that no file name may have.
    case configurationFileNameContainsInvalidCharacters
    /// Only Apple's SwiftData throws it: a configuration's name is too long for a file.
    case configurationFileNameTooLong
    /// Only Apple's SwiftData throws it: a configuration has a model that its container's schema lacks.
    case configurationSchemaNotFoundInContainerSchema
    /// Only Apple's SwiftData throws it: two configurations of a container are equal.
    case duplicateConfiguration
    /// Only Apple's SwiftData throws it: a batched fetch includes unsaved changes.
    case includePendingChangesWithBatchSize
    /// Only Apple's SwiftData throws it: a fetch of identifiers sorts unsaved changes.
    case sortingPendingChangesWithIdentifiers
    /// Only Apple's SwiftData throws it: a key path cannot be fetched.
    case unsupportedKeyPath
    /// Only Apple's SwiftData throws it: a sort descriptor cannot be used.
    case unsupportedSortDescriptor
    /// Only Apple's SwiftData throws it: a history's token is too old.
    case historyTokenExpired
    /// Only Apple's SwiftData throws it: a request for history cannot be answered.
    case invalidTransactionFetchRequest
    /// Only Apple's SwiftData throws it: a store's schema is not known.
    case unknownDataStoreSchema
  }

  /// The kind of error.
  public let code: Code
  /// What happened, for people.
  public let reason: String
  /// The error in the log, which an app cannot see with Apple's SwiftData.
  package let cause: StoreError?

  init(_ code: Code, _ reason: String, cause: StoreError? = nil) {
    self.code = code
    self.reason = reason
    self.cause = cause
  }

  public var description: String { "SwiftDataError.\(code.rawValue): \(reason)" }

  public static func == (one: SwiftDataError, other: SwiftDataError) -> Bool {
    one.code == other.code
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension SwiftDataError {
  /// A stage names a version that is not in the plan's `schemas`.
  public static let unknownSchema = SwiftDataError(
    .unknownSchema, "a stage names a version that is not in 'schemas'")
  /// The plan has the store's version after the version that is opened, or a stage leads backwards.
  public static let backwardMigration = SwiftDataError(
    .backwardMigration,
    "the store's version comes after the version that is opened, or a stage leads backwards")
  /// The store could not be opened or migrated.
  public static let loadIssueModelContainer = SwiftDataError(
    .loadIssueModelContainer, "the store could not be opened; the log has the reason")
  /// A predicate that cannot be evaluated.
  public static let unsupportedPredicate = named(.unsupportedPredicate)
  /// A model with values that must not be saved.
  public static let modelValidationFailure = named(.modelValidationFailure)
  /// A model has no context.
  public static let missingModelContext = named(.missingModelContext)

  /// Matches errors by their code, as in `catch SwiftDataError.backwardMigration`.
  public static func ~= (pattern: SwiftDataError, error: any Error) -> Bool {
    (error as? SwiftDataError) == pattern
  }

  private static func named(_ code: Code) -> SwiftDataError { SwiftDataError(code, code.rawValue) }
}

/// This extension declares errors that are never thrown here.
extension SwiftDataError {
  /// A configuration's name has a character that no file name may have.
  public static let configurationFileNameContainsInvalidCharacters = named(
    .configurationFileNameContainsInvalidCharacters)
  /// A configuration's name is too long for a file.
  public static let configurationFileNameTooLong = named(.configurationFileNameTooLong)
  /// A configuration has a model that its container's schema lacks.
  public static let configurationSchemaNotFoundInContainerSchema = named(
    .configurationSchemaNotFoundInContainerSchema)
  /// Two configurations of a container are equal.
  public static let duplicateConfiguration = named(.duplicateConfiguration)
  /// A batched fetch includes unsaved changes.
  public static let includePendingChangesWithBatchSize = named(.includePendingChangesWithBatchSize)
  /// A fetch of identifiers sorts unsaved changes.
  public static let sortingPendingChangesWithIdentifiers = named(
    .sortingPendingChangesWithIdentifiers)
  /// A key path that cannot be fetched.
  public static let unsupportedKeyPath = named(.unsupportedKeyPath)
  /// A sort descriptor that cannot be used.
  public static let unsupportedSortDescriptor = named(.unsupportedSortDescriptor)
  /// A history's token is too old (OS 18).
  public static let historyTokenExpired = named(.historyTokenExpired)
  /// A request for history that cannot be answered (OS 18).
  public static let invalidTransactionFetchRequest = named(.invalidTransactionFetchRequest)
  /// A store has a schema that is not known (OS 27). `unknownSchema` is a different error.
  public static let unknownDataStoreSchema = named(.unknownDataStoreSchema)
}
