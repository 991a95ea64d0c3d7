/// `SwiftDataError`: what the API itself refuses; a store's troubles are `StoreError`s.
public struct SwiftDataError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of trouble; the names are Apple's where it has one.
  public enum Code: String, Hashable, Sendable {
    case unsupportedFeature
    case unsupportedPredicate
    case modelValidationFailure
    case unknownSchema
    case backwardMigration
    case loadIssueModelContainer
    case missingModelContext
    case readOnly
  }

  public let code: Code
  public let reason: String

  init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  public var description: String { "SwiftDataError.\(code.rawValue): \(reason)" }
}
