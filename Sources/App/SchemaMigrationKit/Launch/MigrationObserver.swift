public import Foundation

/// Receives the events of a migration, for logs and metrics.
///
/// Events arrive in order, from any thread. Return quickly, since the migration waits. Events contain no path, file
/// name, table or value, so all of them may leave the device.
public protocol MigrationObserver: Sendable {
  /// Called for each event.
  ///
  /// - Parameter event: What has happened.
  func migration(_ event: MigrationEvent)
}

/// An event of a migration.
public enum MigrationEvent: Sendable, Hashable, CustomStringConvertible {
  /// A phase begins.
  case began(MigrationProgress.Phase)
  /// A phase has ended after a number of seconds, successfully or not.
  case ended(MigrationProgress.Phase, TimeInterval)
  /// The store is open. `attempts` is 0 if no migration was needed; `seconds` is how long opening took.
  case completed(from: StoreVersion?, to: StoreVersion?, attempts: Int, seconds: TimeInterval)
  /// The store cannot be opened. `code` is the failure's code, and `store` the state of the store.
  case failed(code: String, store: String)
  /// The run was cancelled, and everything is unchanged.
  case cancelled

  /// A line for a log.
  public var description: String {
    func rounded(_ seconds: TimeInterval) -> String {
      String(format: "%.2f s", locale: Locale(identifier: "en_US_POSIX"), seconds)
    }
    switch self {
    case .began(let phase): return "began \(phase.rawValue)"
    case .ended(let phase, let seconds): return "ended \(phase.rawValue) after \(rounded(seconds))"
    case .completed(let from, let to, let attempts, let seconds):
      let versions = [from, to].map { $0?.description ?? "none" }.joined(separator: " to ")
      let tries = counting(attempts, "attempt")
      return "completed \(versions), \(tries), opened in \(rounded(seconds))"
    case .failed(let code, let store): return "failed: \(code), store \(store)"
    case .cancelled: return "cancelled"
    }
  }
}
