/// Raw DEFLATE (RFC 1951), as Core Data compresses a store's model cache.
///
/// Written out: the store layer knows nothing but Foundation and SQLite, and Foundation has none on Linux.
struct Inflate {
  /// Why bytes cannot be expanded.
  enum Failure: Error, Hashable {
    /// They end within a block, or are no DEFLATE.
    case malformed
    /// They would become more than was allowed.
    case tooLarge
  }

  private let input: [UInt8]
  private var position = 0
  private var bits: UInt32 = 0
  private var bitCount = 0
  private var output: [UInt8] = []
  private let limit: Int

  private init(_ input: [UInt8], limit: Int) {
    self.input = input
    self.limit = limit
  }

  /// The bytes that were compressed; never more than `limit`, whatever the input promises.
  static func expand(_ input: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    var inflate = Inflate(input, limit: limit)
    while try inflate.block() {}
    return inflate.output
  }

  /// Expands one block; `false` after the last.
  private mutating func block() throws(Failure) -> Bool {
    let isLast = try take(1) == 1
    switch try take(2) {
    case 0: try stored()
    case 1: try compressed(Self.fixedLiterals, Self.fixedDistances)
    case 2:
      let (literals, distances) = try codes()
      try compressed(literals, distances)
    default: throw .malformed
    }
    return !isLast
  }

  private mutating func take(_ count: Int) throws(Failure) -> Int {
    while bitCount < count {
      guard position < input.count else { throw .malformed }
      bits |= UInt32(input[position]) << UInt32(bitCount)
      position += 1
      bitCount += 8
    }
    let value = bits & ((1 << UInt32(count)) - 1)
    bits >>= UInt32(count)
    bitCount -= count
    return Int(value)
  }

  private mutating func stored() throws(Failure) {
    bits = 0
    bitCount = 0
    guard position + 4 <= input.count else { throw .malformed }
    let count = Int(input[position]) | Int(input[position + 1]) << 8
    let complement = Int(input[position + 2]) | Int(input[position + 3]) << 8
    position += 4
    guard count == complement ^ 0xFFFF, position + count <= input.count else { throw .malformed }
    guard output.count + count <= limit else { throw .tooLarge }
    output += input[position..<position + count]
    position += count
  }

  private mutating func compressed(_ literals: Code, _ distances: Code) throws(Failure) {
    while true {
      let symbol = try symbol(of: literals)
      if symbol < 256 {
        guard output.count < limit else { throw .tooLarge }
        output.append(UInt8(symbol))
      } else if symbol == 256 {
        return
      } else {
        guard symbol - 257 < Self.lengths.count else { throw .malformed }
        let (base, extra) = Self.lengths[symbol - 257]
        let length = base + (try take(extra))
        let place = try self.symbol(of: distances)
        guard place < Self.distances.count else { throw .malformed }
        let (near, more) = Self.distances[place]
        let distance = near + (try take(more))
        guard distance <= output.count else { throw .malformed }
        guard output.count + length <= limit else { throw .tooLarge }
        // One at a time: a copy may overlap what it writes.
        for _ in 0..<length { output.append(output[output.count - distance]) }
      }
    }
  }

  // MARK: Codes

  /// A canonical Huffman code: how many symbols have each length, and the symbols in the order of their codes.
  private struct Code {
    var counts: [Int]
    var symbols: [Int]

    /// Nil where more codes of a length are asked for than there are.
    init?(_ lengths: [Int]) {
      counts = [Int](repeating: 0, count: 16)
      for length in lengths { counts[length] += 1 }
      counts[0] = 0
      var left = 1
      for count in counts.dropFirst() {
        left = left * 2 - count
        guard left >= 0 else { return nil }
      }
      var offsets = [Int](repeating: 0, count: 16)
      for length in 1..<15 { offsets[length + 1] = offsets[length] + counts[length] }
      symbols = [Int](repeating: 0, count: lengths.count)
      for (symbol, length) in lengths.enumerated() where length != 0 {
        symbols[offsets[length]] = symbol
        offsets[length] += 1
      }
    }
  }

  private mutating func symbol(of code: Code) throws(Failure) -> Int {
    var value = 0
    var first = 0
    var index = 0
    for length in 1..<16 {
      value |= try take(1)
      let count = code.counts[length]
      if value - first < count { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw .malformed
  }

  /// The codes of a block that brings its own.
  private mutating func codes() throws(Failure) -> (Code, Code) {
    let literalCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    let lengthCount = try take(4) + 4
    guard literalCount <= 286, distanceCount <= 30 else { throw .malformed }
    var ofLengths = [Int](repeating: 0, count: 19)
    for place in Self.lengthOrder.prefix(lengthCount) { ofLengths[place] = try take(3) }
    guard let code = Code(ofLengths) else { throw .malformed }
    var lengths: [Int] = []
    while lengths.count < literalCount + distanceCount {
      let symbol = try symbol(of: code)
      switch symbol {
      case 0..<16: lengths.append(symbol)
      case 16:
        guard let last = lengths.last else { throw .malformed }
        lengths += [Int](repeating: last, count: try take(2) + 3)
      case 17: lengths += [Int](repeating: 0, count: try take(3) + 3)
      default: lengths += [Int](repeating: 0, count: try take(7) + 11)
      }
    }
    guard lengths.count == literalCount + distanceCount,
      let literals = Code(Array(lengths[..<literalCount])),
      let distances = Code(Array(lengths[literalCount...]))
    else { throw .malformed }
    return (literals, distances)
  }

  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  /// The least length of each symbol from 257, and how many bits say how much more.
  private static let lengths: [(Int, Int)] = [
    (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 1), (13, 1), (15, 1),
    (17, 1), (19, 2), (23, 2), (27, 2), (31, 2), (35, 3), (43, 3), (51, 3), (59, 3), (67, 4),
    (83, 4), (99, 4), (115, 4), (131, 5), (163, 5), (195, 5), (227, 5), (258, 0),
  ]

  private static let distances: [(Int, Int)] = [
    (1, 0), (2, 0), (3, 0), (4, 0), (5, 1), (7, 1), (9, 2), (13, 2), (17, 3), (25, 3), (33, 4),
    (49, 4), (65, 5), (97, 5), (129, 6), (193, 6), (257, 7), (385, 7), (513, 8), (769, 8),
    (1025, 9), (1537, 9), (2049, 10), (3073, 10), (4097, 11), (6145, 11), (8193, 12), (12289, 12),
    (16385, 13), (24577, 13),
  ]

  private static let fixedLiterals = code(
    (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  private static let fixedDistances = code([Int](repeating: 5, count: 30))

  private static func code(_ lengths: [Int]) -> Code {
    guard let code = Code(lengths) else {
      preconditionFailure("the standard's own codes are sound")
    }
    return code
  }
}
