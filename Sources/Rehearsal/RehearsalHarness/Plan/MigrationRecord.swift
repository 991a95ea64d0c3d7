internal import Foundation

/// What the process that migrates a store tells of it.
struct MigrationRecord: Codable {
  /// Sorted by field.
  var fallbacks: [FallbackTally]
  /// In bytes; nil where the system does not tell.
  var peakMemory: Int?

  /// Of this process, which has migrated one store.
  static func current() -> MigrationRecord {
    MigrationRecord(fallbacks: FallbackTally.noted(), peakMemory: peakMemory())
  }

  /// The system's own count of resources begins with what the parent held; this one with the process itself.
  private static func peakMemory() -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({
        Int($0)
      })
    else { return nil }
    return kibibytes * 1024
  }
}
