#if !canImport(CryptoKit)
  /// A hash that works on whole blocks: what SHA-256 and SHA-512 have in common.
  protocol BlockHashing {
    /// In bytes.
    static var blockSize: Int { get }
    /// The bytes at the input's end that hold its length in bits.
    static var lengthSize: Int { get }
    /// The input that does not fill a block yet.
    var rest: [UInt8] { get set }
    /// The bytes of input so far.
    var length: UInt64 { get set }

    /// Takes in whole blocks.
    mutating func compress(_ blocks: UnsafeRawBufferPointer)
  }

  extension BlockHashing {
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

    /// Fills the last block: a one bit, zeros, the length in bits.
    mutating func pad() {
      let bits = length * 8
      let used = (rest.count + 1 + Self.lengthSize) % Self.blockSize
      var padding: [UInt8] = [0x80]
      // No input is so long that the length needs more than eight bytes.
      padding += [UInt8](
        repeating: 0, count: (Self.blockSize - used) % Self.blockSize + Self.lengthSize - 8)
      padding += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
      padding.withUnsafeBytes { update($0) }
    }
  }
#endif
