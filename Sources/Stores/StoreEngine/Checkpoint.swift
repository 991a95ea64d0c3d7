internal import Foundation

/// Places where a process can be killed, to test that nothing is left incomplete.
///
/// If the environment variable `SCHEMAGEN_KILL_AT` is a number n, the n-th checkpoint that the process reaches kills it
/// with SIGKILL, counted from 1. Without it a checkpoint costs nothing.
public enum Checkpoint {
  private static let fatalCount = ProcessInfo.processInfo.environment["SCHEMAGEN_KILL_AT"]
    .flatMap { Int($0) }

  /// This is a lock, since `Synchronization.Mutex` needs macOS 15 and this package runs on 14.
  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func next() -> Int {
      lock.withLock {
        count += 1
        return count
      }
    }
  }

  private static let counter = Counter()

  /// Marks a place that the process reaches; `name` is printed to standard error before it is killed.
  public static func reached(_ name: StaticString) {
    guard let fatalCount, counter.next() == fatalCount else { return }
    FileHandle.standardError.write(Data("killed at checkpoint \(fatalCount): \(name)\n".utf8))
    kill(getpid(), SIGKILL)
  }
}
