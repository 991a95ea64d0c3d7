internal import Foundation

/// The values that a store has, to keep them out of its copy: each as a whole, and the longer ones wherever they might
/// stand.
///
/// What is looked for is a piece of a value that tells it: at most 24 bytes, those of them that could have been others.
final class OriginalValues {
  /// Of whole values, so that memory is a few bytes for each.
  private var whole: Set<UInt64> = []
  private var pieces: [Piece] = []
  /// By the first six bytes.
  private var heads: [UInt64: [Int]] = [:]
  /// A bit for each head, so that most places are passed quickly.
  private var marks = [UInt64](repeating: 0, count: 1 << 16)
  private let key = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))

  private struct Piece {
    var bytes: [UInt8]
    /// How many pieces could stand in its place, as a power of two.
    var bits: Double
    /// The schema has it too.
    var isExempt = false
  }

  private static let shortest = 6
  private static let longest = 24
  /// A piece with fewer is found in any text.
  private static let fewestBits = 16.0

  // MARK: Learning

  /// A value as a whole.
  func add(_ bytes: some Collection<UInt8>) { whole.insert(hash(bytes)) }

  /// A value, and the piece of it that tells it.
  ///
  /// - Parameter bits: How much each byte says.
  func add(_ bytes: [UInt8], bits: [Double]) {
    guard whole.insert(hash(bytes)).inserted, bytes.count >= Self.shortest else { return }
    var sum = 0.0
    var best = (start: 0, bits: -1.0)
    for place in bytes.indices {
      sum += bits[place]
      if place >= Self.longest { sum -= bits[place - Self.longest] }
      if sum > best.bits { best = (max(0, place - Self.longest + 1), sum) }
      if sum >= 64 { break }
    }
    addPiece(Array(bytes[best.start..<min(bytes.count, best.start + Self.longest)]), best.bits)
  }

  private func addPiece(_ bytes: [UInt8], _ bits: Double) {
    // Runs of one byte are in every database.
    guard bits >= Self.fewestBits, Set(bytes).count > 3 else { return }
    let head = Self.head(bytes, 0)
    if let known = heads[head], known.contains(where: { pieces[$0].bytes == bytes }) { return }
    heads[head, default: []].append(pieces.count)
    pieces.append(Piece(bytes: bytes, bits: bits))
    let mark = Self.mark(head)
    marks[mark >> 6] |= 1 << UInt64(mark & 63)
  }

  /// What a schema says is no value, wherever it stands.
  func exempt(_ schema: [UInt8]) {
    schema.withUnsafeBufferPointer { bytes in
      _ = find(in: bytes) { piece in
        pieces[piece].isExempt = true
        return false
      }
    }
  }

  // MARK: Looking

  /// Whether it is a value of the store's, or has one in it.
  func has(_ bytes: [UInt8]) -> Bool {
    if whole.contains(hash(bytes)) { return true }
    guard bytes.count >= Self.shortest, bytes.count <= 1 << 16, !pieces.isEmpty else {
      return false
    }
    return bytes.withUnsafeBufferPointer { find(in: $0) { !self.pieces[$0].isExempt } }
  }

  /// Whether a file has one of them, among all bytes of a copy.
  ///
  /// Of so many bytes some are equal to a short value by chance: those are passed that are more likely to be there than
  /// not, whatever was written.
  func occur(inFileAt url: URL, among bytes: Int64) throws -> Bool {
    let enough = log2(Double(bytes) * Double(max(1, pieces.count))) + 3
    return try Data(contentsOf: url, options: .mappedIfSafe).withUnsafeBytes { raw in
      find(in: raw.bindMemory(to: UInt8.self)) {
        !self.pieces[$0].isExempt && self.pieces[$0].bits >= enough
      }
    }
  }

  /// Whether a piece is there that `isWanted`.
  private func find(
    in bytes: UnsafeBufferPointer<UInt8>, _ isWanted: (Int) -> Bool
  ) -> Bool {
    guard bytes.count >= Self.shortest else { return false }
    var head: UInt64 = 0
    for place in bytes.indices {
      head = (head << 8 | UInt64(bytes[place])) & 0xFFFF_FFFF_FFFF
      let mark = Self.mark(head)
      guard marks[mark >> 6] >> UInt64(mark & 63) & 1 == 1, place >= Self.shortest - 1,
        let found = heads[head]
      else { continue }
      let start = place - Self.shortest + 1
      for piece in found {
        let wanted = pieces[piece].bytes
        guard start + wanted.count <= bytes.count,
          bytes[start..<start + wanted.count].elementsEqual(wanted), isWanted(piece)
        else { continue }
        return true
      }
    }
    return false
  }

  private static func head(_ bytes: [UInt8], _ start: Int) -> UInt64 {
    bytes[start..<start + shortest].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func mark(_ head: UInt64) -> Int {
    Int((head &* 0x9E37_79B9_7F4A_7C15) >> 42)
  }

  private func hash(_ bytes: some Collection<UInt8>) -> UInt64 {
    var hash = SipHash(key)
    hash.add(bytes)
    return hash.value
  }
}
