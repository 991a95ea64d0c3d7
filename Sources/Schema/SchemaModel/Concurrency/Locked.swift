internal import Foundation

/// A value that only one thread uses at a time. `Synchronization.Mutex` needs macOS 15; this package runs on 14.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  /// Takes a value that has no other references.
  package init(_ value: sending Value) { self.value = value }

  package func withLock<Result>(_ work: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try work(&value)
  }
}
