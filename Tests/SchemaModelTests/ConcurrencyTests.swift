import Foundation
import SchemaModel
import Testing

/// Work on several cores.
@Suite struct ConcurrencyTests {
  @Test("Of two values made at the same time the first is made on the caller's thread, both once")
  func pairs() {
    let made = Locked([0, 0])
    for turn in 0..<200 {
      let caller = ObjectIdentifier(Thread.current)
      let (isCallers, second) = concurrently {
        made.withLock { $0[0] += 1 }
        return ObjectIdentifier(Thread.current) == caller
      } and: {
        made.withLock { $0[1] += 1 }
        return turn
      }
      #expect(isCallers && second == turn)
    }
    #expect(made.withLock { $0 } == [200, 200])
  }

  @Test("Runs are of neighbours, and what they make is in order")
  func runs() {
    for count in [0, 1, 2, 7, 100] {
      let starts = Locked<[Int]>([])
      let values = concurrentRuns(count) { run in
        starts.withLock { $0.append(run.lowerBound) }
        return run.map { $0 * 2 }
      }
      #expect(values == (0..<count).map { $0 * 2 })
      let cores = ProcessInfo.processInfo.activeProcessorCount
      #expect(starts.withLock(\.count) <= min(count, cores))
    }
  }
}
