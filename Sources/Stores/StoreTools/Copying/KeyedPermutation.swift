internal import Foundation
internal import ManagedModels

/// Permutations of digits, each of a base of its own, that only who has the key can compute.
///
/// Feistel networks: each is a permutation by its construction, whatever the function in it gives. That one is SipHash,
/// made for short inputs.
struct KeyedPermutation: Sendable {
  private let key: (UInt64, UInt64)

  /// How often each half is changed by the other.
  private static let rounds = 6

  init(_ key: AnonymisationKey) { self.key = key.words }

  /// Digits that stand in the other half of each other, shifted; `tweak` picks one of many permutations.
  func permute(_ digits: inout [UInt32], bases: [UInt32], tweak: UInt64) {
    for round in 0..<Self.rounds { shift(&digits, bases, tweak, round, isInverse: false) }
  }

  /// Takes `permute` back.
  func restore(_ digits: inout [UInt32], bases: [UInt32], tweak: UInt64) {
    for round in (0..<Self.rounds).reversed() {
      shift(&digits, bases, tweak, round, isInverse: true)
    }
  }

  private func shift(
    _ digits: inout [UInt32], _ bases: [UInt32], _ tweak: UInt64, _ round: Int, isInverse: Bool
  ) {
    let middle = digits.count / 2
    // A single digit is the right half.
    let (changed, other) =
      round.isMultiple(of: 2)
      ? (middle..<digits.count, 0..<middle) : (0..<middle, middle..<digits.count)
    guard !changed.isEmpty else { return }
    var hash = SipHash(key)
    hash.add(tweak)
    hash.add(UInt64(round))
    hash.add(UInt64(digits.count))
    for place in other { hash.add(UInt64(digits[place])) }
    let seed = hash.value
    var stream: UInt64 = 0
    for (index, place) in changed.enumerated() {
      if index.isMultiple(of: 2) {
        var next = SipHash((seed, key.1))
        next.add(UInt64(index))
        stream = next.value
      } else {
        stream >>= 32
      }
      let base = UInt64(bases[place])
      let amount = (stream & 0xFFFF_FFFF) % base
      let sum = UInt64(digits[place]) + (isInverse ? base - amount : amount)
      digits[place] = UInt32(sum % base)
    }
  }

  /// A number that others make, the same each time.
  func number(_ words: UInt64...) -> UInt64 {
    var hash = SipHash(key)
    for word in words { hash.add(word) }
    return hash.value
  }
}

/// SipHash-2-4 of whole words.
struct SipHash {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64
  private var count: UInt64 = 0

  init(_ key: (UInt64, UInt64)) {
    v0 = key.0 ^ 0x736f_6d65_7073_6575
    v1 = key.1 ^ 0x646f_7261_6e64_6f6d
    v2 = key.0 ^ 0x6c79_6765_6e65_7261
    v3 = key.1 ^ 0x7465_6462_7974_6573
  }

  mutating func add(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
    count &+= 8
  }

  /// Of a whole text or blob.
  mutating func add(_ bytes: some Collection<UInt8>) {
    var word: UInt64 = 0
    var filled: UInt64 = 0
    for byte in bytes {
      word |= UInt64(byte) << (8 * filled)
      filled += 1
      if filled == 8 {
        add(word)
        (word, filled) = (0, 0)
      }
    }
    add(word)
    add(UInt64(bytes.count))
  }

  var value: UInt64 {
    var state = self
    state.add(count << 56)
    state.v2 ^= 0xFF
    for _ in 0..<4 { state.round() }
    return state.v0 ^ state.v1 ^ state.v2 ^ state.v3
  }

  @inline(__always) private mutating func round() {
    func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
      word &<< count | word &>> (64 &- count)
    }
    v0 &+= v1
    v1 = rotated(v1, 13) ^ v0
    v0 = rotated(v0, 32)
    v2 &+= v3
    v3 = rotated(v3, 16) ^ v2
    v0 &+= v3
    v3 = rotated(v3, 21) ^ v0
    v2 &+= v1
    v1 = rotated(v1, 17) ^ v2
    v2 = rotated(v2, 32)
  }
}

/// What values are changed with: made of the store itself, so that the same store gives the same copy, and nobody
/// without the store can make it again.
struct AnonymisationKey: Sendable {
  let words: (UInt64, UInt64)

  /// How many keys are tried before a copy is refused.
  static let attempts = 8

  init(_ digest: [UInt8], _ number: Int) {
    let made = SHA256.hash(digest + Array("schemagen anonymise \(number)".utf8))
    func word(_ range: Range<Int>) -> UInt64 { made[range].reduce(0) { $0 << 8 | UInt64($1) } }
    words = (word(0..<8), word(8..<16))
  }

  /// SHA-256 of a store's file and of its log, read before SQLite opens them: to close a file would drop its locks.
  static func digest(ofStoreAt url: URL) throws -> [UInt8] {
    var hash = SHA256()
    for suffix in ["", "-wal"] {
      guard let file = try? FileHandle(forReadingFrom: URL(filePath: url.path + suffix)) else {
        continue
      }
      defer { try? file.close() }
      while let part = try file.read(upToCount: 1 << 20), !part.isEmpty {
        part.withUnsafeBytes { hash.update($0) }
      }
    }
    return hash.finalize()
  }
}
