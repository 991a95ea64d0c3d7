public import Foundation

/// Is told what a migration does, for logs and metrics.
///
/// It is told in the order in which things happen, from any thread. Keep it short: the migration waits for it. Nothing
/// that it is told has a path, a file's name, a table or a value, so all of it may leave the device.
public protocol MigrationObserver: Sendable {
  /// Something has happened.
  func migration(_ event: MigrationEvent)
}

/// What an observer is told.
public enum MigrationEvent: Sendable, Hashable, CustomStringConvertible {
  /// A phase begins.
  case began(MigrationProgress.Phase)
  /// A phase has ended after so many seconds, well or not.
  case ended(MigrationProgress.Phase, TimeInterval)
  /// The store is open. Attempts are 0 where there was nothing to migrate; the seconds are those that opening took.
  case completed(from: StoreVersion?, to: StoreVersion?, attempts: Int, seconds: TimeInterval)
  /// The store cannot be opened: the code of a `MigrationFailure`, and what became of the store.
  case failed(code: String, store: String)
  /// It was cancelled; everything is as it was.
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
      return "completed \(versions), \(attempts) attempts, opened in \(rounded(seconds))"
    case .failed(let code, let store): return "failed: \(code), store \(store)"
    case .cancelled: return "cancelled"
    }
  }
}
