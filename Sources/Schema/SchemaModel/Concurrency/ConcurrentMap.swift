internal import Dispatch

/// Makes values on all cores. The result is in the order of the indexes.
package func concurrentMap<Value: Sendable>(
  _ count: Int, _ make: @Sendable (Int) -> Value
) -> [Value] {
  if count < 2 { return (0..<count).map { make($0) } }
  var values: [Value?] = Array(repeating: nil, count: count)
  values.withUnsafeMutableBufferPointer { buffer in
    // Each iteration writes to its own element, and all iterations have ended when the buffer's scope ends.
    nonisolated(unsafe) let places = buffer
    DispatchQueue.concurrentPerform(iterations: count) { index in places[index] = make(index) }
  }
  return values.compactMap { $0 }
}
