// Written once by schemagen, and yours since then: it is never overwritten.

/// Where migrations report to: to whoever measures them, since nothing else tells when a step ends.
nonisolated enum MigrationLog {
  /// Set before anything is migrated, and not changed after that.
  nonisolated(unsafe) static var listener: @Sendable (String) -> Void = { _ in }

  static func write(_ line: String) { listener(line) }
}
