internal import CStoreLibraries

/// Raw DEFLATE (RFC 1951), with which Core Data compresses a store's model cache.
enum Inflate {
  /// Why bytes cannot be expanded.
  enum Failure: Error, Hashable {
    case malformed
    case tooLarge
  }

  /// The number of bytes to expand at once, so that memory follows the actual contents and not the limit.
  private static let chunk = 256 << 10

  static func expand(_ input: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    // zlib counts its input with 32 bits.
    guard UInt32(exactly: input.count) != nil else { throw .tooLarge }
    var stream = z_stream()
    guard schemagen_inflate_raw(&stream) == Z_OK else { throw .malformed }
    defer { inflateEnd(&stream) }
    var output: [UInt8] = []
    // zlib reads through this pointer and never writes to it.
    let status = input.withUnsafeBufferPointer { bytes -> Result<Void, Failure> in
      stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
      stream.avail_in = UInt32(bytes.count)
      return expand(&stream, into: &output, limit: limit)
    }
    try status.get()
    return output
  }

  private static func expand(
    _ stream: inout z_stream, into output: inout [UInt8], limit: Int
  ) -> Result<Void, Failure> {
    var buffer = [UInt8](repeating: 0, count: chunk)
    while true {
      let status = buffer.withUnsafeMutableBufferPointer { room in
        stream.next_out = room.baseAddress
        stream.avail_out = UInt32(room.count)
        return inflate(&stream, Z_NO_FLUSH)
      }
      let count = buffer.count - Int(stream.avail_out)
      guard count <= limit - output.count else { return .failure(.tooLarge) }
      output += buffer[..<count]
      switch status {
      case Z_STREAM_END: return .success(())
      // The input ended without more output, so it is truncated.
      case Z_OK where stream.avail_in == 0 && count < buffer.count: return .failure(.malformed)
      case Z_OK: continue
      default: return .failure(.malformed)
      }
    }
  }
}
