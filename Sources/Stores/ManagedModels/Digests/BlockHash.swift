#if !canImport(CryptoKit)
  /// What SHA-256 and SHA-512 do to a block; all else about them is `BlockHash`.
  package protocol BlockFunction {
    associatedtype Word: FixedWidthInteger

    /// The state before any input.
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
    /// The input that does not fill a block yet.
    private var rest: [UInt8] = []
    /// The bytes of input so far.
    private var length: UInt64 = 0

    /// In bytes.
    private static var blockSize: Int { 16 * MemoryLayout<Function.Word>.size }
    /// The bytes at the input's end that hold its length in bits.
    private static var lengthSize: Int { 2 * MemoryLayout<Function.Word>.size }

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
      length += UInt64(bytes.count)
      var position = 0
      if !rest.isEmpty {
        position = min(Self.blockSize - rest.count, bytes.count)
        rest.append(contentsOf: bytes[..<position])
        guard rest.count == Self.blockSize else { return }
        let block = rest
        rest.removeAll(keepingCapacity: true)
        block.withUnsafeBytes { compress($0) }
      }
      let end = position + (bytes.count - position) / Self.blockSize * Self.blockSize
      compress(UnsafeRawBufferPointer(rebasing: bytes[position..<end]))
      rest.append(contentsOf: bytes[end...])
    }

    /// The digest: the words of the state in big-endian order.
    package consuming func finalize() -> [UInt8] {
      pad()
      let size = MemoryLayout<Function.Word>.size
      return [UInt8](unsafeUninitializedCapacity: state.count * size) { bytes, count in
        let bytes = UnsafeMutableRawBufferPointer(bytes)
        for (place, word) in state.enumerated() {
          bytes.storeBytes(of: word.bigEndian, toByteOffset: place * size, as: Function.Word.self)
        }
        count = state.count * size
      }
    }

    /// Fills the last block: a one bit, zeros, the length in bits.
    private mutating func pad() {
      let bits = length * 8
      rest.append(0x80)
      let used = (rest.count + Self.lengthSize) % Self.blockSize
      let zeros = (Self.blockSize - used) % Self.blockSize + Self.lengthSize - 8
      // An array and no repeated element, which is slow where nothing is optimised.
      rest += [UInt8](repeating: 0, count: zeros)
      // No input is so long that the length needs more than eight bytes.
      for place in 0..<8 {
        rest.append(UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64(place))))
      }
      let blocks = rest
      blocks.withUnsafeBytes { compress($0) }
    }

    // Pointers reach the state, and the schedule is no array, since nothing here runs more often than the function's loop.
    private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
      Function.constants.withUnsafeBufferPointer { constants in
        withUnsafeTemporaryAllocation(of: Function.Word.self, capacity: constants.count) { words in
          state.withUnsafeMutableBufferPointer { state in
            if Function.compressed(blocks, constants, state) { return }
            for start in stride(from: 0, to: blocks.count, by: Self.blockSize) {
              Function.compress(blocks, at: start, constants, words, state)
            }
          }
        }
      }
    }
  }
#endif
