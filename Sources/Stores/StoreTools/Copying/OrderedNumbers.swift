internal import Foundation

/// Numbers that become others in the same order: each part of a range gets one of them, anywhere in it.
struct OrderedNumbers {
  /// Whole numbers in a row that have a range for themselves.
  private struct Group {
    var range: ClosedRange<Int64>
    var wholes: [Int64]
  }

  private var groups: [Group] = []
  /// By the whole number below.
  private var fractions: [Int64: [Double]] = [:]
  /// What became of each.
  private(set) var made: [Double: Double] = [:]

  /// Whether a number has a place between whole ones, with room for a fraction.
  static func canOrder(_ number: Double) -> Bool { abs(number) < 0x1p40 }

  /// - Parameters:
  ///   - numbers: Sorted, each there once; each one that `canOrder`.
  ///   - random: A number by a place and a kind of use, the same each time.
  init(
    _ numbers: [Double], isDate: Bool, isKept: (Double) -> Bool,
    random: (_ place: Int, _ kind: UInt64) -> UInt64
  ) {
    for number in numbers { gather(number, isDate: isDate, isKept: isKept(number)) }
    var place = 0
    for group in groups {
      let size = Double(group.range.count) / Double(group.wholes.count)
      for (index, whole) in group.wholes.enumerated() {
        place += 1
        let start = group.range.lowerBound + Int64((Double(index) * size).rounded(.up))
        let end = group.range.lowerBound + Int64((Double(index + 1) * size).rounded(.up)) - 1
        let new = start + Int64(random(place, 0) % UInt64(max(1, end - start + 1)))
        made[Double(whole)] = Double(new)
        add(fractions[whole] ?? [], at: Double(new)) { random(place, $0) }
      }
    }
  }

  private mutating func gather(_ number: Double, isDate: Bool, isKept: Bool) {
    let whole = Int64(number.rounded(.down))
    if isKept || number.rounded(.down) == number && NumberRange.isKept(whole) {
      // What was before it stays before it.
      if let last = groups.last, last.range.contains(whole), (last.wholes.last ?? whole) < whole {
        groups[groups.count - 1].range = last.range.lowerBound...whole - 1
      }
      made[number] = number
      groups.append(Group(range: whole...whole, wholes: [whole]))
      return
    }
    if number.rounded(.down) != number { fractions[whole, default: []].append(number) }
    if groups.last?.wholes.last == whole { return }
    var range = NumberRange.isKept(whole) ? whole...whole : NumberRange.of(whole)
    if isDate, let century = NumberRange.century(of: number) { range = century }
    if let last = groups.last, last.range.count > 1, last.range.upperBound == range.upperBound {
      groups[groups.count - 1].wholes.append(whole)
    } else {
      let start = max(range.lowerBound, (groups.last?.range.upperBound ?? .min) &+ 1)
      groups.append(
        Group(
          range: (groups.isEmpty ? range.lowerBound : min(start, whole))...range.upperBound,
          wholes: [whole]))
    }
  }

  /// Fractions stay between the same whole number's new one and the next.
  private mutating func add(
    _ parts: [Double], at whole: Double, random: (UInt64) -> UInt64
  ) {
    for (index, part) in parts.enumerated() {
      // Never nothing: a fraction stays one.
      let share = 0.01 + 0.98 * Double(random(UInt64(index) + 1) >> 11) * 0x1p-53
      made[part] = whole + (Double(index) + share) / Double(parts.count)
    }
  }
}
