internal import Foundation

/// A value that threads take in turns. `Synchronization.Mutex` needs macOS 15; this package runs on 14.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  /// Takes a value to which nothing else refers.
  package init(_ value: sending Value) { self.value = value }

  package func withLock<Result>(_ work: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try work(&value)
  }
}
