#if !canImport(CryptoKit)
  internal import Foundation

  /// What SHA-256 and SHA-512 do to a block; all else about them is `BlockHash`.
  package protocol BlockFunction {
    associatedtype Word: FixedWidthInteger

    static var initial: [Word] { get }
    /// A word for each round.
    static var constants: [Word] { get }

    /// Takes in the block at an offset: written out for each word, since nothing here runs more often.
    ///
    /// - Parameter words: Room for a word for each round.
    static func compress(
      _ blocks: UnsafeRawBufferPointer, at start: Int, _ constants: UnsafeBufferPointer<Word>,
      _ words: UnsafeMutableBufferPointer<Word>, _ state: UnsafeMutableBufferPointer<Word>)

    /// Takes in whole blocks by the processor's own instructions, and says whether it has any for the function.
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

  /// A hash of the SHA-2 family, of bytes that come in pieces (FIPS 180-4).
  ///
  /// Written out: an app that links the launch library must get no package from it, and off Apple's systems no
  /// SHA-2 comes without one.
  package struct BlockHash<Function: BlockFunction>: Hashing {
    private var state = Function.initial
    /// Room for the input that does not fill a block yet, and for what pads the last one: two blocks.
    private var rest = [UInt8](repeating: 0, count: 2 * blockSize)
    /// How many bytes of `rest` are input.
    private var filled = 0
    /// The bytes of input so far.
    private var length: UInt64 = 0

    private static var wordSize: Int { MemoryLayout<Function.Word>.size }
    /// The block's size in bytes.
    private static var blockSize: Int { 16 * wordSize }

    package init() {}

    // By pointers, here and below: a digest of a few bytes is what is asked for most, and all that is generic takes
    // longer than the function itself where nothing is optimised.
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

    /// Fills the last block: a one bit, zeros, the length in bits.
    private mutating func pad() {
      let bits = length * 8
      let blockSize = Self.blockSize
      let filled = filled
      let end = filled + 1 + 2 * Self.wordSize <= blockSize ? blockSize : 2 * blockSize
      rest.withUnsafeMutableBytes { rest in
        rest[filled] = 0x80
        memset(rest.baseAddress! + filled + 1, 0, end - filled - 1)
        // No input is so long that the length needs more than eight bytes.
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

    // Pointers reach the state, and the schedule is no array, since nothing here runs more often than the function's loop.
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
