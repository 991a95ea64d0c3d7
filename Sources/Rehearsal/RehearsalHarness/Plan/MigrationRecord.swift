internal import Foundation

/// What the process that migrates a store reports.
struct MigrationRecord: Codable {
  var fallbacks: [FallbackTally]
  var peakMemory: Int?

  static func current() -> MigrationRecord {
    MigrationRecord(fallbacks: FallbackTally.noted(), peakMemory: peakMemory())
  }

  /// The peak memory since the process began. `getrusage` is not used, because its count starts with the parent's
  /// memory.
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
