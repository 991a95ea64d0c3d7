internal import Foundation

/// Replaces numbers by numbers in the same order and with the same sign. Integers replace integers, and each new number
/// is valid for the types for which the old one is valid.
///
/// The numbers are in ranges, divided at numbers to keep and at the limits of types. The new numbers of a range are
/// spread over the range.
struct NumberTable {
  private var wholes: Set<Int64> = []
  /// The numbers with fractions, by the next lower integer.
  private var fractions: [Int64: Set<Double>] = [:]
  /// Numbers larger than all fractions, without their sign, as the bits of a Double, which have the same order.
  private var large: Set<Int64> = []
  /// The first numbers of the ranges, sorted.
  private let starts: [Int64]
  private var madeWholes: [Int64: Int64] = [:]
  private var madeFractions: [Double: Double] = [:]
  private var madeLarge: [Int64: Int64] = [:]

  /// Values that code compares with: the limits of types, and Foundation's distant past and future.
  private static let ends: [Int64] = [
    -1, 0, 1, .max, .min, Int64(Int32.max), Int64(Int32.min), Int64(Int16.max), Int64(Int16.min),
    -63_114_076_800, 64_092_211_200,
  ]

  init(keeping kept: Set<Int64>) {
    let edges = [7, 8, 15, 16, 31, 32, 40, 44, 48, 50, 53].map { Int64(1) << $0 }
    var starts = Set(edges + edges.map { -$0 })
    for number in kept.union(Self.ends) {
      starts.insert(number)
      if number < .max { starts.insert(number + 1) }
    }
    self.starts = starts.sorted()
  }

  // MARK: Learning

  mutating func learn(_ number: Int64) { wholes.insert(number) }

  mutating func learn(_ number: Double) {
    guard number.isFinite, abs(number) != .greatestFiniteMagnitude else { return }
    guard abs(number) < 0x1p53 else {
      large.insert(Int64(bitPattern: abs(number).bitPattern))
      return
    }
    let whole = Int64(number.rounded(.down))
    wholes.insert(whole)
    if Double(whole) != number { fractions[whole, default: []].insert(number) }
  }

  mutating func make(_ random: inout RandomNumbers) {
    madeWholes = Self.made(wholes, &random) { number in
      // Every number is in a range, since the first range begins at the lowest integer.
      let place = starts.partitioned { $0 <= number } - 1
      return starts[place]...(place + 1 < starts.count ? starts[place + 1] - 1 : .max)
    }
    let fraction: Int64 = (1 << 52) - 1
    madeLarge = Self.made(large, &random) { ($0 & ~fraction)...($0 | fraction) }
    for (whole, parts) in fractions {
      var denominator = 2.0
      while denominator < Double(2 * parts.count) { denominator *= 2 }
      for (index, part) in parts.sorted().enumerated() {
        madeFractions[part] =
          Double(madeWholes[whole] ?? whole) + Double(2 * index + 1) / denominator
      }
    }
  }

  private static func made(
    _ numbers: Set<Int64>, _ random: inout RandomNumbers, _ range: (Int64) -> ClosedRange<Int64>
  ) -> [Int64: Int64] {
    var made: [Int64: Int64] = [:]
    var rest = numbers.sorted()[...]
    while let first = rest.first {
      let range = range(first)
      let group = rest.prefix { range.contains($0) }
      rest = rest.dropFirst(group.count)
      let size = UInt64(bitPattern: range.upperBound &- range.lowerBound)
      let part = size == .max ? size / UInt64(group.count) : (size + 1) / UInt64(group.count)
      for (index, number) in group.enumerated() {
        let start = range.lowerBound &+ Int64(bitPattern: part * UInt64(index))
        for _ in 0..<8 {
          made[number] = start &+ Int64(bitPattern: random.next() % part)
          if !numbers.contains(made[number] ?? 0) { break }
        }
      }
    }
    return made
  }

  // MARK: Numbers

  func made(_ number: Int64) -> Int64 { madeWholes[number] ?? number }

  func made(_ number: Double) -> Double {
    if let fraction = madeFractions[number] { return fraction }
    guard abs(number) < 0x1p53 else {
      let bits = madeLarge[Int64(bitPattern: abs(number).bitPattern)]
      let made = bits.map { Double(bitPattern: UInt64(bitPattern: $0)) }
      return made.map { number < 0 ? -$0 : $0 } ?? number
    }
    guard number == number.rounded(), let made = madeWholes[Int64(number)] else { return number }
    return made == Int64(number) ? number : Double(made)
  }
}

extension [Int64] {
  /// The number of elements that satisfy a condition, if these elements all come first.
  fileprivate func partitioned(_ isOfKind: (Int64) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isOfKind(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Numbers determined by a seed (SplitMix64).
struct RandomNumbers {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
