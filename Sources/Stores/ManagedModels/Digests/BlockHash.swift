#if !canImport(CryptoKit)
  internal import Foundation

  /// The compression function of SHA-256 or SHA-512; `BlockHash` has everything else.
  package protocol BlockFunction {
    associatedtype Word: FixedWidthInteger

    static var initial: [Word] { get }
    static var constants: [Word] { get }

    /// Processes the block at an offset. Each word size has its own implementation, since this is the hottest code.
    ///
    /// - Parameter words: Room for one word per round.
    static func compress(
      _ blocks: UnsafeRawBufferPointer, at start: Int, _ constants: UnsafeBufferPointer<Word>,
      _ words: UnsafeMutableBufferPointer<Word>, _ state: UnsafeMutableBufferPointer<Word>)

    /// Processes whole blocks with the processor's SHA instructions. Returns false, without effect, if the processor
    /// has none.
    static func compressed(
      _ blocks: UnsafeRawBufferPointer, _ constants: UnsafeBufferPointer<Word>,
      _ state: UnsafeMutableBufferPointer<Word>
    ) -> Bool
  }

  extension BlockFunction {
    package static func compressed(
      _ blocks: UnsafeRawBufferPointer, _ constants: UnsafeBufferPointer<Word>,
      _ state: UnsafeMutableBufferPointer<Word>
    ) -> Bool { false }
  }

  /// A hash of the SHA-2 family, for bytes that arrive in pieces (FIPS 180-4).
  ///
  /// It is implemented here, since the launch library must not depend on a package, and systems other than Apple's have
  /// no SHA-2 without one.
  package struct BlockHash<Function: BlockFunction>: Hashing {
    private var state = Function.initial
    /// Holds input that does not yet fill a block. The padding of the last block may need a second block.
    private var rest = [UInt8](repeating: 0, count: 2 * blockSize)
    private var filled = 0
    private var length: UInt64 = 0

    private static var wordSize: Int { MemoryLayout<Function.Word>.size }
    private static var blockSize: Int { 16 * wordSize }

    package init() {}

    // This uses pointers, since most digests are of a few bytes, and in an unoptimised build generic code takes longer
    // than the hash function.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
      guard let start = bytes.baseAddress else { return }
      let blockSize = Self.blockSize
      length += UInt64(bytes.count)
      var position = 0
      if filled > 0 {
        position = min(blockSize - filled, bytes.count)
        keep(start, position)
        guard filled == blockSize else { return }
        compressRest()
      }
      let whole = (bytes.count - position) / blockSize * blockSize
      if whole > 0 {
        compress(UnsafeRawBufferPointer(start: start + position, count: whole))
        position += whole
      }
      if position < bytes.count { keep(start + position, bytes.count - position) }
    }

    private mutating func keep(_ start: UnsafeRawPointer, _ count: Int) {
      let filled = filled
      rest.withUnsafeMutableBytes { rest in
        (rest.baseAddress! + filled).copyMemory(from: start, byteCount: count)
      }
      self.filled += count
    }

    /// The digest: the words of the state in big-endian order.
    package consuming func finalize() -> [UInt8] {
      pad()
      #if _endian(little)
        let turned = Self.wordSize - 1
      #else
        let turned = 0
      #endif
      return state.withUnsafeBytes { state in
        [UInt8](unsafeUninitializedCapacity: state.count) { bytes, count in
          count = state.count
          var place = 0
          while place < count {
            bytes[place] = state[place ^ turned]
            place += 1
          }
        }
      }
    }

    private mutating func pad() {
      let bits = length * 8
      let blockSize = Self.blockSize
      let filled = filled
      let end = filled + 1 + 2 * Self.wordSize <= blockSize ? blockSize : 2 * blockSize
      rest.withUnsafeMutableBytes { rest in
        rest[filled] = 0x80
        memset(rest.baseAddress! + filled + 1, 0, end - filled - 1)
        // The length always fits into eight bytes.
        rest.storeBytes(of: bits.bigEndian, toByteOffset: end - 8, as: UInt64.self)
      }
      self.filled = end
      compressRest()
    }

    private mutating func compressRest() {
      let rest = rest
      rest.withUnsafeBytes { compress(UnsafeRawBufferPointer(rebasing: $0[..<filled])) }
      filled = 0
    }

    // This function uses pointers and no arrays, since the loop of the hash function is the hottest code.
    private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
      Function.constants.withUnsafeBufferPointer { constants in
        state.withUnsafeMutableBufferPointer { state in
          if Function.compressed(blocks, constants, state) { return }
          withUnsafeTemporaryAllocation(of: Function.Word.self, capacity: constants.count) {
            words in
            for start in stride(from: 0, to: blocks.count, by: Self.blockSize) {
              Function.compress(blocks, at: start, constants, words, state)
            }
          }
        }
      }
    }
  }
#endif
