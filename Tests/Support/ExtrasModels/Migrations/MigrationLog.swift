// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation

/// Where migrations report to: to the test that runs them, and else nowhere.
nonisolated enum MigrationLog {
  @TaskLocal static var listener: (@Sendable (String) -> Void)?

  static func write(_ line: String) { listener?(line) }
}
