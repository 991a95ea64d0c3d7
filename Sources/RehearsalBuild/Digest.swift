internal import Crypto

/// SHA-256 as text.
enum Digest {
  static func text(_ bytes: [UInt8]) -> String {
    SHA256.hash(data: bytes).map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
  }
}
