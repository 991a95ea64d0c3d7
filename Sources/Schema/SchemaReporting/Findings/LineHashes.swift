/// The hashes by which GitHub's code scanning recognises a line after it has moved: `primaryLocationLineHash`.
///
/// Each hash covers a line's first 100 UTF-16 units that are neither space nor tab, and continues into later lines. CR
/// and CR LF count as LF. The result must equal that of CodeQL's action, or alerts are closed and reopened.
enum LineHashes {
  private static let window = 100
  private static let factor: UInt64 = 37
  private static let endOfText: UInt16 = 0xFFFF

  /// A hash for each line, as `hexadecimal:n`, where n counts lines with the same hash from 1.
  static func hashes(of text: String) -> [String] {
    // The weight of a unit that leaves the window.
    let oldest = (0..<window).reduce(UInt64(1)) { power, _ in power &* factor }
    var units = [UInt64](repeating: 0, count: window)
    var startsLine = [Bool](repeating: false, count: window)
    var position = 0
    var hash: UInt64 = 0
    var counts: [String: Int] = [:]
    var hashes: [String] = []

    /// Completes a line's hash once its window is full. Lines begin in order, so their windows are also filled in
    /// order.
    func finishLine() {
      guard startsLine[position] else { return }
      let name = String(hash, radix: 16)
      counts[name, default: 0] += 1
      hashes.append("\(name):\(counts[name]!)")
      startsLine[position] = false
    }

    func feed(_ unit: UInt16, startsLine isStart: Bool) {
      finishLine()
      startsLine[position] = isStart
      hash = factor &* hash &+ UInt64(unit) &- oldest &* units[position]
      units[position] = UInt64(unit)
      position = (position + 1) % window
    }

    var isAtStart = true
    var followsReturn = false
    for unit in text.utf16 {
      let isSecondHalf = followsReturn && unit == 0x0A
      followsReturn = unit == 0x0D
      if unit == 0x20 || unit == 0x09 || isSecondHalf { continue }
      let isBreak = unit == 0x0D || unit == 0x0A
      feed(isBreak ? 0x0A : unit, startsLine: isAtStart)
      isAtStart = isBreak
    }
    feed(endOfText, startsLine: isAtStart)
    for _ in 0..<window { feed(0, startsLine: false) }
    return hashes
  }
}
