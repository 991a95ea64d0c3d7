internal import Foundation

/// The first bytes of each of a store's values, which are searched for in the whole copy.
final class OriginalValues {
  private var pieces: [[UInt8]] = []
  private var known: Set<[UInt8]> = []
  /// Indices in `pieces`, by the first four bytes of a value.
  private var heads: [UInt32: [Int]] = [:]
  /// A bit for each head, so that most places are skipped quickly.
  private var marks = [UInt64](repeating: 0, count: 1 << 16)
  /// Indices in `pieces` of values that also occur in data that stays.
  private var exempt: Set<Int> = []

  private static let shortest = 4
  private static let longest = 24

  var count: Int { count(longerThan: 0) }

  func count(longerThan length: Int) -> Int {
    pieces.indices.count { pieces[$0].count > length && !exempt.contains($0) }
  }

  /// Adds a value, unless it has less than four bytes.
  func add(_ bytes: some Collection<UInt8>) {
    let piece = Array(bytes.prefix(Self.longest))
    guard piece.count >= Self.shortest, known.insert(piece).inserted else { return }
    let head = piece.prefix(Self.shortest).reduce(0) { $0 << 8 | UInt32($1) }
    heads[head, default: []].append(pieces.count)
    pieces.append(piece)
    let mark = Self.mark(head)
    marks[mark >> 6] |= 1 << UInt64(mark & 63)
  }

  func exempt(_ kept: some Sequence<UInt8>) {
    Array(kept).withUnsafeBufferPointer { bytes in
      find(in: bytes, from: 0) { piece, _ in
        exempt.insert(piece)
        return false
      }
    }
  }

  /// The range of the first value that is found at or after a place.
  func first(in bytes: [UInt8], from start: Int = 0) -> Range<Int>? {
    var found: Range<Int>?
    bytes.withUnsafeBufferPointer { bytes in
      find(in: bytes, from: start) { piece, place in
        guard !exempt.contains(piece) else { return false }
        found = place..<place + pieces[piece].count
        return true
      }
    }
    return found
  }

  /// The length in bytes of the longest value that is found in a file; 0 if there is none.
  func longest(inFileAt url: URL) throws -> Int {
    var longest = 0
    try Data(contentsOf: url, options: .mappedIfSafe).withUnsafeBytes { raw in
      find(in: raw.bindMemory(to: UInt8.self), from: 0) { piece, _ in
        if !exempt.contains(piece) { longest = max(longest, pieces[piece].count) }
        return false
      }
    }
    return longest
  }

  /// Reports each value that is found, with its place, until `isEnough` returns true.
  private func find(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ isEnough: (Int, Int) -> Bool
  ) {
    var head: UInt32 = 0
    for end in bytes.indices.dropFirst(start) {
      head = head << 8 | UInt32(bytes[end])
      let place = end - Self.shortest + 1
      let mark = Self.mark(head)
      guard place >= start, marks[mark >> 6] >> UInt64(mark & 63) & 1 == 1,
        let found = heads[head]
      else { continue }
      for piece in found {
        let wanted = pieces[piece]
        guard place + wanted.count <= bytes.count,
          bytes[place..<place + wanted.count].elementsEqual(wanted), isEnough(piece, place)
        else { continue }
        return
      }
    }
  }

  private static func mark(_ head: UInt32) -> Int { Int((head &* 0x9E37_79B1) >> 10) }
}
