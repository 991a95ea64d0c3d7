#if canImport(CryptoKit)
  internal import CryptoKit

  /// SHA-256 for bytes that arrive in pieces.
  package struct SHA256: Hashing {
    private var hash = CryptoKit.SHA256()

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
      hash.update(bufferPointer: bytes)
    }

    package consuming func finalize() -> [UInt8] { Array(hash.finalize()) }
  }
#else
  internal import CSHA

  /// SHA-256 for bytes that arrive in pieces.
  package struct SHA256: Hashing {
    // This wraps the generic hash, since other modules would call the generic code unspecialised.
    private var hash = BlockHash<SHA256Function>()

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bytes) }

    package consuming func finalize() -> [UInt8] { hash.finalize() }
  }

  package enum SHA256Function: BlockFunction {
    package static let constants: [UInt32] = [
      0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
      0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
      0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
      0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
      0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
      0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
      0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
      0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
      0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
      0xc671_78f2,
    ]

    package static let initial: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
      0x5be0_cd19,
    ]

    package static let hasInstructions = csha_is_available() != 0

    package static func compressed(
      _ blocks: UnsafeRawBufferPointer, _ constants: UnsafeBufferPointer<UInt32>,
      _ state: UnsafeMutableBufferPointer<UInt32>
    ) -> Bool {
      guard hasInstructions else { return false }
      let bytes = blocks.assumingMemoryBound(to: UInt8.self)
      csha_compress(
        state.baseAddress, bytes.baseAddress, blocks.count / 64, constants.baseAddress)
      return true
    }

    package static func compress(
      _ blocks: UnsafeRawBufferPointer, at start: Int, _ constants: UnsafeBufferPointer<UInt32>,
      _ words: UnsafeMutableBufferPointer<UInt32>, _ state: UnsafeMutableBufferPointer<UInt32>
    ) {
      @inline(__always) func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word &>> count | word &<< (32 &- count)
      }
      var index = 0
      while index < 16 {
        let bigEndian = blocks.loadUnaligned(
          fromByteOffset: start &+ index &* 4, as: UInt32.self)
        words[index] = UInt32(bigEndian: bigEndian)
        index &+= 1
      }
      while index < 64 {
        let early = words[index &- 15]
        let late = words[index &- 2]
        let first = rotated(early, 7) ^ rotated(early, 18) ^ early &>> 3
        let second = rotated(late, 17) ^ rotated(late, 19) ^ late &>> 10
        words[index] = words[index &- 16] &+ first &+ words[index &- 7] &+ second
        index &+= 1
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      index = 0
      while index < 64 {
        let sum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
        let choice = e & f ^ ~e & g
        let one = h &+ sum &+ choice &+ constants[index] &+ words[index]
        let other = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
        let majority = a & b ^ a & c ^ b & c
        (h, g, f, e) = (g, f, e, d &+ one)
        (d, c, b, a) = (c, b, a, one &+ other &+ majority)
        index &+= 1
      }
      state[0] &+= a
      state[1] &+= b
      state[2] &+= c
      state[3] &+= d
      state[4] &+= e
      state[5] &+= f
      state[6] &+= g
      state[7] &+= h
    }
  }
#endif
