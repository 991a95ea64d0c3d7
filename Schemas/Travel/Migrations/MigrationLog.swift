// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation

#if canImport(os)
  import os
#endif

/// Receives the lines that migrations log. Send them wherever the app logs.
nonisolated enum MigrationLog {
  static func write(_ line: String) {
    #if canImport(os)
      os.Logger(subsystem: Bundle.main.bundleIdentifier ?? "app", category: "Migration")
        .notice("\(line, privacy: .public)")
    #else
      FileHandle.standardError.write(Data((line + "\n").utf8))
    #endif
  }
}
