import SwiftData

/// What is known of all versions.
enum Known {
  static let first = SchemaV1.self
  static let latest = SchemaV2.self
  static let firstNumber = Schema.Version(1, 0, 0)
}
