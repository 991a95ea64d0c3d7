/// A day in a manifest: `2027-01-31`.
package struct CalendarDay: Hashable, Sendable, Comparable, CustomStringConvertible {
  package var year: Int
  package var month: Int
  package var day: Int

  /// Reads `YYYY-MM-DD`. Returns `nil` for anything else, including days that do not exist.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
      text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (48...57).contains($0) }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  package init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year) else {
      return nil
    }
    self.year = year
    self.month = month
    self.day = day
  }

  package var description: String {
    "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
  }

  package static func < (lhs: CalendarDay, rhs: CalendarDay) -> Bool {
    (lhs.year, lhs.month, lhs.day) < (rhs.year, rhs.month, rhs.day)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    if month == 2 {
      return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    }
    return [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
