internal import Foundation

/// A moment in UTC as it appears in file names, with milliseconds. Sorting the names sorts the moments.
struct Timestamp: Hashable, Comparable, Sendable {
  var milliseconds: Int64

  init(_ date: Date) {
    milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded(.down))
  }

  init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 19, bytes[8] == UInt8(ascii: "T"), bytes[18] == UInt8(ascii: "Z") else {
      return nil
    }
    func number(_ range: Range<Int>) -> Int32? {
      bytes[range].reduce(Int32?(0)) { sum, byte in
        guard let sum, (0x30...0x39).contains(byte) else { return nil }
        return sum * 10 + Int32(byte - 0x30)
      }
    }
    guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
      let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15),
      let rest = number(15..<18)
    else { return nil }
    var parts = tm()
    parts.tm_year = year - 1900
    parts.tm_mon = month - 1
    parts.tm_mday = day
    parts.tm_hour = hour
    parts.tm_min = minute
    parts.tm_sec = second
    milliseconds = Int64(timegm(&parts)) * 1000 + Int64(rest)
    // Refuse dates such as the 31st of February.
    guard self.text == String(text) else { return nil }
  }

  var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  /// The text for file names: "20251115T093011123Z".
  var text: String {
    var seconds = time_t(milliseconds.floorDivided(by: 1000))
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let day =
      padded(Int(parts.tm_year) + 1900, 4) + padded(Int(parts.tm_mon) + 1, 2)
      + padded(Int(parts.tm_mday), 2)
    let time =
      padded(Int(parts.tm_hour), 2) + padded(Int(parts.tm_min), 2) + padded(Int(parts.tm_sec), 2)
    let rest = Int(milliseconds - milliseconds.floorDivided(by: 1000) * 1000)
    return "\(day)T\(time)\(padded(rest, 3))Z"
  }

  static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

extension Int64 {
  fileprivate func floorDivided(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
  }
}
