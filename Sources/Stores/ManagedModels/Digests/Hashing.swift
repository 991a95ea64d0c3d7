/// A hash of the SHA-2 family for bytes that arrive in pieces.
package protocol Hashing {
  init()
  mutating func update(_ bytes: UnsafeRawBufferPointer)
  consuming func finalize() -> [UInt8]
}

extension Hashing {
  @inlinable package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  @inlinable package mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }

  @inlinable package static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var hash = Self()
    hash.update(bytes)
    return hash.finalize()
  }

  @inlinable package static func hash(_ text: String) -> [UInt8] {
    var hash = Self()
    hash.update(text)
    return hash.finalize()
  }
}
