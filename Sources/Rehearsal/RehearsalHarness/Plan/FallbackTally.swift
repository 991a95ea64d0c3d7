internal import Foundation

/// Values of one property that a fallback replaced: the fallback of a conversion, or the one for unreadable JSON.
public struct FallbackTally: Codable, Hashable, Sendable {
  /// `Model.property`, with its name in the newer version.
  public var field: String
  /// The fallback as a string; nil if it cannot be shown, or if the fallbacks differ.
  public var value: String?
  public var count: Int

  public init(field: String, value: String? = nil, count: Int) {
    self.field = field
    self.value = value
    self.count = count
  }
}

extension FallbackTally {
  private static let lock = NSLock()
  nonisolated(unsafe) private static var tallies: [String: FallbackTally] = [:]

  /// Counts one value in this process, which migrates one store.
  public static func note(_ field: String, became value: String?) {
    lock.withLock {
      var tally = tallies[field] ?? FallbackTally(field: field, value: value, count: 0)
      tally.count += 1
      if tally.value != value { tally.value = nil }
      tallies[field] = tally
    }
  }

  static func noted() -> [FallbackTally] {
    lock.withLock { tallies.values.sorted { $0.field < $1.field } }
  }
}
