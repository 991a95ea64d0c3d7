/// Ranges that are merged, so that many offsets can be looked up quickly.
struct MergedRanges: Sendable {
  private var ranges: [Range<Int>] = []

  init(_ all: [Range<Int>]) {
    for range in all.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard let last = ranges.last, range.lowerBound <= last.upperBound else {
        ranges.append(range)
        continue
      }
      ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    }
  }

  func contains(_ value: Int) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(value)
  }
}
