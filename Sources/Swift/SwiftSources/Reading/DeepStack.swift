internal import Foundation
internal import SchemaModel

/// Threads with a large stack. Parsers and visitors recurse as deeply as code is nested. On a Dispatch thread they
/// crash after some hundred levels.
package enum DeepStack {
  /// Half a gigabyte, of which only the used memory is allocated. `NestingCheck` refuses code that would need more.
  private static let size = 512 * 1024 * 1024

  package static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) -> Value {
    concurrentMap(1) { _ in work() }[0]
  }

  /// Computes values on all cores. The values are in the order of the indices.
  package static func concurrentMap<Value: Sendable>(
    _ count: Int, _ make: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    guard count > 0 else { return [] }
    let next = Locked(0)
    let values = Locked([Value?](repeating: nil, count: count))
    let workers = min(count, ProcessInfo.processInfo.activeProcessorCount)
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<workers {
      let thread = Thread {
        while true {
          let index = next.withLock { next in
            defer { next += 1 }
            return next
          }
          guard index < count else { break }
          let value = make(index)
          values.withLock { $0[index] = value }
        }
        done.signal()
      }
      thread.stackSize = size
      thread.start()
    }
    for _ in 0..<workers { done.wait() }
    return values.withLock { $0.compactMap { $0 } }
  }
}
