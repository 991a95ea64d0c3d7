internal import Foundation

/// Protects a value from concurrent use. `Synchronization.Mutex` needs macOS 15; this package runs on 14.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  /// The value must have no other references.
  package init(_ value: sending Value) { self.value = value }

  package func withLock<Result>(_ work: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try work(&value)
  }
}
