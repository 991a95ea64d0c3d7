package import ManagedModels

/// `SwiftDataError`: what the API itself refuses, and all that an app sees of a store's troubles.
public struct SwiftDataError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of trouble; the names are Apple's where it has one.
  public enum Code: String, Hashable, Sendable {
    /// Something that this SwiftData does not have.
    case unsupportedFeature
    /// A predicate that cannot be evaluated.
    case unsupportedPredicate
    /// A model that may not be saved as it is.
    case modelValidationFailure
    /// A stage names a version that is not in the plan.
    case unknownSchema
    /// A step would lead to an earlier version.
    case backwardMigration
    /// The store could not be opened or migrated.
    case loadIssueModelContainer
    /// A model is in no context.
    case missingModelContext
    /// The store may not be written.
    case readOnly
  }

  /// The kind of trouble.
  public let code: Code
  /// What happened, for people.
  public let reason: String
  /// The error in the log, which Apple's apps cannot see.
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
    .unknownSchema, "the version is not in 'schemas'")
  /// The plan has the store's version after the one that is opened, or a stage leads back.
  public static let backwardMigration = SwiftDataError(
    .backwardMigration, "the version is an earlier one")
  /// The store could not be opened or migrated.
  public static let loadIssueModelContainer = SwiftDataError(
    .loadIssueModelContainer, "the store could not be opened; the log says why")

  /// For `catch SwiftDataError.backwardMigration`.
  public static func ~= (pattern: SwiftDataError, error: any Error) -> Bool {
    (error as? SwiftDataError) == pattern
  }
}
