internal import Dispatch
internal import Foundation

/// Makes values on all cores; the result is in the order of the indexes, whoever finishes first.
package func concurrentMap<Value: Sendable>(
  _ count: Int, _ make: @Sendable (Int) -> Value
) -> [Value] {
  if count < 2 { return (0..<count).map { make($0) } }
  var values: [Value?] = Array(repeating: nil, count: count)
  values.withUnsafeMutableBufferPointer { buffer in
    // Each iteration writes a place of its own, and all have ended when the buffer does.
    nonisolated(unsafe) let places = buffer
    DispatchQueue.concurrentPerform(iterations: count) { index in places[index] = make(index) }
  }
  return values.compactMap { $0 }
}

/// Makes values on all cores, in runs of neighbours, one run a core: for values that are made faster after the one
/// before them. The result is in the order of the indexes.
///
/// - Parameter make: The values of a run; they must not depend on where runs begin.
package func concurrentRuns<Value: Sendable>(
  _ count: Int, _ make: @Sendable (Range<Int>) -> [Value]
) -> [Value] {
  let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
  let length = max(1, (count + cores - 1) / cores)
  let starts = Array(stride(from: 0, to: count, by: length))
  return concurrentMap(starts.count) { index in
    make(starts[index]..<min(starts[index] + length, count))
  }.flatMap { $0 }
}

/// Makes two values at the same time, where a second core is free.
///
/// - Parameters:
///   - first: Runs on the caller's thread, whose stack is as deep as the caller knows: Dispatch's end with a crash after
///     some hundred levels.
///   - second: Runs on any thread.
package func concurrently<First: Sendable, Second: Sendable>(
  _ first: @Sendable () -> First, and second: @Sendable () -> Second
) -> (First, Second) {
  let caller = ObjectIdentifier(Thread.current)
  let isTaken = Locked(false)
  // Each is written by one thread, and read when both have ended.
  nonisolated(unsafe) var one: First?
  nonisolated(unsafe) var other: Second?
  DispatchQueue.concurrentPerform(iterations: 2) { _ in
    if ObjectIdentifier(Thread.current) == caller, one == nil {
      one = first()
    } else if !isTaken.withLock({ was in
      defer { was = true }
      return was
    }) {
      other = second()
    }
  }
  // Another thread may have been through both turns before the caller had one.
  return (one ?? first(), other ?? second())
}
