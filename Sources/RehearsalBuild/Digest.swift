internal import Crypto

/// SHA-256 as text.
enum Digest {
  static func text(_ bytes: [UInt8]) -> String { text(SHA256.hash(data: bytes)) }

  /// In lower-case hexadecimal.
  static func text(_ digest: SHA256Digest) -> String {
    digest.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
  }
}
